// A hold that is added while a purge runs keeps all that has not gone yet, and says how much that is.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import type { CallStore, ErasureFilter, ListedHold, NewHold } from "../src/index.ts";
import { createStore, openMaintenance, type Places } from "../src/open.ts";
import { call, fill, message } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";
import { usePostgres } from "./support/postgres.ts";
import { addRecording, expectWell } from "./support/purging.ts";

const { createPlaces } = usePostgres();

const AT = "2025-05-01T10:00:00Z";
const CALLS = 2_500;
const FILTER = { before: "2025-06-01" };
const HOLD = { name: "ann", reason: "case", holds: { where: { agent: ["Ann"] } } };
const BY = { operation: "hold add", operator: "olive" } as const;

const toCalls = (extras: Parameters<typeof call>[1]) =>
  Array.from({ length: CALLS }, (_, index) =>
    call({ call_id: `c${index}`, datetime: AT, agent: "ann" }, extras),
  );

const OPEN = JSON.stringify(pathToFileURL(join(import.meta.dirname, "../src/open.ts")).href);

/** In a program of its own: this one is at work in the same file. */
function addBeside(places: Places, holds: NewHold["holds"]): ListedHold {
  const code = `
    import { openMaintenance } from ${OPEN};
    const { holds } = await openMaintenance(${JSON.stringify(places)});
    console.log(JSON.stringify(await holds.add(${JSON.stringify({ ...HOLD, holds })}, ${JSON.stringify(BY)})));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
  });
  expect(stderr).not.toContain("Error");
  return JSON.parse(stdout);
}

/** The hold is added when the first calls have gone. */
async function eraseBeside(
  store: CallStore,
  places: Places,
  {
    filter = FILTER,
    holds = HOLD.holds,
  }: { filter?: ErasureFilter; holds?: NewHold["holds"] } = {},
) {
  let added: ListedHold | undefined;
  const onProgress = () => {
    added ??= addBeside(places, holds);
  };
  const report = await store.maintenance.erase(filter, { operator: "olive", onProgress });
  return { added, report };
}

test("in a folder", async () => {
  const directory = await createFolder();
  await using store = await createStore({ records: directory });
  const recordings = [await addRecording(store, "shared")];
  await fill(store, toCalls({ recordings }));
  const { added, report } = await eraseBeside(store, { records: directory });

  expect(added).toMatchObject({ calls: 500 });
  const held = { calls: 500, holds: ["ann"], isOwed: false };
  expect(report).toMatchObject({ calls: 2_000, files: 0, held });
  expect(await store.calls.recordings({ callId: "c0" }, "everything")).toHaveLength(1);
  expect(await store.maintenance.holds.list()).toMatchObject([{ calls: 500 }]);
  await store.maintenance.holds.release("ann");
  expect(await store.maintenance.erase(FILTER, { operator: "olive" })).toMatchObject({
    calls: 500,
    files: 1,
  });
  await expectWell(directory);
});

test("in a folder, calls with their chat", async () => {
  const directory = await createFolder();
  await using store = await createStore({ records: directory });
  const calls = toCalls({}).slice(0, 1_500);
  const talked = calls.flatMap(({ record }) => {
    const callId = record.call_id ?? "";
    return ["hello", "goodbye"].map((text) => message(callId, text, AT));
  });
  await fill(store, [...calls, ...talked.map((record) => ({ kind: "chat" as const, record }))]);
  const { added, report } = await eraseBeside(store, { records: directory });

  // A batch ends with the call that has its 2,000th row.
  expect(added).toMatchObject({ calls: 833 });
  const held = { calls: 833, holds: ["ann"], isOwed: false };
  expect(report).toMatchObject({ calls: 667, chats: 1_334, held });
  expect(await store.maintenance.planErasure(FILTER)).toMatchObject({ calls: 0, held });
  await store.maintenance.holds.release("ann");
  expect(await store.maintenance.erase(FILTER, { operator: "olive" })).toMatchObject({
    calls: 833,
    chats: 1_666,
  });
  await expectWell(directory);
});

test("in PostgreSQL", async () => {
  const places = await createPlaces();
  await using store = await createStore(places);
  await fill(store, toCalls({}));
  const beside = await openMaintenance(places);
  const sql = postgres(places.records, { max: 2, onnotice: () => {} });
  onTestFinished(() => sql.end());

  // It waits for the access log when it has planned what goes.
  const { erasing, added } = await sql.begin(async (locked) => {
    await locked`SELECT FROM access_head FOR UPDATE`;
    const running = store.maintenance.erase(FILTER, { operator: "olive" });
    for (;;) {
      const [waiting] = await sql`SELECT FROM pg_locks WHERE NOT granted`;
      if (waiting !== undefined) break;
    }
    return { erasing: [running], added: await beside.holds.add(HOLD, BY) };
  });

  expect(added).toMatchObject({ calls: CALLS });
  const held = { calls: CALLS, holds: ["ann"], isOwed: false };
  expect(await erasing[0]).toMatchObject({ calls: 0, held });
  expect(await store.maintenance.holds.list()).toMatchObject([{ calls: CALLS }]);
  await store.maintenance.holds.release("ann");
  expect((await store.maintenance.planErasure(FILTER)).calls).toBe(CALLS);
});

test.each([
  ["batches", ["2025-05-01T10:00:00Z", "2025-05-20T10:00:00Z"], "2025-05-28"],
  ["months", ["2025-04-30T23:59:00Z", "2025-05-01T00:01:00Z"], "2025-06-01"],
])("in PostgreSQL, calls whose records are of two %s", async (_what, datetimes, before) => {
  const places = await createPlaces();
  await using store = await createStore(places);
  const legs = datetimes.flatMap((datetime, leg) =>
    Array.from({ length: 600 }, (_, index) =>
      call({ call_id: `c${index}`, datetime, agent: "ann" }, { identity: [String(leg)] }),
    ),
  );
  await fill(store, legs);
  const { added, report } = await eraseBeside(store, places, { filter: { before } });

  expect(report).toMatchObject({ calls: 1_000, held: { calls: 100, holds: ["ann"] } });
  expect(added).toMatchObject({ calls: 100 });
  const found = new Set<number>();
  for (let index = 0; index < 600; index++)
    found.add((await store.calls.byCallId(`c${index}`, "everything")).length);
  expect(found).toEqual(new Set([0, 2]));
});

test("in PostgreSQL, and of a call without a record all messages go or none", async () => {
  const places = await createPlaces();
  await using store = await createStore(places);
  const sql = postgres(places.records, { max: 1 });
  onTestFinished(() => sql.end());
  const lone = Array.from({ length: 3_600 }, (_, index) => ({
    kind: "chat" as const,
    record: message(`c${Math.floor(index / 900)}`, `ann ${index}`, AT),
  }));
  await fill(store, lone);
  const { added } = await eraseBeside(store, places, { holds: { words: "ann" } });
  const left = await sql`SELECT count(*)::int AS messages FROM chat GROUP BY call_name`;
  expect(left.map(({ messages }) => messages)).toEqual([900]);
  expect(added).toMatchObject({ calls: 1 });
});
