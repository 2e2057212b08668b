// The row that an operator's command leaves in the access log.
import type { DatabaseSync } from "node:sqlite";
import type { OperatorAct } from "../../port/access-log.ts";
import { toOperatorEntry } from "../../values/access-chain.ts";
import { createAccessJobs } from "./access-jobs.ts";
import { openAccessOf } from "./access-pairing.ts";
import { tryUpdateWitness } from "./access-witness.ts";

/** Writes the row; it is on the disk when this returns. */
export function appendAct(access: DatabaseSync, act: OperatorAct): void {
  const isAccepted = act.operation === "audit accept-loss";
  createAccessJobs(access)({ kind: "append", entries: [toOperatorEntry(act)], isAccepted });
}

/** Writes it to the log of the archive in `directory`. Throws `ArchiveError` if that cannot be used. */
export function recordAct(archive: DatabaseSync, directory: string, act: OperatorAct): void {
  using access = openAccessOf(archive, directory);
  appendAct(access, act);
  tryUpdateWitness(archive, access);
}
