// What the doctor says of records that are not what was imported, and of a search index that does not fit the records.
import { describe, expect } from "vitest";
import { examine } from "./support/maintenance.ts";
import { openStore } from "../src/sqlite/sqlite-store.ts";
import { type BrokenWay, change, RESTORE, rewrite, testFindings } from "./support/examined.ts";
import { fill, message, toUser } from "../src/suite/records.ts";

const OTHER_CALL = "calls are not what was imported: 1, call_id b for one";

const toRecordWay = (what: string, sql: string, said = OTHER_CALL): BrokenWay => [
  what,
  (directory) => change(directory, sql),
  { level: "error", what: said, where: "archive.db", todo: RESTORE },
];

/** With a user and a flag. */
const toPersonWay = (what: string, sql: string, damaged: "users" | "flags"): BrokenWay => [
  what,
  async (directory) => {
    await addPersons(directory);
    expect(await examine(directory)).toEqual([]);
    change(directory, sql);
  },
  {
    level: "error",
    what: `${damaged} are not what was imported: 1`,
    where: "archive.db",
    todo: RESTORE,
  },
];

/** With a chat of the call b, and one that belongs to no record. */
const toChatWay = (set: string, callId: string): BrokenWay => [
  `a chat message of another ${set}`,
  async (directory) => {
    await addChats(directory);
    expect(await examine(directory)).toEqual([]);
    change(directory, `UPDATE chat SET ${set} WHERE call_id IS NOT NULL`);
  },
  {
    level: "error",
    what: `chat messages are not what was imported: 1${callId}`,
    where: "archive.db",
    todo: RESTORE,
  },
];

async function addChats(directory: string): Promise<void> {
  await using store = await openStore({ directory });
  const chat = message("b", "Hi", "2025-05-01T10:00:00+02:00");
  await fill(store, [
    { kind: "chat", record: chat },
    { kind: "chat", record: { ...chat, call_id: null } },
  ]);
}

const FLAG = { Id: 3, Type: "Private", Name: "Mine", DateCreated: "", DateModified: "" } as const;

async function addPersons(directory: string): Promise<void> {
  await using store = await openStore({ directory });
  await fill(store, [
    { kind: "user", record: toUser(1) },
    { kind: "flag", record: FLAG, userId: 1 },
  ]);
}

describe("the doctor finds", () => {
  testFindings([
    toRecordWay(
      "a call with another value than was imported",
      "UPDATE call SET record = json_insert(record, '$[#]', 'video') WHERE call_id = 'b'",
    ),
    toRecordWay(
      "a call of which one bit has changed",
      "UPDATE call SET record = replace(record, '2025', '2024') WHERE call_id = 'b'",
    ),
    toRecordWay(
      "a call that is no JSON any more",
      "UPDATE call SET record = '[\"agent' WHERE call_id = 'b'",
    ),
    ...["ref_id", "session_id", "master_id"].map((name) =>
      toRecordWay(
        `a call with another ${name}`,
        `UPDATE call SET ${name} = 'x' WHERE call_id = 'b'`,
      ),
    ),
    ...["filename = 'other.ulaw'", "start_ms = 1"].map((set) =>
      toRecordWay(
        `a call with a recording of another ${set}`,
        `UPDATE recording SET ${set} WHERE call = (SELECT id FROM call WHERE call_id = 'b')`,
      ),
    ),
    ...["username = 'eve'", "status = 0", "record = replace(record, 'true', 'null')"].map((set) =>
      toPersonWay(`a user of another ${set}`, `UPDATE user SET ${set}`, "users"),
    ),
    ...["type = 'P'", "user_id = 2", "name_key = 'x'", "record = replace(record, 'M', 'N')"].map(
      (set) => toPersonWay(`a flag of another ${set}`, `UPDATE flag SET ${set}`, "flags"),
    ),
    toChatWay("call_id = 'a'", ", call_id a for one"), // of another call
    toChatWay("call_id = NULL", ""),
    toChatWay("instant_ms = instant_ms + 1", ", call_id b for one"),
    toChatWay("record = '{}'", ", call_id b for one"),
  ]);
});

const toIndexWay = (what: string, sql: string, said: string): BrokenWay => [
  what,
  (directory) => change(directory, sql),
  toIndexFinding(said),
];

const toIndexFinding = (what: string): BrokenWay[2] => ({
  level: "error",
  what,
  where: "archive.db",
  todo: 'make it anew from the records ("reindex"), and look for what damaged it: disk, memory',
});

const NEWEST_SEGMENT = "id = (SELECT max(id) FROM index_segment)";
const NEWEST_PAGE = "id = (SELECT max(id) FROM index_page)";

describe("the doctor finds a search index", () => {
  testFindings([
    toIndexWay(
      "that lacks every call",
      "DELETE FROM index_segment",
      "the search index does not fit the calls: it has 0 calls, the archive 3",
    ),
    toIndexWay(
      "that has taken a call out",
      `UPDATE index_segment SET removed_count = 1, removed = x'01000000' WHERE ${NEWEST_SEGMENT}`,
      "the search index does not fit the calls: it has 2 calls, the archive 3",
    ),
    [
      "with the terms of another archive, as many as its own",
      (directory) =>
        rewrite(
          directory,
          "UPDATE setting SET value = '0123456789abcdef' WHERE name = 'index_seed'",
        ),
      toIndexFinding(
        "the search index does not fit the calls: its 6 terms are not those of the calls",
      ),
    ],
    toIndexWay(
      "of which one segment has lost its terms",
      `UPDATE index_segment SET first_terms = x'' WHERE ${NEWEST_SEGMENT}`,
      expect.stringMatching(/^the search index is damaged: its segment \d+$/),
    ),
    toIndexWay(
      "that lacks a page",
      `DELETE FROM index_page WHERE ${NEWEST_PAGE}`,
      expect.stringMatching(/^the search index lacks the page 0 of its segment \d+$/),
    ),
    toIndexWay(
      "that lacks a block",
      "DELETE FROM index_block WHERE id = (SELECT max(id) FROM index_block)",
      expect.stringMatching(/^the search index lacks the block 0 of its segment \d+$/),
    ),
    toIndexWay(
      "with a page of another length",
      `UPDATE index_page SET bytes = x'010203' WHERE ${NEWEST_PAGE}`,
      expect.stringMatching(/^the search index is damaged: the page 0 of its segment \d+$/),
    ),
  ]);
});
