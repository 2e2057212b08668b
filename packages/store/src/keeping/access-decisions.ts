// What an operator decides when the access log is not the one that it was: a new one for an archive that has lost its own, or the
// use of one that lacks rows. The log says so, and who decided it.
import { acceptLostRows, replaceLostAccess } from "../sqlite/access/access-pairing.ts";
import { appendAct } from "../sqlite/access/operator-row.ts";
import { openDatabase } from "../sqlite/files/database.ts";
import { checkArchive } from "./open-archive.ts";

export interface Decision {
  readonly directory: string;
  /** The name of whoever decides. */
  readonly operator: string;
}

/**
 * Makes an access.db, without any credentials, for the archive in `directory`. Throws `ArchiveError` when nothing is lost.
 */
export function beginAccessLogAnew({ directory, operator }: Decision): void {
  checkArchive(directory);
  using archive = openDatabase(directory);
  replaceLostAccess(archive, directory, (access) =>
    appendAct(access, { operation: "audit begin-anew", operator, asked: {} }),
  );
}

/**
 * Makes the archive in `directory` use an access.db that lost rows of its log; what is valid in it is valid from then on.
 * Returns what is lost. Throws `ArchiveError` when nothing is.
 */
export function acceptLostAccessRows({ directory, operator }: Decision): string {
  checkArchive(directory);
  using archive = openDatabase(directory);
  return acceptLostRows(archive, directory, (access, lost) =>
    appendAct(access, { operation: "audit accept-loss", operator, asked: { lost } }),
  );
}
