// What the doctor says of the two databases as files: whether each is one, of the schema that this program uses, whole, and a pair.
import { cp, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { ACCESS_SCHEMA } from "../src/sqlite/schema/access-schema.ts";
import { ARCHIVE_SCHEMA } from "../src/sqlite/schema/archive-schema.ts";
import { type BrokenWay, change, RESTORE, testFindings } from "./support/examined.ts";
import { createClosedArchive, damageIndex } from "./support/kept-archive.ts";

const EXPORT_FIRST = "export it with the version that made it, and import that";

const toError = (where: string, what: string, todo = RESTORE) =>
  ({ level: "error", what, where, todo }) as const;

const toFileWays = (name: string, used: number): readonly BrokenWay[] => [
  [
    `an empty ${name}`,
    (directory) => truncate(join(directory, name), 0),
    toError(name, "the file is empty"),
  ],
  [
    `something else in the place of ${name}`,
    (directory) => writeFile(join(directory, name), "a letter to my mother"),
    toError(name, "this is no SQLite database"),
  ],
  [
    `${name} that is cut`,
    (directory) => truncate(join(directory, name), 12_000),
    toError(name, expect.stringMatching(/^it cannot be read: /)),
  ],
  [
    `${name} of another schema`,
    (directory) => change(directory, "PRAGMA user_version = 21", name),
    toError(name, `it has schema 21, and this program uses ${used}`, EXPORT_FIRST),
  ],
];

const GET_ACCESS_BACK =
  'put it back from a backup; without one begin a new log with "audit begin-anew", and hand out new credentials';

const REMOVE = "find out who made it and what it does, and remove it";

/** What others may do to tables, indexes and triggers, in either database. */
const SCHEMA_WAYS = [
  ["access.db", "DROP TRIGGER bearer_changed", "the trigger bearer_changed is missing"],
  ["access.db", "DROP TRIGGER access_kept", "the trigger access_kept is missing"],
  [
    "access.db",
    "DROP TRIGGER access_kept; CREATE TRIGGER access_kept BEFORE DELETE ON access BEGIN SELECT 1; END",
    "the trigger access_kept is altered",
  ],
  [
    "access.db",
    "CREATE TRIGGER spy AFTER INSERT ON bearer BEGIN UPDATE bearer SET expires_ms = NULL; END",
    "the trigger spy is not of this program",
  ],
  ["access.db", "DROP INDEX bearer_by_key", "the index bearer_by_key is missing"],
  ["access.db", "DELETE FROM revocations", "the table revocations has 0 rows in place of one"],
  ["archive.db", "DROP TRIGGER revised_call_gone", "the trigger revised_call_gone is missing"],
  ["archive.db", "DROP INDEX chat_by_digest", "the index chat_by_digest is missing"],
  [
    "archive.db",
    "DROP INDEX call_by_ref_id; CREATE INDEX call_by_ref_id ON call (ref_id)",
    "the index call_by_ref_id is altered",
  ],
  [
    "archive.db",
    "CREATE VIEW calls AS SELECT * FROM call",
    "the view calls is not of this program",
  ],
] as const;

describe("the doctor finds", () => {
  testFindings([
    ...toFileWays("archive.db", ARCHIVE_SCHEMA.version),
    ...toFileWays("access.db", ACCESS_SCHEMA.version),
    [
      "a page of an index that is nonsense",
      (directory) => damageIndex(join(directory, "archive.db"), "call_by_call_id"),
      toError("archive.db", expect.stringMatching(/^it is damaged: Tree \d+ page \d+ .+; .+$/)),
    ],
    [
      "a page of a table that is nonsense",
      (directory) => damageIndex(join(directory, "access.db"), "revocations"),
      // What lies behind the page in memory decides how far SQLite comes.
      toError("access.db", expect.stringMatching(/^it (is damaged|cannot be read): /)),
    ],
    ...SCHEMA_WAYS.map(([file, sql, what]): BrokenWay => [
      sql,
      (directory) => change(directory, sql, file),
      toError(file, what, what.endsWith("program") ? REMOVE : RESTORE),
    ]),
    [
      "recordings without their media rows",
      (directory) => change(directory, "PRAGMA foreign_keys = OFF; DELETE FROM media"),
      toError("archive.db", "3 rows point to what is not there: recording to media"),
    ],
    [
      "an access log that is lost",
      (directory) => rm(join(directory, "access.db")),
      toError(
        "access.db",
        "access.db is lost, and with it the credentials and the access log of this archive",
        GET_ACCESS_BACK,
      ),
    ],
    [
      "the access log of another archive",
      async (directory) =>
        cp(join(await createClosedArchive("a"), "access.db"), join(directory, "access.db")),
      toError(
        "access.db",
        "access.db belongs to another archive: put this archive's own back, or move it away to see what to do without",
        GET_ACCESS_BACK,
      ),
    ],
  ]);
});
