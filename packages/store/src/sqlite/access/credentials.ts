// Applications, tokens and API keys in access.db: hashes only, with the user they act for (D18-D20).
import type { DatabaseSync } from "node:sqlite";
import type { Application, Bearer, Credentials, Issued, UserRecord } from "../../port/index.ts";
import type { OperatorAct } from "../../port/access-log.ts";
import { toOperatorEntry } from "../../values/access-chain.ts";
import { nameDigested, notAsWritten } from "../../values/damaged-records.ts";
import { FORGET_AFTER_MS } from "../../values/expiry.ts";
import type { AccessWriter } from "./access-writer.ts";
import { isWhole } from "../schema/digested.ts";
import { createUserFinder, type FindUser } from "../users.ts";
import { createCredentialLists } from "./credential-lists.ts";

export interface CredentialSources {
  readonly archive: DatabaseSync;
  readonly access: DatabaseSync;
  readonly writer: AccessWriter;
  readonly now: () => number;
}

export function createCredentials(sources: CredentialSources): Credentials {
  const { archive, access, writer, now } = sources;
  const findUser = createUserFinder(archive);
  const application = access.prepare(
    `SELECT secret_id, key_hash, user_id, created_ms, revoked_ms, ${isWhole("application")} AS whole
     FROM application WHERE secret_id = ?`,
  );
  // Foreign keys do not work across the two files. Users are never removed, so this check stays valid.
  const checkUser = (id: number) => {
    if (findUser(id) === undefined) throw new Error(`there is no user ${id}`);
  };

  const reader = createBearerReader({ archive, access, findUser });
  // The thread may respond in the same turn of the event loop in which a bearer was read.
  const write: AccessWriter["run"] = async (job) => {
    const changed = await writer.run(job);
    reader.recheck();
    return changed;
  };

  return {
    addApplication: async (given, act) => {
      checkUser(given.userId);
      await writer.run({ kind: "addApplication", application: given, entry: toEntry(act) });
    },
    application: async (secretID) => {
      const row = application.get(secretID) as (ApplicationRow & IssuedRow) | undefined; // the columns that the SQL selects
      if (row?.whole === 0) throw notAsWritten(nameDigested("application", { ...row }));
      return row && toIssued(toApplication(row), row, findUser(row.user_id));
    },
    addBearer: async (given, act) => {
      checkUser(given.userId);
      const forgetBeforeMs = now() - FORGET_AFTER_MS;
      await writer.run({ kind: "addBearer", bearer: given, forgetBeforeMs, entry: toEntry(act) });
    },
    bearer: reader.read,
    extendSession: async (sessionHash, expiresMs) => {
      await write({ kind: "extend", sessionHash, expiresMs });
    },
    ...createCredentialLists({ access, findUser, now }),
    revoke: (which, act) => write({ kind: "revoke", which, nowMs: now(), entry: toEntry(act) }),
  };
}

const toEntry = (act: OperatorAct | undefined) => act && toOperatorEntry(act);

const MAX_KNOWN_BEARERS = 1_000;

// Every request looks up its bearer, which would take as long as reading the call. Recent bearers are cached until a user
// may have changed or a bearer was revoked.
function createBearerReader({
  archive,
  access,
  findUser,
}: Pick<CredentialSources, "archive" | "access"> & { readonly findUser: FindUser }) {
  // Revoking the application or key ends the tokens and sessions opened with it, including one that was being opened meanwhile.
  const select = access.prepare(
    `SELECT bearer.id, bearer.kind, bearer.hash, bearer.user_id, bearer.secret_id, bearer.key_id, bearer.created_ms,
       CASE WHEN key.expires_ms < bearer.expires_ms THEN key.expires_ms ELSE bearer.expires_ms END AS expires_ms,
       coalesce(bearer.revoked_ms, application.revoked_ms, key.revoked_ms) AS revoked_ms,
       ${isWhole("bearer")} AND (bearer.secret_id IS NULL OR application.secret_id IS NOT NULL AND ${isWhole("application")})
         AND (bearer.key_id IS NULL OR key.id IS NOT NULL AND ${isWhole("bearer", "key")}) AS whole
     FROM bearer LEFT JOIN application ON application.secret_id = bearer.secret_id
       LEFT JOIN bearer AS key ON key.id = bearer.key_id
     WHERE bearer.hash = ?`,
  );
  const { isChanged, recheck } = createChangeCheck(archive, access);
  const known = new Map<string, Issued<Bearer>>();

  const read = async (hash: string): Promise<Issued<Bearer> | undefined> => {
    if (isChanged() || known.size >= MAX_KNOWN_BEARERS) known.clear();
    const remembered = known.get(hash);
    if (remembered !== undefined) return remembered;
    const row = select.get(hash) as (BearerRow & IssuedRow) | undefined; // the columns that the SQL selects
    // A damaged credential grants no rights.
    if (row?.whole === 0) throw notAsWritten(nameDigested("bearer", { ...row }));
    const bearer = row && toIssued(toBearer(row), row, findUser(row.user_id));
    if (bearer !== undefined) known.set(hash, bearer);
    return bearer;
  };
  return { read, recheck };
}

// `data_version` changes with the writes of other connections and processes. In archive.db these are imports, which may
// have changed users. In access.db they are mostly rows of the log, so there the count of revocations decides. The check runs once in a
// turn of the event loop: requests of one turn see the same state, later ones see later changes.
function createChangeCheck(archive: DatabaseSync, access: DatabaseSync) {
  const versions = [archive, access].map((database) => database.prepare("PRAGMA data_version"));
  const revocations = access.prepare("SELECT count FROM revocations");
  let known: readonly unknown[] = [];
  let knownCount: unknown;
  let isAsked = false;

  const isChanged = (): boolean => {
    if (isAsked) return false;
    isAsked = true;
    setImmediate(() => {
      isAsked = false;
    });
    const [ofArchive, ofAccess] = versions.map((version) => version.get()?.["data_version"]);
    if (ofArchive === known[0] && ofAccess === known[1]) return false;
    const count = revocations.get()?.["count"];
    // If the count is missing, every write may be a revocation.
    const isOther = ofArchive !== known[0] || count === undefined || count !== knownCount;
    known = [ofArchive, ofAccess];
    knownCount = count;
    return isOther;
  };
  return {
    isChanged,
    /** Called after a write of this process. */
    recheck: () => {
      isAsked = false;
    },
  };
}

interface ApplicationRow {
  readonly secret_id: string;
  readonly key_hash: string;
  readonly user_id: number;
  readonly created_ms: number;
}

interface BearerRow {
  readonly id: string;
  readonly kind: Bearer["kind"];
  readonly hash: string;
  readonly user_id: number;
  readonly secret_id: string | null;
  readonly key_id: string | null;
  readonly created_ms: number;
  readonly expires_ms: number | null;
}

interface IssuedRow {
  readonly revoked_ms: number | null;
  /** 0 if it, or the credential that it was issued by, is damaged. */
  readonly whole: number;
}

/** Undefined without a user: then this access.db belongs to another archive. */
function toIssued<T>(
  issued: T,
  { revoked_ms }: Pick<IssuedRow, "revoked_ms">,
  user: UserRecord | undefined,
): Issued<T> | undefined {
  return user && { ...issued, user, isRevoked: revoked_ms !== null };
}

function toApplication(row: ApplicationRow): Application {
  return {
    secretID: row.secret_id,
    keyHash: row.key_hash,
    userId: row.user_id,
    createdMs: row.created_ms,
  };
}

function toBearer({
  id,
  kind,
  hash,
  user_id,
  secret_id,
  key_id,
  created_ms,
  expires_ms,
}: BearerRow): Bearer {
  return {
    id,
    kind,
    hash,
    userId: user_id,
    createdMs: created_ms,
    ...(secret_id !== null && { secretID: secret_id }),
    ...(key_id !== null && { keyId: key_id }),
    ...(expires_ms !== null && { expiresMs: expires_ms }),
  };
}
