// What the benchmark stands on: a proxy that changes nothing by itself, and drifts that are told apart.
import { checkService } from "@call-media/conformance";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Demo, type DemoService, openDemo } from "../src/demo.ts";
import { mutants } from "../src/mutants/index.ts";
import { startProxy } from "../src/proxy.ts";
import { variants } from "../src/variants/index.ts";

const stack = new AsyncDisposableStack();
let demo: Demo;
let service: DemoService;
beforeAll(async () => {
  demo = stack.use(await openDemo());
  service = stack.use(await demo.startService());
});
afterAll(() => stack.disposeAsync());

test("nothing is changed by a proxy that leaves all as it is", async () => {
  const { apiKey: adminKey, expiredToken } = demo.access;
  await using proxy = await startProxy({
    operation: "every",
    mutate: (answer, request, { ask }) =>
      request.operation === "createToken" ? answer : ask(request),
    service: service.baseUrl,
    adminKey,
    expiredToken,
  });
  const { requests } = await checkService({ ...demo.access, baseUrl: proxy.baseUrl }, {});
  expect(requests).toBeGreaterThan(200);
  expect(proxy.faults).toEqual([]);
  expect(proxy.changed()).toBe(0);
});

test("ids are given once", () => {
  const ids = [...mutants, ...variants].map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
