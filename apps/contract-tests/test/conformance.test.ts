// The service under its own conformance kit: whatever the archive holds, nothing is found, and in few requests.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  checkService,
  listRequirements,
  type Report,
  type Target,
  type Yardstick,
} from "@call-media/conformance";
import { createApplication, createListener, listen } from "@call-media/server";
import type { CallStore } from "@call-media/store";
import { importFiles } from "@call-media/import";
import { createStore, openStore } from "@call-media/store/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fieldsOf, type OperationId, routes } from "@call-media/api";
import { writeJsonl } from "../src/corpus/source.ts";
import { type DemoArchive, makeDemoArchive, startService } from "../src/demo-service.ts";
import { repeats } from "../src/runs.ts";

const YARDSTICKS: readonly Yardstick[] = ["interface", "decisions"];
const MAX_REQUESTS = 900;

/** What a person reads of a report when a test fails. */
function toText({ verdict, reason, findings, skipped }: Report) {
  const faults = findings.map(
    ({ requirement, fault, curl }) => `${requirement}: ${fault}\n${curl}`,
  );
  return { verdict, reason, faults, skipped: skipped.map(({ requirement }) => requirement) };
}

describe("the demo archive", () => {
  const stack = new AsyncDisposableStack();
  let demo: DemoArchive;
  let store: CallStore;
  let target: Target;
  beforeAll(async () => {
    demo = stack.use(await makeDemoArchive());
    store = stack.use(await openStore({ directory: demo.directory }));
    const { baseUrl } = stack.use(await startService(store));
    const { credentials, restricted, apiKey } = demo.access;
    const expiredToken = await signInYesterday(store, credentials);
    target = { baseUrl, credentials, restricted, apiKey, expiredToken };
  });
  afterAll(() => stack.disposeAsync());

  test.each(YARDSTICKS)(
    "keeps everything against the %s, and nothing is left out",
    { repeats },
    async (against) => {
      const report = await checkService(target, { against });
      expect(toText(report)).toEqual({
        verdict: "kept",
        reason: undefined,
        faults: [],
        skipped: [],
      });
      expect(report.requests).toBeLessThan(MAX_REQUESTS);
      expect(report.coverage.operations).toMatchObject({
        seen: routes.length,
        of: routes.length,
      });
      expect(report.observations.filter(({ agrees }) => !agrees)).toEqual([]);
    },
  );

  test.each<OperationId>(["createToken", "searchMetadata", "listUsers", "getChatByCallId"])(
    "%s alone: nothing is left out that is of it, and nothing told that is not",
    async (operation) => {
      const report = await checkService(target, { against: "decisions", only: [operation] });
      expect(toText(report)).toMatchObject({ verdict: "kept", faults: [], skipped: [] });
      const ofOthers = listRequirements("decisions").filter(
        ({ operations }) => !operations.includes(operation),
      );
      const told = new Set(report.kept);
      expect(ofOthers.map(({ id }) => id).filter((id) => told.has(id))).toEqual([]);
    },
  );

  test("an API key alone is enough", async () => {
    const { baseUrl, apiKey = "" } = target;
    const report = await checkService({ baseUrl, apiKey }, { against: "decisions" });
    expect(toText(report)).toMatchObject({ verdict: "kept", faults: [] });
  });

  test("the restricted user finds nothing wrong either", async () => {
    const { baseUrl } = target;
    const { restricted: credentials } = demo.access;
    const report = await checkService({ baseUrl, credentials }, { against: "decisions" });
    expect(toText(report)).toMatchObject({ verdict: "kept", faults: [] });
  });

  test("wrong credentials make no verdict", async () => {
    const { baseUrl } = target;
    const credentials = { ...demo.access.credentials, secretKey: "a-wrong-secret-key" };
    const report = await checkService({ baseUrl, credentials });
    expect(report).toMatchObject({ verdict: "unable", reason: "signing in was answered 401" });
  });
});

async function signInYesterday(store: CallStore, credentials: object): Promise<string> {
  const listener = createListener({ store, now: () => Date.now() - 86_400_000 });
  const { baseUrl, close } = await listen(listener, { host: "127.0.0.1", port: 0 });
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify(credentials);
  const response = await fetch(`${baseUrl}/Token`, { method: "POST", headers, body });
  const { access_token: token } = (await response.json()) as { access_token: string }; // the contract's form
  await close();
  return token;
}

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
      { against },
    );
    expect(toText(report)).toMatchObject({ verdict: "kept", reason: undefined, faults: [] });
    expect(report.requests).toBeLessThan(MAX_REQUESTS);
  });
});
