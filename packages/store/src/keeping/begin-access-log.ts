// A new access log for an archive that has lost its own: begun by an operator on purpose, and the log says so.
import type { BeginningEntry } from "../access-log.ts";
import { createAccessJobs } from "../sqlite/access/access-jobs.ts";
import { replaceLostAccess } from "../sqlite/access/access-pairing.ts";
import { openDatabase } from "../sqlite/files/database.ts";
import { checkArchive } from "./open-archive.ts";

/**
 * Makes an access.db, without any credentials, for the archive in `directory`. `operator`: the name of whoever does so.
 * Throws `ArchiveError` when nothing is lost.
 */
export function beginAccessLogAnew(options: {
  readonly directory: string;
  readonly operator: string;
}): void {
  const { directory, operator } = options;
  checkArchive(directory);
  using archive = openDatabase(directory);
  const entry: BeginningEntry = {
    timeMs: Date.now(),
    operation: "audit begin-anew",
    operator,
    asked: {},
    callIds: [],
  };
  replaceLostAccess(archive, directory, (access) => {
    createAccessJobs(access)({ kind: "append", entries: [JSON.stringify(entry)] });
  });
}
