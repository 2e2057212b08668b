// Every mutant and every variant changes something that a caller can see: else a check that does not see it proves nothing.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Demo, openDemo } from "../src/demo.ts";
import { mutants } from "../src/mutants/index.ts";
import { startProxy } from "../src/proxy.ts";
import { playScript } from "../src/script.ts";
import { variants } from "../src/variants/index.ts";

let demo: Demo;
beforeAll(async () => {
  demo = await openDemo();
});
afterAll(() => demo[Symbol.asyncDispose]());

describe("an answer is changed by", () => {
  test.each([...mutants, ...variants])("$id: $says", async (drift) => {
    const { apiKey: adminKey, expiredToken } = demo.access;
    await using service = await demo.startService();
    await using proxy = await startProxy({
      ...drift,
      service: service.baseUrl,
      adminKey,
      expiredToken,
    });
    const unchanged: string[] = [];
    for await (const { request } of playScript(proxy.baseUrl, demo, drift.operation)) {
      if (proxy.changed() > 0) break;
      unchanged.push(request);
    }
    expect(proxy.faults).toEqual([]);
    expect(proxy.changed(), `after ${unchanged.join(", ")}`).toBeGreaterThan(0);
  });
});

test("nothing is changed by a proxy that leaves all as it is", async () => {
  const { apiKey: adminKey, expiredToken } = demo.access;
  await using service = await demo.startService();
  await using proxy = await startProxy({
    operation: "every",
    mutate: (answer, request, { ask }) =>
      request.operation === "createToken" ? answer : ask(request),
    service: service.baseUrl,
    adminKey,
    expiredToken,
  });
  const requests: string[] = [];
  for await (const { request } of playScript(proxy.baseUrl, demo, "every")) requests.push(request);
  expect(requests.length).toBeGreaterThan(200);
  expect(proxy.faults).toEqual([]);
  expect(proxy.changed()).toBe(0);
});

test("ids are given once", () => {
  const ids = [...mutants, ...variants].map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
