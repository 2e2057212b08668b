// Credentials and the access log: the clock they depend on, whose they are, and the chain of the log's rows.
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { ACCESS_DATABASE } from "../../files/database.ts";
import { findLoss, readWitness } from "../../access/access-witness.ts";
import { verifyChain } from "../../access/access-log.ts";
import type { ChainHead } from "../../../port/access-log.ts";
import { toStatusName, USER_STATUS } from "../../../values/user-status.ts";
import { error, type Finding, warning } from "./finding.ts";

// The tolerated difference between the clocks of two machines that take turns.
const CLOCK_TOLERANCE_MS = 60_000;

/** Without `archive`, which could not be read, nothing is said of users. */
export function examineAccess(
  access: DatabaseSync,
  options: {
    readonly archive: DatabaseSync | undefined;
    readonly directory: string;
    readonly now: () => number;
  },
): Finding[] {
  const file = join(options.directory, ACCESS_DATABASE);
  return [
    ...examineClock(access, file, options.now()),
    ...examineLog(access, options.archive && readWitness(options.archive), file),
    ...(options.archive === undefined ? [] : examineOwners(access, options.archive, file)),
  ];
}

function examineClock(access: DatabaseSync, file: string, nowMs: number): Finding[] {
  const newest = access
    .prepare(
      `SELECT created_ms AS ms,
         CASE kind WHEN 'token' THEN 'a token of application ' || secret_id ELSE 'API key ' || id END AS name
       FROM bearer WHERE revoked_ms IS NULL
       UNION ALL SELECT created_ms, 'application ' || secret_id FROM application WHERE revoked_ms IS NULL
       ORDER BY ms DESC LIMIT 1`,
    )
    .get();
  const newestMs = Number(newest?.["ms"] ?? 0);
  if (newestMs <= nowMs + CLOCK_TOLERANCE_MS) return [];
  return [
    error(
      `the clock of this machine is wrong, or was: it says ${toTime(nowMs)}, and ${String(newest?.["name"])} was issued at ${toTime(newestMs)}`,
      file,
      "set the clock (NTP): tokens end, and rows of the access log are dated, by it; if it is right, revoke what was issued while it was ahead",
    ),
  ];
}

function examineLog(
  access: DatabaseSync,
  witnessed: ChainHead | undefined,
  file: string,
): Finding[] {
  const loss = findLoss(access, witnessed);
  if (loss !== undefined)
    return [
      error(
        `the access log lost rows, or is that of an older copy: ${loss}`,
        file,
        'put the newest access.db back, with its access.db-wal; without one accept the loss with "audit accept-loss", and revoke again what was revoked since',
      ),
    ];
  const { fault } = verifyChain(access, { witnessed });
  if (fault === undefined) return [];
  return [
    error(
      `the access log was changed: ${fault}`,
      file,
      'keep a copy of the folder as it is and find out who could write to it; "audit verify" says the same',
    ),
  ];
}

// Users may not sign in unless they are active (D05, D20); their credentials stay good for the day they become so again.
function examineOwners(access: DatabaseSync, archive: DatabaseSync, file: string): Finding[] {
  const statusOf = archive.prepare("SELECT status FROM user WHERE id = ?");
  const issued = access
    .prepare(
      `SELECT 'application ' || secret_id AS name, user_id FROM application WHERE revoked_ms IS NULL
       UNION ALL SELECT 'API key ' || id, user_id FROM bearer WHERE kind = 'key' AND revoked_ms IS NULL`,
    )
    .all();
  return issued.flatMap((row) => {
    const status = statusOf.get(Number(row["user_id"]))?.["status"];
    if (status === USER_STATUS.active) return [];
    const fault =
      status === undefined ? "a user that does not exist" : `a user who is ${toStatusName(status)}`;
    return [
      warning(
        `${String(row["name"])} belongs to ${fault}: user ${String(row["user_id"])}`,
        file,
        "revoke it, unless the user is to come back",
      ),
    ];
  });
}

const toTime = (ms: number) => new Date(ms).toISOString();
