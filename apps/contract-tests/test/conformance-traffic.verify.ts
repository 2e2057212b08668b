// Recorded traffic of the demo archive: the check's own requests, wrong ones among them. All of it is kept, and no secret gets out.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { routes } from "@call-media/api";
import { checkApi, checkTraffic, loadCallMedia, toApiTarget } from "@call-media/conformance";
import { createHarRecorder, toHarText } from "@call-media/test-setup/record-har";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoTarget, startDemoTarget, YARDSTICKS } from "../src/demo-target.ts";

let demo: DemoTarget;
let folder: string;
beforeAll(async () => {
  demo = await startDemoTarget();
  folder = await mkdtemp(join(tmpdir(), "traffic-"));
  const { fetch, entries } = createHarRecorder();
  const check = await loadCallMedia({ against: "decisions" });
  await checkApi({ ...check, target: { ...toApiTarget(demo.target), fetch } });
  await writeFile(join(folder, "demo.har"), toHarText(entries));
});
afterAll(async () => {
  await demo[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test.each(YARDSTICKS)("the traffic of the demo archive is kept against the %s", async (against) => {
  const { baseUrl, apiKey = "no key" } = demo.target;
  const check = await loadCallMedia({ against });
  const report = await checkTraffic({ ...check, files: [join(folder, "demo.har")], baseUrl });
  const faults = report.findings.map(({ requirement, fault }) => `${requirement}: ${fault}`);
  expect([report.verdict, ...faults]).toEqual(["kept"]);
  expect(report.operations).toEqual({ seen: routes.length, of: routes.length });
  expect(JSON.stringify(report)).not.toContain(apiKey);
  expect(JSON.stringify(report)).not.toContain(demo.access.credentials.secretKey);
});
