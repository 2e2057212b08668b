// The tables of archive.db.
import { HOLD_TABLES } from "../../values/holds.ts";
import { LIFE_TABLES } from "../../values/versions.ts";
import { INDEX_TABLES, ROW_SUMS } from "./row-sums.ts";
import type { Schema } from "./settle-schema.ts";

const ARCHIVE_DIGESTED = [
  "setting",
  "record_field",
  "call_span",
  "call_revision",
  "media",
  "tombstone",
  ...LIFE_TABLES,
  ...HOLD_TABLES,
] as const;

/** The tables that archives of earlier versions lack. */
const LATER_TABLES = `
  -- A command that wrote records. run: in all rows of that command in the access log.
  CREATE TABLE IF NOT EXISTS act (
    id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, operation TEXT NOT NULL, operator TEXT NOT NULL, run TEXT, digest BLOB
  ) STRICT;

  -- What was replaced: see values/versions.ts. name: the call_id, or the id of a user or a flag. state: the digest that a call had.
  -- act: that brought it, null where that is not known; until: that replaced it.
  CREATE TABLE IF NOT EXISTS version (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, identity BLOB, state BLOB,
    act INTEGER, until INTEGER NOT NULL, is_whole INTEGER NOT NULL, was TEXT NOT NULL, digest BLOB
  ) STRICT;
  CREATE INDEX IF NOT EXISTS version_by_name ON version (kind, name);
  -- Where its recordings were others than those of the state after it. No purge takes their contents.
  CREATE TABLE IF NOT EXISTS version_recording (
    version INTEGER NOT NULL REFERENCES version (id) ON DELETE CASCADE,
    part INTEGER NOT NULL, filename TEXT NOT NULL, start_ms INTEGER,
    sha256 TEXT NOT NULL REFERENCES media (sha256), type TEXT NOT NULL, modified_ms INTEGER NOT NULL, digest BLOB,
    PRIMARY KEY (version, part)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS version_recording_by_sha256 ON version_recording (sha256);
  CREATE INDEX IF NOT EXISTS recording_by_sha256 ON recording (sha256);

  -- What no purge takes: see values/holds.ts. asked: the query, JSON; null of one of call_ids alone. act: that added it.
  CREATE TABLE IF NOT EXISTS hold (
    name TEXT PRIMARY KEY, reason TEXT NOT NULL, asked TEXT, act INTEGER NOT NULL, digest BLOB
  ) STRICT, WITHOUT ROWID;
  -- What a hold keeps whatever its records say: named with it, or replaced while it fitted the query.
  CREATE TABLE IF NOT EXISTS held (
    hold TEXT NOT NULL REFERENCES hold (name) ON DELETE CASCADE, call_id TEXT NOT NULL, digest BLOB, PRIMARY KEY (hold, call_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS held_by_call_id ON held (call_id);
  -- What a purge has named while a hold kept it: calls, and records that have a reference. reason: its case; null without one.
  CREATE TABLE IF NOT EXISTS owed (call_id TEXT PRIMARY KEY, reason TEXT, digest BLOB) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS owed_reference (
    reference TEXT PRIMARY KEY, reason TEXT, digest BLOB
  ) STRICT, WITHOUT ROWID;
`;

/** archive.db: written by imports and operators' commands. */
export const ARCHIVE_SCHEMA: Schema = {
  version: 110,
  // A program that does not write holds into the ledger would let a restore lose them.
  readableSince: 110,
  // The search index of the first has another format: see segment-index/index-format.ts.
  earlier: [102, 103, 104, 105, 106, 107, 108, 109],
  // Null has no meaning in these columns, except in digests, which every row has.
  added: [
    ["tombstone", "until_day", "INTEGER"],
    ["tombstone", "erasure", "INTEGER"],
    ["index_segment", "sums", "BLOB"],
    ["call", "act", "INTEGER"],
    ["chat", "act", "INTEGER"],
    ["user", "act", "INTEGER"],
    ["flag", "act", "INTEGER"],
    ["recording", "digest", "BLOB"],
    ["media", "sound", "TEXT"],
    ["owed", "reason", "TEXT"],
    ["owed_reference", "reason", "TEXT"],
    ...ARCHIVE_DIGESTED.map((table) => [table, "digest", "BLOB"] as const),
  ],
  later: LATER_TABLES,
  digested: ARCHIVE_DIGESTED,
  summed: [...ARCHIVE_DIGESTED, "call", "recording", "chat", "user", "flag", ...INDEX_TABLES],
  sql: `
  -- digest: see digested.ts, as in all tables below that say no more of theirs.
  CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL, digest BLOB) STRICT, WITHOUT ROWID;
  -- Tells a backup of this archive from one of another.
  INSERT INTO setting (name, value) VALUES ('archive_id', lower(hex(randomblob(16))));

  -- What purges have erased, by which an import recognises it: see values/tombstones.ts.
  -- until_day: the last day that it is of, from 1970; null: of every day. erasure: the row of the access log.
  CREATE TABLE tombstone (mark BLOB PRIMARY KEY, until_day INTEGER, erasure INTEGER, digest BLOB) STRICT, WITHOUT ROWID;
  INSERT INTO setting (name, value) VALUES ('tombstone_key', lower(hex(randomblob(32))));

  -- The names of the fields in the order in which a record has its values: see call-row.ts.
  CREATE TABLE record_field (place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, digest BLOB) STRICT;

  -- id: see values/order-key.ts. record: see call-row.ts.
  -- identity, digest: what a repeated import compares, see values/call-digest.ts.
  -- act: that brought it; null of an earlier version, as in the tables below.
  CREATE TABLE call (
    id INTEGER PRIMARY KEY,
    call_id TEXT, ref_id TEXT, session_id TEXT, master_id TEXT,
    identity BLOB, digest BLOB NOT NULL,
    record TEXT NOT NULL, act INTEGER
  ) STRICT;
  -- With its identity, by which a call that comes again is found among thousands of legs.
  CREATE INDEX call_by_call_id ON call (call_id, identity) WHERE call_id IS NOT NULL;
  CREATE INDEX anonymous_call_by_digest ON call (digest) WHERE call_id IS NULL;
  CREATE INDEX call_by_ref_id ON call (id >> 54, ref_id) WHERE ref_id IS NOT NULL;
  CREATE INDEX call_by_session_id ON call (id >> 54, session_id) WHERE session_id IS NOT NULL;
  CREATE INDEX call_by_master_id ON call (id >> 54, master_id) WHERE master_id IS NOT NULL;

  -- See span.ts. ANY: an index on an expression is compared with what has no type of its own.
  CREATE TABLE call_span (number ANY PRIMARY KEY, digest BLOB) STRICT, WITHOUT ROWID;

  -- When its source last changed what the archive has of a call, for sources that say so: see writing/slice.ts. It goes
  -- with the last record of the call.
  CREATE TABLE call_revision (
    call_id TEXT PRIMARY KEY, revised_ms INTEGER NOT NULL, digest BLOB
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER revised_call_gone AFTER DELETE ON call
  WHEN OLD.call_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM call WHERE call_id = OLD.call_id)
  BEGIN DELETE FROM call_revision WHERE call_id = OLD.call_id; END;

  -- fingerprint: what the file system said of the file when its content was last known to be right, see media/fingerprint.ts.
  -- path: where a linked file lies; null for one in the archive's folder.
  -- sound: see values/stored-sound.ts; null where nobody looked.
  CREATE TABLE media (
    sha256 TEXT PRIMARY KEY, bytes INTEGER NOT NULL, fingerprint TEXT, path TEXT, sound TEXT, digest BLOB
  ) STRICT, WITHOUT ROWID;
  -- type and modified_ms are of each recording: of the bytes, they would tell of another call with the same (D21).
  -- digest: see values/call-digest.ts.
  CREATE TABLE recording (
    call INTEGER NOT NULL REFERENCES call (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    filename TEXT NOT NULL,
    start_ms INTEGER,
    sha256 TEXT NOT NULL REFERENCES media (sha256),
    type TEXT NOT NULL, modified_ms INTEGER NOT NULL, digest BLOB,
    PRIMARY KEY (call, part)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE chat (
    id INTEGER PRIMARY KEY,
    call_id TEXT, instant_ms INTEGER,
    digest BLOB NOT NULL,
    record TEXT NOT NULL, act INTEGER
  ) STRICT;
  CREATE INDEX chat_by_call_id ON chat (call_id, instant_ms);
  CREATE INDEX chat_by_digest ON chat (digest);

  -- digest: see values/row-digest.ts. name_key is what rights compare a public flag by.
  CREATE TABLE user (
    id INTEGER PRIMARY KEY, username TEXT NOT NULL UNIQUE, status INTEGER NOT NULL, record TEXT NOT NULL,
    digest BLOB NOT NULL, act INTEGER
  ) STRICT;
  CREATE TABLE flag (
    id INTEGER PRIMARY KEY, type TEXT NOT NULL, user_id INTEGER, name_key TEXT NOT NULL, record TEXT NOT NULL,
    digest BLOB NOT NULL, act INTEGER
  ) STRICT;
  CREATE INDEX flag_by_user ON flag (user_id);
  CREATE INDEX public_flag_by_name ON flag (name_key) WHERE type = 'Public';

  -- The search index, see segment-index/README.md. removed_count, removed: how many and which calls were removed. sums: checksums.
  CREATE TABLE index_segment (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    calls INTEGER NOT NULL, removed_count INTEGER NOT NULL DEFAULT 0, removed BLOB,
    first_id INTEGER NOT NULL, last_id INTEGER NOT NULL,
    firsts BLOB NOT NULL, first_terms BLOB NOT NULL, sums BLOB
  ) STRICT;
  CREATE TABLE index_page (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE index_block (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  -- Words that the index has as hashes: see segment-index/dictionary.ts.
  CREATE TABLE word (word TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  INSERT INTO setting (name, value) VALUES ('index_seed', lower(hex(randomblob(8)))), ('index_format', '2');

  ${LATER_TABLES}
  ${ROW_SUMS}
  `,
};
