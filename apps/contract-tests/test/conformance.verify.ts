// The service under its own conformance kit: whatever the archive holds and whoever asks, nothing is found, and in few requests.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fieldsOf, type OperationId } from "@call-media/api";
import { checkService, listRequirements } from "@call-media/conformance";
import { importFiles } from "@call-media/import";
import { createApplication } from "@call-media/server";
import { createStore } from "@call-media/store/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeJsonl } from "../src/corpus/source.ts";
import { startService } from "../src/demo-service.ts";
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

  test.each<OperationId>(["createToken", "searchMetadata", "listUsers", "getChatByCallId"])(
    "%s alone: nothing is left out that is of it, and nothing told that is not",
    async (operation) => {
      const report = await checkService(demo.target, { against: "decisions", only: [operation] });
      expect(toText(report)).toMatchObject({ verdict: "kept", faults: [], skipped: [] });
      const ofOthers = listRequirements("decisions").filter(
        ({ operations }) => !operations.includes(operation),
      );
      const told = new Set(report.kept.map(({ requirement }) => requirement));
      expect(ofOthers.map(({ id }) => id).filter((id) => told.has(id))).toEqual([]);
    },
  );

  test("an API key is enough", async () => {
    const { baseUrl, apiKey = "" } = demo.target;
    const report = await checkService({ baseUrl, apiKey }, { against: "decisions" });
    expect(toText(report)).toMatchObject({ verdict: "kept", faults: [] });
  });

  test("the restricted user finds nothing wrong either", async () => {
    const { baseUrl } = demo.target;
    const { restricted: credentials } = demo.access;
    const report = await checkService({ baseUrl, credentials }, { against: "decisions" });
    expect(toText(report)).toMatchObject({ verdict: "kept", faults: [] });
  });
});

const RIGHTS = fieldsOf("UserSecurityRecord").filter((field) => /^allow_|^is_admin$/.test(field));
const USER = {
  kind: "user",
  id: 1,
  username: "listener",
  status: 1,
  created_date: "2026-01-01T00:00:00Z",
  ...Object.fromEntries(RIGHTS.map((right) => [right, true])),
};
const CALL = {
  kind: "call",
  call_id: "one call/ñ",
  ref_id: "R-1",
  datetime: "2026-03-02T06:14:00+02:00",
  agent: "sam",
  campaign: "Billing",
};

// Midnight in Berlin is at 23:00 and, in summer, at 22:00 in UTC.
const AROUND_MIDNIGHT = ["01-15T22:30", "01-15T23:30", "07-15T21:30", "07-15T22:30"].map(
  (time, index) => ({ ...CALL, call_id: `night-${index}`, datetime: `2026-${time}:00Z` }),
);

describe.each([
  { archive: "an empty archive", rows: [USER], timeZone: "UTC" },
  { archive: "an archive with a single call", rows: [USER, CALL], timeZone: "UTC" },
  {
    archive: "an archive whose days move with summer time",
    rows: [USER, ...AROUND_MIDNIGHT],
    timeZone: "Europe/Berlin",
  },
])("$archive", ({ rows, timeZone }) => {
  test.each(YARDSTICKS)("keeps everything against the %s", { repeats }, async (against) => {
    await using stack = new AsyncDisposableStack();
    const directory = await mkdtemp(join(tmpdir(), "call-media-conformance-"));
    stack.defer(() => rm(directory, { recursive: true }));
    const store = stack.use(await createStore({ directory: join(directory, "archive"), timeZone }));
    await importFiles({
      store,
      format: "jsonl",
      paths: [await writeJsonl(directory, "rows", rows)],
    });
    const { baseUrl } = stack.use(await startService(store));
    const report = await checkService(
      { baseUrl, credentials: await createApplication(store, USER.id) },
      { against, isEmptyOk: true },
    );
    expect(toText(report)).toMatchObject({ verdict: "kept", reason: undefined, faults: [] });
    expect(report.requests).toBeLessThan(MAX_REQUESTS);
  });
});
