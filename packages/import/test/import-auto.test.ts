// Without a format each file is what its beginning shows; where nothing shows it nothing is written.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ImportError, importFiles, type Recognised } from "../src/index.ts";
import { createArchive, createFolder, writeLines } from "./support/archives.ts";
import { query } from "./support/records.ts";

const UUID = "018f3c1e-0000-8000-8000-000000000001";
const CALL = { kind: "call", call_id: "a" };
const CONTACT = { contactId: "b", masterContactId: "b", contactStart: "2026-01-01T00:00:00Z" };

test("every file of a folder is read as what it is, and said to be", async () => {
  const store = createArchive();
  const folder = dirname(await writeLines("calls.jsonl", [CALL]));
  await writeFile(join(folder, "contacts.json"), JSON.stringify({ completedContacts: [CONTACT] }));
  await writeFile(
    join(folder, "one.vcon"),
    JSON.stringify({ vcon: "0.0.1", uuid: UUID }, undefined, 2),
  );
  const recognised: Recognised[] = [];

  const report = await importFiles({
    store,
    paths: [folder],
    onRecognised: (files) => recognised.push(...files),
  });
  expect(report).toMatchObject({ read: 3, imported: 3 });
  expect(recognised.map(({ file, format, because }) => [file, format, because])).toEqual([
    [join(folder, "calls.jsonl"), "jsonl", "its first line is an object of kind call"],
    [
      join(folder, "contacts.json"),
      "nice-contacts",
      "its records have contactId, masterContactId, contactStart",
    ],
    [join(folder, "one.vcon"), "vcon", "it has vcon"],
  ]);
});

test.each<[string, string]>([
  ["", "is empty: nothing shows its format"],
  ["\n \n", "is empty: nothing shows its format"],
  [
    "caller,callee\n1,2\n",
    'begins with "caller,callee", which shows no known format: name its format',
  ],
  [
    "\u001b[2Jcaller,callee\n",
    'begins with "\\u001b[2Jcaller,callee", which shows no known format',
  ],
  ["\u009b2J\u202ecaller\n", 'begins with "\\u009b2J\\u202ecaller", which shows no known format'],
  ["\ufffd\ufffdcaller\n", "is not text in UTF-8: save it as such, or name its format"],
  ["c\0a\0l\0l\0", "is not text, or it is UTF-16 without a byte order mark"],
  ["[1,2]", "is JSON, but its first record is that of no known format"],
  ["{}", "is JSON, but its first record is that of no known format"],
  ['{"kind":"calls"}', "is JSON, but its first record is that of no known format"],
  [JSON.stringify({ vcon: "0.0.1", ...CONTACT }), "may be vcon (it has vcon), nice-contacts ("],
])("%j is of no format, and nothing is written", async (text, fault) => {
  const store = createArchive();
  const good = await writeLines("good.jsonl", [CALL]);
  const attempt = importFiles({ store, paths: [good, await writeLines("x.json", [text])] });

  await expect(attempt).rejects.toThrow(ImportError);
  await expect(attempt).rejects.toThrow(fault);
  expect((await store.calls.byCallId("a", "everything")).length).toBe(0);
});

const ANSWER = { isError: false, errorMessage: null };

test.each<[string, object]>([
  ["of a call, but its first record lacks kind: write each record on a line", { call_id: "a" }],
  ['on a line of its own, as {"kind":"call", ...}', { call_id: "a", datetime: null }],
  ['on a line of its own, as {"kind":"call", ...}', [{ call_id: "a" }]],
  ['on a line of its own, as {"kind":"call", ...}', { ...ANSWER, data: [{ call_id: "a" }] }],
  ['on a line of its own, as {"kind":"user", ...}', { id: 1, username: "ann", is_admin: true }],
  ['on a line of its own, as {"kind":"flag", ...}', { Id: 1, Type: "Public", Name: "To review" }],
  ['on a line of its own, as {"kind":"chat", ...}', { room_id: "1", party_type: "agent" }],
  ['but its first record has the kind "calls": write', { kind: "calls", call_id: "a" }],
  ["is that of no known format", { call_id: "a", colour: "red" }],
])("what is missing is named: ...%s", async (fault, json) => {
  const store = createArchive();
  const paths = [await writeLines("records.jsonl", [json])];
  await expect(importFiles({ store, paths })).rejects.toThrow(fault);
});

test("a record that begins beyond the head, or is longer than it, is recognised by what the head has of it", async () => {
  const store = createArchive();
  const notes = "x".repeat(100_000);
  const long = await writeLines("a.json", [
    { completedContacts: [{ ...CONTACT, dispositionNotes: notes }] },
  ]);
  expect(await importFiles({ store, paths: [long] })).toMatchObject({ imported: 1 });
  const [call] = await store.calls.byCallId("b", "everything");
  expect(call?.disposition_notes).toBe(notes);
});

test("a pipe is read when its format is named, and refused when it is not", async () => {
  const store = createArchive();
  const pipe = join(await createFolder(), "pipe");
  await promisify(execFile)("mkfifo", [pipe]);
  await expect(importFiles({ store, paths: [pipe] })).rejects.toThrow("is a pipe");

  const [report] = await Promise.all([
    importFiles({ store, paths: [pipe], format: "jsonl" }),
    writeFile(pipe, JSON.stringify(CALL)),
  ]);
  expect(report).toMatchObject({ read: 1, imported: 1 });
});

test("of a document only the faulty part is lost, and said to be", async () => {
  const store = createArchive();
  const text = `{"completedContacts":[\n${JSON.stringify(CONTACT)},\n7,\n${JSON.stringify({ ...CONTACT, contactId: "c" })},\n{"contactId":"d",`;
  const report = await importFiles({ store, paths: [await writeLines("a.json", [text])] });
  expect(report).toMatchObject({ read: 4, imported: 2, rejected: 2 });
  expect(report.firstRejections.map(({ line, reason }) => [line, reason])).toEqual([
    [3, "a record must be an object, not a number"],
    [5, "not valid JSON: the file ends before the document does; nothing was read from here on"],
  ]);
});

test("of records on lines a faulty one costs its line alone, and records without anything between them are told apart", async () => {
  const store = createArchive();
  const contacts = ["b", "c", "d"].map((contactId) => JSON.stringify({ ...CONTACT, contactId }));
  const lines = await writeLines("a.json", [contacts[0] ?? "", "{", contacts[1] ?? ""]);
  expect(await importFiles({ store, paths: [lines] })).toMatchObject({
    read: 3,
    imported: 2,
    firstRejections: [{ line: 2 }],
  });
  const joined = await writeLines("b.json", [contacts.join("")]);
  expect(await importFiles({ store, paths: [joined] })).toMatchObject({
    read: 3,
    imported: 1,
    unchanged: 2,
  });
  expect((await store.calls.search(query({}))).recordCount).toBe(3);
});

test("a document of a known format without records is imported to no effect, one of another is refused", async () => {
  const store = createArchive();
  const empty = await writeLines("a.json", [{ completedContacts: [] }]);
  const options = { store, format: "nice-contacts" } as const;
  expect(await importFiles({ ...options, paths: [empty] })).toMatchObject({ read: 0 });
  const other = await writeLines("b.json", [{ calls: [{ sid: "x" }] }]);
  await expect(importFiles({ ...options, paths: [other] })).rejects.toThrow(
    "holds no NICE CXone contacts: a record with contactId, masterContactId, contactStart is neither at completedContacts.* nor",
  );
});
