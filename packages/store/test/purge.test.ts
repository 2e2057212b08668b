// Purging: what goes, what stays, and that nothing of what went can be found in the archive's files.
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { toMatchKey } from "../src/values/index.ts";
import { planPurge, purge } from "../src/keeping/index.ts";
import { createTerms } from "../src/sqlite/search-terms.ts";
import { createArchive, createFolder } from "./support/archives.ts";
import {
  addRecording,
  contains,
  expectWell,
  listIds,
  purgeFrom,
  SECRET,
} from "./support/purging.ts";
import { call, fill, message, query } from "./support/records.ts";
import { readAll } from "./suite/access-log.ts";

const NUMBER = "+4420794600123";

test("calls before a day of the archive's time zone go with their chats; the others stay whole", async () => {
  const { directory, ...store } = await createArchive("America/New_York");
  const shared = await addRecording(store, "shared");
  await fill(store, [
    call({ call_id: "old", datetime: "2025-04-30T23:59:59" }, { recordings: [shared] }),
    call({ call_id: "new", datetime: "2025-05-01T00:00:00" }, { recordings: [shared] }),
    call({ call_id: "utc", datetime: "2025-05-01T03:59:59Z" }), // 30 April in New York
    call({ call_id: "undated" }),
    call({ call_id: "legs", datetime: "2025-04-01T10:00:00", agent: "ann" }),
    call({ call_id: "legs", datetime: "2025-06-01T10:00:00", agent: "bob" }),
    { kind: "chat", record: message("old", "late", "2025-07-01T10:00:00Z") },
    { kind: "chat", record: message("legs", "early", "2025-04-01T10:00:00Z") },
    { kind: "chat", record: message("nobody's", "early", "2025-04-01T10:00:00Z") },
    { kind: "chat", record: message("nobody's", "late", "2025-06-01T10:00:00Z") },
  ]);

  const report = await purgeFrom(directory, { before: "2025-05-01" });

  expect(report).toEqual({
    calls: 3,
    chats: 2,
    files: 0,
    fileBytes: 0,
    unlinked: [],
    ofNoRecord: [],
    isScrubbed: true,
  });
  expect(await listIds(store)).toEqual(["legs", "new"]);
  const texts = async (id: string) =>
    (await store.calls.chat(id, [])).map(({ transcript }) => transcript);
  expect(await texts("old")).toEqual([]);
  expect(await texts("legs")).toEqual(["early"]);
  expect(await texts("nobody's")).toEqual(["late"]);
  expect(await store.calls.byCallId("undated", [])).toHaveLength(1);
  expect(await store.calls.recordings({ callId: "new" }, [])).toHaveLength(1);
  await expectWell(directory);
});

test("nothing of an erased call is left in any file: record, earlier record, chat, search terms, rights, recording", async () => {
  const { directory, ...store } = await createArchive();
  const recordings = [await addRecording(store, "erased")];
  const erased = { call_id: "A", datetime: "2025-05-01T10:00:00Z", phone_number1: NUMBER };
  await fill(store, [
    call({ ...erased, notes: `${SECRET} before` }, { recordings }),
    ...Array.from({ length: 300 }, (_, index) =>
      call({ call_id: `${index}`, datetime: "2025-05-02T10:00:00Z", notes: "x".repeat(200) }),
    ),
  ]);
  // The first record and its recording are replaced: they are in free pages and in a file that no record names.
  const others = [await addRecording(store, "instead")];
  const replaced = { ...erased, notes: SECRET, security_field_01: "of A alone" };
  await fill(store, [
    call(replaced, { recordings: others }),
    { kind: "chat", record: message("A", `${SECRET}, again`, "2025-05-01T10:00:01Z") },
  ]);
  await writeFile(join(directory, "media", ".cut.part"), "sound of nobody");
  using database = new DatabaseSync(join(directory, "archive.db"));
  const term = createTerms(database)("phone_number1", toMatchKey("phone_number1", NUMBER));
  database.close();
  const traces = [
    NUMBER,
    SECRET,
    "sound of",
    Buffer.from(Float64Array.of(term).buffer), // as the index has it
  ];
  for (const trace of traces) expect(await contains(directory, trace)).not.toEqual([]);

  const filter = { callId: "A" };
  const planned = await planPurge({ directory, filter });
  // The recording that was replaced, and what an import has left.
  const ofNoRecord = [
    expect.stringMatching(/^media\/[0-9a-f]{2}\/[0-9a-f]{64}$/),
    "media/.cut.part",
  ];
  const counts = { calls: 1, chats: 1, files: 3, fileBytes: 15 + 16 + 15 };
  expect(planned).toEqual({ ...counts, unlinked: [], ofNoRecord });
  expect(await purgeFrom(directory, filter)).toEqual({ ...planned, isScrubbed: true });

  for (const trace of traces) expect(await contains(directory, trace)).toEqual([]);
  expect((await store.calls.search(query({}))).recordCount).toBe(300);
  await expectWell(directory);
});

test("what a reference finds goes with its chats, dated or not, and the log names the calls", async () => {
  const { directory, ...store } = await createArchive();
  await fill(store, [
    call({ ref_id: "R", notes: SECRET }), // nothing else tells it apart
    call({ call_id: "A", ref_id: "R" }),
    call({ call_id: "B" }, { masterId: "R" }),
    call({ call_id: "B", datetime: "2025-05-01T10:00:00Z" }),
    call({ call_id: "C", ref_id: "another" }, { sessionId: "R" }),
    call({ call_id: "R", datetime: "2025-05-01T10:00:00Z" }),
    ...["A", "B", "R"].map((id) => ({
      kind: "chat" as const,
      record: message(id, `of ${id}`, "2025-05-01T10:00:00Z"),
    })),
  ]);

  expect(await purgeFrom(directory, { reference: "R" })).toMatchObject({ calls: 4, chats: 1 });

  expect(await listIds(store)).toEqual(["B", "R"]);
  expect(await store.calls.byReference("R", [])).toEqual([]);
  expect(await contains(directory, SECRET)).toEqual([]);
  const left = await Promise.all(["A", "B", "R"].map((id) => store.calls.chat(id, [])));
  expect(left.map((messages) => messages.length)).toEqual([0, 1, 1]);
  const [row] = await readAll(store);
  expect([row?.asked, row?.callIds.toSorted()]).toEqual([{ ref_id: "R" }, ["A", "B", "C"]]);
  await expectWell(directory);
});

test("calls without a datetime go with their chats and recordings, with an identifier or none, and no others", async () => {
  const { directory, ...store } = await createArchive();
  await fill(store, [
    call({ agent: "ann", notes: SECRET }, { recordings: [await addRecording(store, "nameless")] }),
    call({ call_id: "undated" }),
    call({ call_id: "dated", datetime: "1969-01-01T00:00:00Z" }),
    { kind: "chat", record: message("undated", "early", "2025-04-01T10:00:00Z") },
    { kind: "chat", record: message("nobody's", "early", "2025-04-01T10:00:00Z") },
  ]);
  const erased = { calls: 2, chats: 1, files: 1 };

  expect(await purgeFrom(directory, { isUndated: true })).toMatchObject(erased);
  expect(await contains(directory, SECRET)).toEqual([]);
  expect(await store.calls.byCallId("undated", [])).toEqual([]);
  expect(await store.calls.byCallId("dated", [])).toHaveLength(1);
  expect(await store.calls.chat("undated", [])).toEqual([]);
  expect(await store.calls.chat("nobody's", [])).toHaveLength(1);
  const [told] = await readAll(store);
  expect(told).toMatchObject({ asked: { undated: true }, callIds: [], erased });
  expect(await planPurge({ directory, filter: { isUndated: true } })).toMatchObject({ calls: 0 });
  await expectWell(directory);
});

test("of an identifier that nothing has, it says when a purge took out what had it", async () => {
  const { directory, ...store } = await createArchive();
  await fill(store, [call({ call_id: "A", ref_id: "A" })]);
  await writeFile(join(directory, "media", ".cut.part"), "of nobody");
  const filter = { callId: "A" };

  // Of this one the log tells a file, but no call.
  expect((await purgeFrom(directory, { reference: "B" })).takenMs).toBeUndefined();
  expect((await purgeFrom(directory, { reference: "B" })).takenMs).toBeUndefined();
  expect((await purgeFrom(directory, filter)).takenMs).toBeUndefined();
  const [, row] = await readAll(store);
  expect((await purgeFrom(directory, filter)).takenMs).toBe(row?.timeMs);
  expect((await planPurge({ directory, filter })).takenMs).toBe(row?.timeMs);
  expect((await purgeFrom(directory, { reference: "A" })).takenMs).toBeUndefined();
  expect((await purgeFrom(directory, { before: "2026-01-01" })).takenMs).toBeUndefined();
});

test("the access log says who took out what, before it goes, and nothing of its content", async () => {
  const { directory, ...store } = await createArchive();
  await fill(store, [call({ call_id: "A", datetime: "2025-05-01T10:00:00Z", notes: SECRET })]);

  await purgeFrom(directory, { callId: "A" });
  await purgeFrom(directory, { callId: "A" });

  const rows = await readAll(store, { callId: "A" });
  expect(rows).toEqual([
    {
      seq: 1,
      hash: expect.any(String),
      timeMs: expect.any(Number),
      operation: "purge",
      operator: "olive",
      asked: { call_id: "A" },
      callIds: ["A"],
      erased: { calls: 1, chats: 0, files: 0, fileBytes: 0 },
    },
  ]);
  expect(await store.accessLog.verify()).toMatchObject({ rows: 1, fault: undefined });
  await purgeFrom(directory, { before: "2025-05-01" });
  expect(await readAll(store)).toHaveLength(1); // nothing was taken
});

test("a purge that was cut off between chats and calls leaves no chat behind", async () => {
  const { directory, ...store } = await createArchive();
  await fill(store, [
    call({ call_id: "old", datetime: "2025-04-30T10:00:00" }),
    { kind: "chat", record: message("old", "long afterwards", "2025-07-01T10:00:00Z") },
  ]);
  const options = { directory, filter: { before: "2025-05-01" }, operator: "olive" };
  const onProgress = () => {
    throw new Error("cut off");
  };
  await expect(purge({ ...options, onProgress })).rejects.toThrow("cut off");
  expect(await purge(options)).toMatchObject({ calls: 1, chats: 0 });
  expect(await store.calls.chat("old", [])).toEqual([]);
  await expectWell(directory);
});

test.each([
  [{ before: "2025-06-31" }, 'before: "2025-06-31" is not a calendar day'],
  [{ before: "20250601" }, "of the form YYYY-MM-DD"],
  [{ before: "yesterday" }, 'before: "yesterday"'],
])("%j is refused and takes nothing", async (filter, fault) => {
  const { directory, ...store } = await createArchive();
  await fill(store, [call({ call_id: "A", datetime: "2020-05-01T10:00:00Z" })]);
  await expect(purgeFrom(directory, filter)).rejects.toThrow(fault);
  expect(await listIds(store)).toEqual(["A"]);
});

test("a folder without an archive is refused, and nothing is made there", async () => {
  const directory = await createFolder();
  await expect(purgeFrom(directory, { callId: "A" })).rejects.toThrow("there is no archive");
  expect(await readdir(directory)).toEqual([]);
});
