// Checks credentials and the access log: the clock they depend on, the archive they belong to, and the chain of the log's rows.
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { ACCESS_DATABASE } from "../../files/database.ts";
import { findLoss, readWitness } from "../../access/access-witness.ts";
import { verifyChain } from "../../access/access-log.ts";
import { toNotedLog } from "../../access/access-pairing.ts";
import { examineHeadNote } from "../../../media/head-note.ts";
import type { MediaNotes } from "../../../port/media.ts";
import type { ChainHead } from "../../../port/access-log.ts";
import {
  toClockFindings,
  toLogFindings,
  toOwnerFindings,
} from "../../../values/credential-findings.ts";
import { listAlteredRows } from "../../row-check.ts";
import { ACCESS_SCHEMA } from "../../schema/access-schema.ts";
import { toRowFindings } from "./examine-rows.ts";
import { error, type Finding, RESTORE } from "./finding.ts";

/** Without `archive`, which could not be read, users are not examined. */
export async function examineAccess(
  access: DatabaseSync,
  options: {
    readonly archive: DatabaseSync | undefined;
    readonly directory: string;
    readonly notes: MediaNotes | undefined;
    readonly now: () => number;
  },
): Promise<Finding[]> {
  const file = join(options.directory, ACCESS_DATABASE);
  const log = examineLog(access, options.archive && readWitness(options.archive), file);
  const noted = log.length > 0 ? [] : await examineHeadNote(options, toNotedLog(access), file);
  const altered = [...listAlteredRows(access, ACCESS_SCHEMA.digested)];
  return [
    ...toRowFindings(altered, file),
    ...examineRevocations(access, file),
    ...examineClock(access, file, options.now()),
    ...log,
    ...noted,
    ...(options.archive === undefined ? [] : examineOwners(access, options.archive, file)),
  ];
}

/** This number tells a running service that a credential was revoked. */
function examineRevocations(access: DatabaseSync, file: string): Finding[] {
  const rows = access.prepare("SELECT count FROM revocations").all();
  if (rows.length === 1) return [];
  return [error(`the table revocations has ${rows.length} rows in place of one`, file, RESTORE)];
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
  const issued = newest && { name: String(newest["name"]), ms: Number(newest["ms"]) };
  return toClockFindings(issued, nowMs, file);
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
  return toLogFindings(verifyChain(access, { witnessed }).fault, file);
}

function examineOwners(access: DatabaseSync, archive: DatabaseSync, file: string): Finding[] {
  const statusOf = archive.prepare("SELECT status FROM user WHERE id = ?");
  const issued = access
    .prepare(
      `SELECT 'application ' || secret_id AS name, user_id FROM application WHERE revoked_ms IS NULL
       UNION ALL SELECT 'API key ' || id, user_id FROM bearer WHERE kind = 'key' AND revoked_ms IS NULL`,
    )
    .all();
  return issued.flatMap((row) => {
    const [name, userId] = [String(row["name"]), Number(row["user_id"])];
    const owner = statusOf.get(userId);
    return toOwnerFindings({ name, userId, status: owner && Number(owner["status"]) }, file);
  });
}
