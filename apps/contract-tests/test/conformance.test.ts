// The service under its own conformance kit: nothing is found, and in few requests. Other archives and callers are in
// conformance.verify.ts.
import { routes } from "@call-media/api";
import { checkService } from "@call-media/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type DemoTarget,
  MAX_REQUESTS,
  startDemoTarget,
  toText,
  YARDSTICKS,
} from "../src/demo-target.ts";
import { repeats } from "../src/runs.ts";

describe("the demo archive", () => {
  let demo: DemoTarget;
  beforeAll(async () => {
    demo = await startDemoTarget();
  });
  afterAll(() => demo[Symbol.asyncDispose]());

  test.each(YARDSTICKS)(
    "keeps everything against the %s, and nothing is left out",
    { repeats },
    async (against) => {
      const report = await checkService(demo.target, { against });
      expect(toText(report)).toEqual({
        verdict: "kept",
        reason: undefined,
        faults: [],
        skipped: [],
      });
      expect(report.requests).toBeLessThan(MAX_REQUESTS);
      expect(report.operations).toMatchObject({
        seen: routes.length,
        of: routes.length,
      });
      expect(report.questions.filter(({ agrees }) => !agrees)).toEqual([]);
    },
  );

  test("wrong credentials make no verdict", async () => {
    const { baseUrl } = demo.target;
    const credentials = { ...demo.access.credentials, secretKey: "a-wrong-secret-key" };
    const report = await checkService({ baseUrl, credentials });
    expect(report).toMatchObject({ verdict: "unable", reason: "signing in was answered 401" });
  });
});
