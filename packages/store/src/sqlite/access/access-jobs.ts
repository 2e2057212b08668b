// All writes to access.db: rows of the access log, credentials. Each job runs in its own transaction.
import type { DatabaseSync } from "node:sqlite";
import type { ChainHead } from "../../port/access-log.ts";
import { type Application, type Bearer, type Revocation, StoreFault } from "../../port/index.ts";
import { sealEntry } from "../../values/asked-seal.ts";
import { toRowHash } from "../../values/access-chain.ts";
import { toInsert, toNextDigest } from "../schema/digested.ts";
import { toApplicationRow, toBearerRow } from "./issued-rows.ts";
import { findCounterFault, findLoss, readHead } from "./access-witness.ts";
import { inTransaction, writeNothing } from "../files/transaction.ts";

export type AccessJob =
  /** `entries`: JSON texts, in their order. */
  | (Kept & {
      readonly kind: "append";
      readonly entries: readonly string[];
      /** Set to append to a log that lost rows: its counter need not match its rows. */
      readonly isAccepted?: boolean | undefined;
    })
  /** Writes, and changes nothing. */
  | (Kept & { readonly kind: "check" })
  | (Act & { readonly kind: "addApplication"; readonly application: Application })
  /** Tokens and sessions that expired before `forgetBeforeMs` go, or every sign-in would stay for ever. */
  | (Act & { readonly kind: "addBearer"; readonly bearer: Bearer; readonly forgetBeforeMs: number })
  | { readonly kind: "extend"; readonly sessionHash: string; readonly expiresMs: number }
  | (Act & { readonly kind: "revoke"; readonly which: Revocation; readonly nowMs: number });

interface Kept {
  /** The newest row that the caller knows. Nothing is written to a log that lacks it, whether or not its numbers were set back. */
  readonly kept?: ChainHead | undefined;
}

interface Act {
  /** The row of the operator's command, JSON. It is written together with the changes, or not at all. */
  readonly entry?: string | undefined;
}

/** The numbers of rows that a job changed. */
export interface Changed {
  readonly applications: number;
  readonly bearers: number;
  /** The newest row, if the job wrote or noted it. */
  readonly head?: ChainHead | undefined;
  /** The number of the last appended row. */
  readonly seq?: number | undefined;
}

/** Does a job completely or, if it throws, not at all. */
export function createAccessJobs(database: DatabaseSync): (job: AccessJob) => Changed {
  const append = createAppend(database);
  const add = createAdd(database);
  const extend = createExtend(database);
  const revoke = createRevoke(database);
  const change = (
    job: Extract<AccessJob, { readonly kind: `add${string}` | "revoke" }>,
  ): Changed => {
    if (job.kind === "revoke") return revoke(job.which, job.nowMs);
    if (job.kind === "addApplication") return add.application(job.application);
    return add.bearer(job.bearer, job.forgetBeforeMs);
  };
  const work = (job: AccessJob): Changed => {
    if (job.kind === "append") return append(job.entries, job);
    if (job.kind === "check") return check(database, job.kept);
    if (job.kind === "extend") return extend(job.sessionHash, job.expiresMs);
    const changed = change(job);
    const isChanged = changed.applications + changed.bearers > 0;
    if (job.entry !== undefined && isChanged) append([job.entry]);
    return changed;
  };

  return (job) => inTransaction(database, () => work(job));
}

// The last row is read within the transaction, because other processes write to the same chain. The number comes from
// AUTOINCREMENT, which remembers removed rows, so no new row reuses a number.
function createAppend(database: DatabaseSync) {
  const lastSeq = database.prepare(
    `SELECT max(ifnull((SELECT max(seq) FROM sqlite_sequence WHERE name = 'access'), 0),
       ifnull((SELECT max(seq) FROM access), 0)) AS seq`,
  );
  const lastHash = database.prepare(
    "SELECT hash FROM access WHERE seq = (SELECT max(seq) FROM access)",
  );
  const insert = database.prepare("INSERT INTO access (seq, entry, hash) VALUES (?, ?, ?)");

  return (entries: readonly string[], { kept, isAccepted = false }: AppendMeans = {}): Changed => {
    checkKept(database, kept, isAccepted);
    let seq = Number(lastSeq.get()?.["seq"] ?? 0);
    let last = String(lastHash.get()?.["hash"] ?? "");
    for (const entry of entries.map(sealEntry)) {
      seq += 1;
      last = toRowHash(last, seq, entry);
      insert.run(seq, entry, last);
    }
    const head = { seq, hash: last, timeMs: Number.NaN };
    return { applications: 0, bearers: 0, seq, head };
  };
}

type AppendMeans = Pick<Extract<AccessJob, { kind: "append" }>, "kept" | "isAccepted">;

function check(database: DatabaseSync, kept: ChainHead | undefined): Changed {
  checkKept(database, kept);
  writeNothing(database);
  return { applications: 0, bearers: 0, head: readHead(database) };
}

function checkKept(database: DatabaseSync, kept?: ChainHead, isAccepted = false): void {
  const loss = findLoss(database, kept) ?? (isAccepted ? undefined : findCounterFault(database));
  if (loss !== undefined) throw new StoreFault("lost", `the access log lost rows: ${loss}`);
}

function createAdd(database: DatabaseSync) {
  const application = database.prepare(toInsert("application"));
  const bearer = database.prepare(toInsert("bearer"));
  const forget = database.prepare("DELETE FROM bearer WHERE kind <> 'key' AND expires_ms < ?");

  return {
    application: (given: Application): Changed => {
      application.run(toApplicationRow(given));
      return { applications: 1, bearers: 0 };
    },
    bearer: (given: Bearer, forgetBeforeMs: number): Changed => {
      forget.run(forgetBeforeMs);
      bearer.run(toBearerRow(given));
      return { applications: 0, bearers: 1 };
    },
  };
}

function createExtend(database: DatabaseSync) {
  const update = database.prepare(
    `UPDATE bearer SET expires_ms = :expiresMs, digest = ${toNextDigest("bearer", { expires_ms: ":expiresMs" })}
     WHERE kind = 'session' AND hash = :sessionHash AND revoked_ms IS NULL`,
  );
  return (sessionHash: string, expiresMs: number): Changed => ({
    applications: 0,
    bearers: Number(update.run({ sessionHash, expiresMs }).changes),
  });
}

function createRevoke(database: DatabaseSync) {
  const update = (table: "application" | "bearer", condition: string) => {
    const statement = database.prepare(
      `UPDATE ${table} SET revoked_ms = :nowMs, digest = ${toNextDigest(table, { revoked_ms: ":nowMs" })}
       WHERE revoked_ms IS NULL AND ${condition}`,
    );
    return (value: string | number, nowMs: number) =>
      Number(statement.run({ nowMs, value }).changes);
  };
  const application = update("application", "secret_id = :value");
  const key = update("bearer", "kind = 'key' AND id = :value");
  const ofKey = update("bearer", "key_id = :value");
  const token = update("bearer", "kind <> 'key' AND hash = :value");
  const ofApplication = update("bearer", "secret_id = :value");
  const ofUser = update("bearer", "kind <> 'key' AND user_id = :value");
  const sessionsOfUser = update("bearer", "kind = 'session' AND user_id = :value");

  return (which: Revocation, nowMs: number): Changed => {
    if ("key" in which) {
      const bearers = key(which.key, nowMs);
      ofKey(which.key, nowMs);
      return { applications: 0, bearers };
    }
    if ("sessionsOf" in which)
      return { applications: 0, bearers: sessionsOfUser(which.sessionsOf, nowMs) };
    if ("tokenHash" in which) return { applications: 0, bearers: token(which.tokenHash, nowMs) };
    if ("application" in which) {
      const applications = application(which.application, nowMs);
      return { applications, bearers: ofApplication(which.application, nowMs) };
    }
    const { tokensOf: of } = which;
    const bearers = "userId" in of ? ofUser(of.userId, nowMs) : ofApplication(of.secretID, nowMs);
    return { applications: 0, bearers };
  };
}
