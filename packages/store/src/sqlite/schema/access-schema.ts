// The tables of access.db.
import { NAMED, NAMED_ALONE } from "../access/access-calls.ts";
import { ROW_SUMS } from "./row-sums.ts";
import type { Schema } from "./settle-schema.ts";

// The rows that name one call and no other. A row of several calls, such as a page of a search, would cost its writer an entry for each.
const CALLS = `CREATE INDEX IF NOT EXISTS access_by_call ON access (${NAMED}) WHERE ${NAMED_ALONE}`;

/** access.db: written by the running service. It is separate so that a sign-in or a row of the log never waits for an import. */
export const ACCESS_SCHEMA: Schema = {
  version: 103,
  earlier: [100, 101, 102],
  added: [
    ["application", "digest", "BLOB"],
    ["bearer", "digest", "BLOB"],
  ],
  digested: ["application", "bearer"],
  later: CALLS,
  summed: ["application", "bearer"],
  sql: `
  -- user_id: of the table user in archive.db. digest: see digested.ts.
  CREATE TABLE application (
    secret_id TEXT PRIMARY KEY, key_hash TEXT NOT NULL, user_id INTEGER NOT NULL,
    created_ms INTEGER NOT NULL, revoked_ms INTEGER, digest BLOB
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE bearer (
    hash TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('token', 'key', 'session')),
    user_id INTEGER NOT NULL,
    secret_id TEXT REFERENCES application (secret_id),
    key_id TEXT REFERENCES bearer (id),
    created_ms INTEGER NOT NULL, expires_ms INTEGER, revoked_ms INTEGER, digest BLOB
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX bearer_by_expiry ON bearer (expires_ms) WHERE kind <> 'key';
  CREATE INDEX bearer_by_user ON bearer (user_id);
  CREATE INDEX bearer_by_application ON bearer (secret_id);
  CREATE INDEX bearer_by_key ON bearer (key_id) WHERE key_id IS NOT NULL;

  -- Bearers revoked or extended so far: whoever remembers bearers has to read them again when it has changed.
  CREATE TABLE revocations (count INTEGER NOT NULL) STRICT;
  INSERT INTO revocations (count) VALUES (0);
  CREATE TRIGGER bearer_changed AFTER UPDATE OF revoked_ms, expires_ms ON bearer
  BEGIN UPDATE revocations SET count = count + 1; END;

  -- entry: JSON of an AccessEntry, as it was hashed. hash: see values/access-chain.ts.
  CREATE TABLE access (seq INTEGER PRIMARY KEY AUTOINCREMENT, entry TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
  CREATE TRIGGER access_kept BEFORE DELETE ON access
  BEGIN SELECT RAISE(ABORT, 'rows of the access log are never removed'); END;
  CREATE TRIGGER access_unchanged BEFORE UPDATE ON access
  BEGIN SELECT RAISE(ABORT, 'rows of the access log are never changed'); END;
  ${CALLS};

  -- The archive that this belongs to knows it by this: see access-pairing.ts.
  CREATE TABLE identity (id TEXT NOT NULL) STRICT;
  INSERT INTO identity (id) VALUES (lower(hex(randomblob(16))));

  ${ROW_SUMS}
  `,
};
