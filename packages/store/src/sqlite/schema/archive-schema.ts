// The schema of archive.db, as numbered steps. A step that was released is never edited: append the next one.
import { digestRows } from "../row-digest.ts";
import { nameFlags } from "../users.ts";
import { indexAnew } from "../writing/index-calls.ts";
import { compactCalls } from "./compact-calls.ts";
import type { SchemaStep } from "./migrate.ts";

/** The tables of the search index; `setting` has to be there. Of schema 7. */
export const INDEX_SCHEMA = `
  -- The search index, see search-index.ts and pieces/layout.ts. gone, removed: how many and which calls were taken out.
  CREATE TABLE index_piece (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    calls INTEGER NOT NULL, gone INTEGER NOT NULL DEFAULT 0, removed BLOB,
    first_id INTEGER NOT NULL, last_id INTEGER NOT NULL,
    firsts BLOB NOT NULL, first_terms BLOB NOT NULL
  ) STRICT;
  CREATE TABLE index_page (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE index_block (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  INSERT INTO setting (name, value) VALUES ('index_seed', lower(hex(randomblob(8))));
`;

const LARGE_CROWDS = `
  -- By their terms, see crowds/large-crowds.ts.
  CREATE TABLE IF NOT EXISTS large_crowd (term INTEGER PRIMARY KEY) STRICT;
`;

/** archive.db: what imports and the operator's commands write. */
export const ARCHIVE_SCHEMA: readonly SchemaStep[] = [
  /* 1 */ `
  CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  -- id: see order-key.ts. record: JSON of the fields that are not null, without call_id and ref_id.
  -- identity, digest: what a repeated import compares, see call-digest.ts; no identity without a call_id.
  CREATE TABLE call (
    id INTEGER PRIMARY KEY,
    call_id TEXT, ref_id TEXT, session_id TEXT, master_id TEXT,
    identity BLOB, digest BLOB NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX call_by_call_id ON call (call_id, identity, digest) WHERE call_id IS NOT NULL;
  CREATE INDEX call_by_ref_id ON call (ref_id) WHERE ref_id IS NOT NULL;
  CREATE INDEX call_by_session_id ON call (session_id) WHERE session_id IS NOT NULL;
  CREATE INDEX call_by_master_id ON call (master_id) WHERE master_id IS NOT NULL;
  CREATE INDEX anonymous_call_by_digest ON call (digest) WHERE call_id IS NULL;

  -- One term per filled filter field of a call: see search-index.ts.
  CREATE VIRTUAL TABLE call_index USING fts5(terms, content='', detail=none, columnsize=0, tokenize='ascii');

  -- Calls per UTC day since 1970, so that the count of a date range reads days, not calls.
  CREATE TABLE call_day (day INTEGER PRIMARY KEY, calls INTEGER NOT NULL) STRICT;

  CREATE TABLE media (
    sha256 TEXT PRIMARY KEY, bytes INTEGER NOT NULL, type TEXT NOT NULL, modified_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE recording (
    call INTEGER NOT NULL REFERENCES call (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    filename TEXT NOT NULL,
    start_ms INTEGER,
    sha256 TEXT NOT NULL REFERENCES media (sha256),
    PRIMARY KEY (call, part)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE chat (
    id INTEGER PRIMARY KEY,
    call_id TEXT, instant_ms INTEGER,
    digest BLOB NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX chat_by_call_id ON chat (call_id, instant_ms);
  CREATE INDEX chat_by_digest ON chat (digest);

  CREATE TABLE user (
    id INTEGER PRIMARY KEY, username TEXT NOT NULL UNIQUE, status INTEGER NOT NULL, record TEXT NOT NULL
  ) STRICT;
  CREATE TABLE flag (
    id INTEGER PRIMARY KEY, type TEXT NOT NULL, user_id INTEGER, record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX flag_by_user ON flag (user_id);

  CREATE TABLE application (
    secret_id TEXT PRIMARY KEY, key_hash TEXT NOT NULL,
    user_id INTEGER NOT NULL REFERENCES user (id),
    created_ms INTEGER NOT NULL, revoked_ms INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE bearer (
    hash TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL CHECK (kind IN ('token', 'key')),
    user_id INTEGER NOT NULL REFERENCES user (id),
    secret_id TEXT REFERENCES application (secret_id),
    created_ms INTEGER NOT NULL, expires_ms INTEGER, revoked_ms INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX token_by_expiry ON bearer (expires_ms) WHERE kind = 'token';
  CREATE INDEX bearer_by_user ON bearer (user_id);
  CREATE INDEX bearer_by_application ON bearer (secret_id);
  `,
  /* 2 */ `
  -- What the file system said of the file when its content was last known to be right: see media/fingerprint.ts.
  ALTER TABLE media ADD COLUMN fingerprint TEXT;

  -- Tells a backup of this archive from one of another.
  INSERT INTO setting (name, value) VALUES ('archive_id', lower(hex(randomblob(16))));
  `,
  /* 3: access.db has them, see keepCredentials in database.ts */ `
  DROP TABLE bearer;
  DROP TABLE application;
  `,
  /* 4: combination_of gives an empty text by now, see database.ts; 9 drops the table that it fills */ `
  -- keys: JSON of what rights look at in a call, see restricted-values.ts.
  CREATE TABLE restricted_values (id INTEGER PRIMARY KEY, keys TEXT NOT NULL UNIQUE) STRICT;
  INSERT INTO restricted_values (keys) SELECT DISTINCT combination_of(record) FROM call;
  ALTER TABLE call ADD COLUMN restricted INTEGER NOT NULL DEFAULT 0;
  UPDATE call SET restricted = (SELECT id FROM restricted_values WHERE keys = combination_of(record));

  DROP INDEX call_by_call_id;
  DROP INDEX call_by_ref_id;
  DROP INDEX call_by_session_id;
  DROP INDEX call_by_master_id;
  CREATE INDEX call_by_call_id ON call (call_id, identity, digest, restricted) WHERE call_id IS NOT NULL;
  CREATE INDEX call_by_ref_id ON call (ref_id, restricted) WHERE ref_id IS NOT NULL;
  CREATE INDEX call_by_session_id ON call (session_id, restricted) WHERE session_id IS NOT NULL;
  CREATE INDEX call_by_master_id ON call (master_id, restricted) WHERE master_id IS NOT NULL;
  `,
  /* 5 */ `
  -- The index is merged at the end of an import (index-merge.ts): two pieces of a size are enough then, and while rows are
  -- written FTS5 need not do it at every fourth.
  INSERT INTO call_index (call_index, rank) VALUES ('usermerge', 2), ('automerge', 8);
  `,
  /* 6 */ `
  -- Where a linked file lies; null for one in the archive's folder.
  ALTER TABLE media ADD COLUMN path TEXT;
  `,
  /* 7 */ `
  -- The names of the fields in the order in which a record has its values: see call-row.ts.
  CREATE TABLE record_field (place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

  -- What rights look at in calls, each value with the number that calls carry: see restricted-values.ts.
  CREATE TABLE restricted_value (
    id INTEGER PRIMARY KEY AUTOINCREMENT, field TEXT NOT NULL, key TEXT NOT NULL, UNIQUE (field, key)
  ) STRICT;

${INDEX_SCHEMA}

  -- id: see order-key.ts. record: see call-row.ts. restricted: numbers of restricted values.
  -- identity, digest: what a repeated import compares, see call-digest.ts; no identity without a call_id.
  CREATE TABLE compact_call (
    id INTEGER PRIMARY KEY,
    call_id TEXT, ref_id TEXT, session_id TEXT, master_id TEXT,
    identity BLOB, digest BLOB NOT NULL, restricted BLOB NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  `,
  /* 8 */ compactCalls,
  /* 9 */ `
  DROP TABLE call;
  ALTER TABLE compact_call RENAME TO call;
  CREATE INDEX call_by_call_id ON call (call_id, identity, restricted) WHERE call_id IS NOT NULL;
  CREATE INDEX call_by_ref_id ON call (ref_id, restricted) WHERE ref_id IS NOT NULL;
  CREATE INDEX call_by_session_id ON call (session_id, restricted) WHERE session_id IS NOT NULL;
  CREATE INDEX call_by_master_id ON call (master_id, restricted) WHERE master_id IS NOT NULL;
  CREATE INDEX anonymous_call_by_digest ON call (digest) WHERE call_id IS NULL;
  DROP TABLE call_index;
  DROP TABLE call_day;
  DROP TABLE restricted_values;
  `,
  /* 10 */ `
  -- When its source last changed what the archive has of a call, for sources that say so: see call-revisions.ts. It goes
  -- with the last record of the call.
  CREATE TABLE call_revision (call_id TEXT PRIMARY KEY, revised_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TRIGGER revised_call_gone AFTER DELETE ON call
  WHEN OLD.call_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM call WHERE call_id = OLD.call_id)
  BEGIN DELETE FROM call_revision WHERE call_id = OLD.call_id; END;
  `,
  /* 11 */ `
  -- See SPAN in order-key.ts. ANY: an index on an expression is compared with what has no type of its own.
  CREATE TABLE call_span (number ANY PRIMARY KEY) STRICT, WITHOUT ROWID;
  INSERT INTO call_span SELECT DISTINCT id >> 54 FROM call;

  DROP INDEX call_by_ref_id;
  DROP INDEX call_by_session_id;
  DROP INDEX call_by_master_id;
  CREATE INDEX call_by_ref_id ON call (id >> 54, ref_id, restricted) WHERE ref_id IS NOT NULL;
  CREATE INDEX call_by_session_id ON call (id >> 54, session_id, restricted) WHERE session_id IS NOT NULL;
  CREATE INDEX call_by_master_id ON call (id >> 54, master_id, restricted) WHERE master_id IS NOT NULL;
  `,
  /* 12: name_key is what rights compare a public flag by */ `
  ALTER TABLE flag ADD COLUMN name_key TEXT;
  CREATE INDEX public_flag_by_name ON flag (name_key) WHERE type = 'Public';
  `,
  /* 13 */ nameFlags,
  /* 14: digest, see row-digest.ts */ `
  ALTER TABLE user ADD COLUMN digest BLOB;
  ALTER TABLE flag ADD COLUMN digest BLOB;
  `,
  /* 15 */ digestRows,
  /* 16: the search index had references, until 17 */ "",
  /* 17 */ `
  -- The identifiers that many calls have, and of these calls what rights look at in them: see crowds/. kind: which identifier.
  -- from_: the key from which on a block has calls. newest: the greatest of its numbers.
  CREATE TABLE crowd (kind TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (kind, name)) STRICT, WITHOUT ROWID;
  CREATE TABLE crowd_block (
    id INTEGER PRIMARY KEY AUTOINCREMENT, from_term INTEGER NOT NULL, from_id INTEGER NOT NULL,
    calls INTEGER NOT NULL, newest INTEGER NOT NULL, keys BLOB NOT NULL, numbers BLOB NOT NULL,
    UNIQUE (from_term, from_id)
  ) STRICT;
  `,
  /* 18: crowds were made here, until 20 */ "",
  /* 19 */ `
  -- Of a large crowd, by its term, which values its calls have.
  CREATE TABLE crowd_values (term INTEGER PRIMARY KEY, bits BLOB NOT NULL) STRICT;
  DELETE FROM crowd;
  DELETE FROM crowd_block;
  INSERT INTO crowd_block (from_term, from_id, calls, newest, keys, numbers) VALUES (-1, 0, 0, 0, x'', x'');
  `,
  /* 20 */ (database, onUpgrade) => {
    database.exec(LARGE_CROWDS);
    indexAnew(database, onUpgrade);
  },
  /* 21: those that may be large; the others go when they change. */ `
  ${LARGE_CROWDS}
  INSERT OR IGNORE INTO large_crowd (term) SELECT from_term FROM crowd_block WHERE from_term >= 0;
  DROP TABLE crowd_values;
  `,
];
