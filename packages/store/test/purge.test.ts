// Purging: what goes, what stays, and that nothing of what went can be found in the archive's files.
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseQuery } from "@call-media/words";
import { expect, test } from "vitest";
import { Connection } from "../src/sqlite/files/connection.ts";
import { toMatchKey } from "../src/values/index.ts";
import { planPurge } from "./support/maintenance.ts";
import { createTerms, toNumberTerm as toTerm } from "../src/values/terms.ts";
import { toNumberTerm } from "../src/sqlite/segment-index/number-terms.ts";
import { readSetting } from "../src/sqlite/settings.ts";
import { createArchive, createFolder } from "./support/archives.ts";
import {
  addRecording,
  contains,
  expectWell,
  listIds,
  purgeFrom,
  SECRET,
} from "./support/purging.ts";
import { call, fill, message, query } from "../src/suite/records.ts";
import { readAll } from "../src/suite/access-log.ts";

const NUMBER = "+4420794600123";

test("nothing of an erased call is left in any file: record, earlier record, chat, search terms, rights, recording", async () => {
  const { directory, ...store } = await createArchive();
  const recordings = [await addRecording(store, "erased")];
  const erased = {
    call_id: "A",
    datetime: "2025-05-01T10:00:00Z",
    phone_number1: NUMBER,
    customer_last_name: "Żwickenpflugová",
  };
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
  using database = new Connection(join(directory, "archive.db"));
  const term = createTerms(readSetting(database, "index_seed"), toTerm)(
    "phone_number1",
    toMatchKey("phone_number1", NUMBER),
  );
  database.close();
  const traces = [
    NUMBER,
    SECRET,
    "sound of",
    "zwickenpflugova", // the dictionary
    Buffer.from(Float64Array.of(toNumberTerm(NUMBER.slice(1))).buffer),
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
  const report = { ...planned, retained: [], isComplete: true };
  expect(await purgeFrom(directory, filter)).toEqual(report);

  for (const trace of traces) expect(await contains(directory, trace)).toEqual([]);
  expect((await store.calls.search(query({}))).recordCount).toBe(300);
  const words = parseQuery("xxx*");
  expect((await store.calls.search(query({ words }))).recordCount).toBe(300);
  await expectWell(directory);
});

test("of an identifier that nothing has, it says when a purge took out what had it", async () => {
  const { directory, ...store } = await createArchive();
  await fill(store, [call({ call_id: "A", ref_id: "A" })]);
  await writeFile(join(directory, "media", ".cut.part"), "of nobody");
  const filter = { callId: "A" };

  // Of this one the log tells a file, but no call.
  expect((await purgeFrom(directory, { reference: "B" })).taken?.timeMs).toBeUndefined();
  expect((await purgeFrom(directory, { reference: "B" })).taken?.timeMs).toBeUndefined();
  expect((await purgeFrom(directory, filter)).taken?.timeMs).toBeUndefined();
  const [, row] = await readAll(store);
  expect((await purgeFrom(directory, filter)).taken?.timeMs).toBe(row?.timeMs);
  expect((await planPurge({ directory, filter })).taken?.timeMs).toBe(row?.timeMs);
  expect((await purgeFrom(directory, { reference: "A" })).taken?.asked).toEqual({ call_id: "A" });
  expect((await purgeFrom(directory, { before: "2026-01-01" })).taken?.timeMs).toBeUndefined();
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
      found: { calls: 1, chats: 0, files: 0, fileBytes: 0 },
    },
  ]);
  expect(await store.accessLog.verify()).toMatchObject({ rows: 1, fault: undefined });
  await purgeFrom(directory, { before: "2025-05-01" });
  expect(await readAll(store)).toHaveLength(1); // nothing was taken
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

test("a later purge does not rewrite the database, and leaves nothing of the call or of what it was before either", async () => {
  const { directory, ...store } = await createArchive();
  const others = Array.from({ length: 300 }, (_, index) =>
    call({
      call_id: `${index}`,
      datetime: "2025-05-02T10:00:00Z",
      notes: `Gemeinschaftsküche ${"x".repeat(200)}`,
    }),
  );
  const erased = { call_id: "A", datetime: "2025-05-01T10:00:00Z" };
  await fill(store, [...others, call({ call_id: "first" })]);
  await purgeFrom(directory, { callId: "first" });
  await fill(store, [call({ ...erased, notes: `${SECRET} Gespensterschreiber` })]);
  await fill(store, [call({ ...erased, notes: "Wiedervorlagemappe Gemeinschaftsküche" })]);
  await fill(store, [
    { kind: "chat", record: message("A", "Nachtigallenstimme", "2025-05-01T10:00:01Z") },
  ]);
  using database = new Connection(join(directory, "archive.db"));
  const countFree = () =>
    Number(database.prepare("PRAGMA freelist_count").get()?.["freelist_count"]);
  const listWords = () =>
    database
      .prepare("SELECT word FROM word ORDER BY word")
      .all()
      .map(({ word }) => word);
  // What no record says any more is gone with the record that said it.
  expect(listWords()).toEqual([
    "gemeinschaftskuche",
    "nachtigallenstimme",
    "wiedervorlagemappe",
    "x".repeat(64),
  ]);
  expect(await contains(directory, "achtigallenstimme")).not.toEqual([]);
  database.exec("CREATE TABLE filler (bytes BLOB) STRICT");
  database.exec("INSERT INTO filler VALUES (randomblob(60000)); DROP TABLE filler");
  const free = countFree();
  expect(free).toBeGreaterThan(0);

  expect(await purgeFrom(directory, { callId: "A" })).toMatchObject({ calls: 1, isComplete: true });

  expect(countFree()).toBeGreaterThanOrEqual(free);
  expect(listWords()).toEqual(["gemeinschaftskuche", "x".repeat(64)]);
  database.close();
  for (const trace of [SECRET, "espensterschreiber", "iedervorlagemappe", "achtigallenstimme"])
    expect(await contains(directory, trace)).toEqual([]);
  const words = parseQuery("gemeinschafts*");
  expect((await store.calls.search(query({ words }))).recordCount).toBe(300);
  await expectWell(directory);
});
