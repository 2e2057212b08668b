// Erasing, migrating and checking an archive in PostgreSQL.
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { type CallStore, migrateArchive, readSettings, type Reference } from "../src/index.ts";
import { createStore, openMaintenance } from "../src/open.ts";
import { readAll, toEntry } from "../src/suite/access-log.ts";
import { addRecording, call, fill, message, query, toUser } from "../src/suite/records.ts";
import { createOwedMarker } from "../src/values/owed-marks.ts";
import { createFolder } from "./support/archives.ts";
import { usePostgres } from "./support/postgres.ts";

const { createPlaces } = usePostgres();

async function openStoreAndOwner() {
  const places = await createPlaces();
  const sql = postgres(places.records, { max: 1, onnotice: () => {} });
  const store = await createStore(places);
  onTestFinished(async () => {
    await store[Symbol.asyncDispose]();
    await sql.end();
  });
  return { places, sql, store };
}

const toCalls = (store: CallStore) =>
  store.calls.search(query({})).then(({ records }) => records.map(({ call_id }) => call_id));

test("whole months go with their tables, and can be filled again", async () => {
  const { sql, store } = await openStoreAndOwner();
  const at = (call_id: string, datetime: string) =>
    call({ call_id, datetime, ref_id: `ref ${call_id}` }, { revisedMs: 1 });
  const old = [at("A", "2025-01-15T10:00:00Z"), at("B", "2025-02-15T10:00:00Z")];
  const partial = [at("C", "2025-03-01T10:00:00Z"), at("D", "2025-03-20T10:00:00Z")];
  await fill(store, [...old, ...partial]);
  const { maintenance } = store;
  expect(await maintenance.erase({ before: "2025-03-10" }, { operator: "olive" })).toMatchObject({
    calls: 3,
    isComplete: true,
  });
  const tables =
    await sql`SELECT relname FROM pg_class WHERE relname ~ '^(call|call_key|call_words|recording)_2025_..$' ORDER BY 1`;
  expect(tables.map((row) => row["relname"])).toEqual([
    "call_2025_03",
    "call_key_2025_03",
    "call_words_2025_03",
    "recording_2025_03",
  ]);
  expect(await toCalls(store)).toEqual(["D"]);
  expect(await store.calls.byCallId("A", "everything")).toEqual([]);
  expect(await store.calls.byReference("ref B", "everything")).toEqual([]);
  const left =
    await sql`SELECT (SELECT count(*) FROM call_name)::int AS names, (SELECT count(*) FROM call_revision)::int AS revisions`;
  expect(left).toMatchObject([{ names: 2, revisions: 1 }]);

  expect(await fill(store, old)).toEqual(["erased", "erased"]);
  expect(await fill(store, [at("E", "2025-01-20T10:00:00Z")])).toEqual(["imported"]);
  expect(await toCalls(store)).toEqual(["D", "E"]);
});

test("while an import is under way nothing is erased, and while a scan is read", async () => {
  const { store } = await openStoreAndOwner();
  const { maintenance } = store;
  const erase = () => maintenance.erase({ isUndated: true }, { operator: "olive" });
  const session = await store.openImport();
  await expect(erase()).rejects.toThrow("under way in this archive");
  await session[Symbol.asyncDispose]();
  const scan = await maintenance.scan();
  await expect(maintenance.planErasure({ isUndated: true })).rejects.toThrow("under way");
  await scan[Symbol.asyncDispose]();
  expect(await erase()).toMatchObject({ calls: 0 });
});

test("a scan is of one moment, whatever is imported while it is read", async () => {
  const { store } = await openStoreAndOwner();
  const rows = Array.from({ length: 1_200 }, (_, n) => call({ call_id: `${n}`, datetime: AT }));
  await fill(store, rows);
  await using scan = await store.maintenance.scan();
  const ids: unknown[] = [];
  for await (const { items } of scan.rows()) {
    const [first] = items;
    ids.push(first?.kind === "call" && first.record.call_id);
    if (ids.length === 1) await fill(store, [call({ call_id: "late", datetime: "2025-01-01" })]);
  }
  expect(ids).toEqual(rows.map(({ record }) => record.call_id));
});

const AT = "2025-05-01T10:00:00Z";

test("records that are not what was written are named by a scan and the check, and not among what is read", async () => {
  const { sql, store } = await openStoreAndOwner();
  const recordings = [await addRecording(store, { filename: "a.wav", content: "a" })];
  await fill(store, [
    { kind: "user", record: toUser(1) },
    ...["A", "B", "C"].map((call_id) => call({ call_id, datetime: AT, notes: "old" })),
    call({ call_id: "D", datetime: AT }, { recordings }),
    { kind: "chat", record: message("A", "Hello", AT) },
    { kind: "chat", record: message("nobody's", "Hello?", AT) },
  ]);
  const read = async () => {
    await using scan = await store.maintenance.scan();
    const found = { damaged: [] as string[], kinds: [] as string[] };
    for await (const { items, damaged = [] } of scan.rows()) {
      found.damaged.push(...damaged);
      found.kinds.push(...items.map(({ kind }) => kind));
    }
    return found;
  };
  const kinds = ["user", "call", "chat", "call", "call", "call", "chat"];
  expect(await read()).toEqual({ damaged: [], kinds });
  await sql`UPDATE call SET record = replace(record, 'old', 'odd') WHERE record LIKE '%"B"%'`;
  await sql`UPDATE call SET record = '[' WHERE record LIKE '%"C"%'`;
  await sql`UPDATE recording SET filename = '"b.wav"'`;
  await sql`UPDATE chat SET record = replace(record, 'Hello', 'Hallo')`;
  await sql`UPDATE "user" SET record = '{'`;

  expect(await read()).toEqual({
    damaged: [
      "user 1",
      "a chat message of call_id A",
      "call_id B",
      expect.stringMatching(/^the call \d+$/),
      "call_id D",
      "a chat message of no call",
    ],
    kinds: ["call"],
  });
  await using referenced = await store.maintenance.referencedMedia();
  expect(referenced.files).toBe(1);
  const findings = await store.maintenance.check();
  expect(findings.map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      "users are not what was imported: 1, user 1 for one",
      "calls are not what was imported: 3, call_id B for one",
      "chat messages are not what was imported: 2, call_id A for one",
    ]),
  );
});

test("contents are listed by their digests, with the first call that has them, and noted as verified", async () => {
  const { store } = await openStoreAndOwner();
  const [shared, own] = [
    await addRecording(store, { filename: "a.wav", content: "shared" }),
    await addRecording(store, { filename: "b.wav", content: "own" }),
  ];
  await fill(store, [
    call({ call_id: "A", datetime: AT }, { recordings: [shared] }),
    call({ call_id: "B", datetime: "2025-04-01T10:00:00Z" }, { recordings: [shared, own] }),
  ]);
  const { maintenance } = store;
  const list = async (days = {}) => {
    await using referenced = await maintenance.referencedMedia(days);
    const { files, bytes } = referenced;
    const all: Reference[] = [];
    for await (const one of referenced) all.push(one);
    const has = await Promise.all([shared, own].map(({ media }) => referenced.has(media.sha256)));
    return { files, bytes, has, calls: all.map((one) => [one.callId, one.recordings]), all };
  };
  const { all, ...listed } = await list();
  expect(listed).toEqual({
    files: 2,
    bytes: 9,
    has: [true, true],
    calls: [shared, own]
      .toSorted((a, b) => (a.media.sha256 < b.media.sha256 ? -1 : 1))
      .map((one) => (one === shared ? ["B", 2] : ["B", 1])),
  });
  expect(await list({ fromDay: "2025-05-01" })).toMatchObject({
    files: 1,
    bytes: 6,
    has: [true, false],
    calls: [["A", 1]],
  });
  await maintenance.noteVerified(all.map(({ media }) => ({ ...media, version: "of a test" })));
  expect((await list()).all.map(({ media }) => media.version)).toEqual(["of a test", "of a test"]);
});

test("a check finds what somebody changed, and nothing in an archive that is well", async () => {
  const { places, sql, store } = await openStoreAndOwner();
  await fill(store, [
    { kind: "user", record: toUser(1) },
    call({ call_id: "A", datetime: AT, notes: "as it was" }, { sessionId: "S" }),
    call(
      { notes: "nobody's" },
      { recordings: [await addRecording(store, { filename: "a.ulaw", content: "sound" })] },
    ),
    { kind: "chat", record: message("A", "Yes.", AT) },
  ]);
  await store.credentials.addBearer({ id: "k", kind: "key", hash: "h", userId: 1, createdMs: 1 });
  await store.accessLog.append(toEntry(), true);
  const check = async () => (await (await openMaintenance(places)).check()).map(({ what }) => what);
  expect(await check()).toEqual([]);

  await sql`UPDATE call SET record = replace(record, 'as it was', 'as it is')`;
  await sql`UPDATE "user" SET status = 0`;
  await sql`UPDATE bearer SET created_ms = 8000000000000`;
  await sql`ALTER TABLE access DISABLE TRIGGER access_kept`;
  await sql`UPDATE access SET entry = replace(entry, 'getMetadata', 'findMetadata')`;
  expect(await check()).toEqual([
    "the trigger access_kept of access is altered",
    "users are not what was imported: 1, user 1 for one",
    "calls are not what was imported: 1, call_id A for one",
    "rows are not what was written: 1, the API key k for one",
    expect.stringContaining("the clock of this machine is wrong, or was"),
    "the access log was changed: row 1 was altered",
    "API key k belongs to a user who is inactive: user 1",
  ]);
});

test("a check finds what somebody did to tables, indexes and triggers", async () => {
  const { places, sql, store } = await openStoreAndOwner();
  await fill(store, [call({ call_id: "A", datetime: AT }), { kind: "user", record: toUser(1) }]);
  const check = async () => (await (await openMaintenance(places)).check()).map(({ what }) => what);
  expect(await check()).toEqual([]);
  const month = "2025_05";
  const ways = [
    [
      `ALTER TABLE call_${month} DISABLE TRIGGER rows_are_removed`,
      `the trigger rows_are_removed of call_${month} is altered`,
    ],
    ["DROP TRIGGER rows_are_added ON bearer", "the trigger rows_are_added of bearer is missing"],
    ["DROP INDEX bearer_by_user", "the index bearer_by_user of bearer is missing"],
    [
      "CREATE RULE spy AS ON DELETE TO tombstone DO INSTEAD NOTHING",
      "the rule spy of tombstone is not of this program",
    ],
    [
      "CREATE TRIGGER spy BEFORE UPDATE ON bearer EXECUTE FUNCTION access_is_kept()",
      "the trigger spy of bearer is not of this program",
    ],
    [
      "CREATE OR REPLACE FUNCTION access_is_kept() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'",
      "the function access_is_kept is altered",
    ],
    ['ALTER TABLE "user" ENABLE ROW LEVEL SECURITY', "the table user is altered"],
    ["CREATE TABLE of_others (id int8)", undefined],
    ["CREATE INDEX of_others_too ON access (hash)", undefined],
  ] as const;
  for (const [statement] of ways) await sql.unsafe(statement);
  const said = ways.flatMap(([, what]) => what ?? []);
  expect((await check()).toSorted()).toEqual(said.toSorted());
});

test("what is owed by its mark alone is owed here as well, and goes when its call is there", async () => {
  const { store: to } = await openStoreAndOwner();
  const from = await createStore({ records: await createFolder() });
  onTestFinished(() => from[Symbol.asyncDispose]());
  await fill(from, [call({ call_id: "A", datetime: AT, ref_id: "r" })]);
  const { internals } = from.maintenance;
  const toMark = createOwedMarker(
    (await readSettings(from.maintenance)).get("tombstone_key") ?? "",
  );
  const owed = [toMark.callIds("B"), toMark.callIds("never")].map((mark) => [mark, "case 1"]);
  const value = JSON.stringify({ callIds: owed, references: [[toMark.references("r"), null]] });
  await internals.write([{ kind: "setting", name: "owed_marks", value }]);
  expect(await migrateArchive({ from: from.maintenance, to })).toMatchObject({ differences: [] });

  await fill(to, [call({ call_id: "B", datetime: AT }), call({ call_id: "C", datetime: AT })]);
  const filter = { isOwed: true } as const;
  expect(await to.maintenance.erase(filter, { operator: "olive" })).toMatchObject({ calls: 2 });
  const outcomes = [await fill(to, [call({ call_id: "B", datetime: AT, agent: "other" })])];
  outcomes.push(await fill(to, [call({ call_id: "never" })]));
  expect(outcomes).toEqual([["erased"], ["erased"]]);
  expect(await to.maintenance.planErasure(filter)).toMatchObject({ calls: 0 });
  expect((await readSettings(to.maintenance)).has("owed_marks")).toBe(false);
  const [row] = await readAll(to);
  expect(row).toMatchObject({ operation: "purge", asked: { owed: true, case: "case 1" } });
});

test("two archives do not share a place for recordings: a purge would take what is the other's", async () => {
  const [first, second] = [await createPlaces(), await createPlaces()];
  const shared = { ...second, media: first.media };
  await using store = await createStore(first);
  await using other = await createStore(shared);
  await store.media.put({ name: "A.wav", content: new Uint8Array(1_000) });
  const refused = "has the recordings of another archive";
  const put = other.media.put({ name: "B.wav", content: new Uint8Array(2_000) });
  await expect(put).rejects.toThrow(refused);
  const erased = (await openMaintenance(shared)).erase({ isUndated: true }, { operator: "olive" });
  await expect(erased).rejects.toThrow(refused);
});

test("a call and its recording are found until they are purged, and then who purged them", async () => {
  const { store } = await openStoreAndOwner();
  const { maintenance } = store;
  const toLeg = async (notes: string, content: string) =>
    call(
      { call_id: "A", datetime: "2025-05-01T10:00:00Z", notes },
      { identity: ["1"], recordings: [await addRecording(store, { filename: "a.wav", content })] },
    );
  const before = await toLeg("first", "first sound");
  await fill(store, [before]);
  await fill(store, [await toLeg("second", "another sound")]);
  await fill(store, [{ kind: "chat", record: message("A", "Yes.", "2025-05-01T10:00:00Z") }]);
  const moment = Date.parse("2025-05-01T10:00:00Z");
  expect(await maintenance.trace?.({ callId: "A" })).toMatchObject({
    here: { records: 1, states: 1, messages: 1, files: 2, bytes: 24 },
    erased: undefined,
    span: { fromMs: moment, toMs: moment },
  });
  const sha256 = before.recordings[0]?.media.sha256 ?? "";
  expect(await maintenance.trace?.({ sha256 })).toMatchObject({
    here: { records: 0, states: 1, messages: 0, files: 1, bytes: 11 },
  });

  await maintenance.erase({ callId: "A" }, { operator: "olive", case: "GDPR-1" });
  const nothing = { records: 0, states: 0, messages: 0, files: 0, bytes: 0 };
  expect(await maintenance.trace?.({ callId: "A" })).toMatchObject({
    here: nothing,
    erased: { operator: "olive", asked: { call_id: "A", case: "GDPR-1" } },
    span: undefined,
  });
  expect(await maintenance.trace?.({ sha256 })).toMatchObject({ here: nothing });
  await expect(maintenance.trace?.({ text: "first" })).rejects.toThrow("no text is traced");
});
