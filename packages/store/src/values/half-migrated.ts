// An archive that a migration has begun to fill: it has the id of the other one, but only a part of its contents.
import type { Finding } from "../port/finding.ts";
import { ArchiveError } from "../port/faults.ts";

/** `since`: the setting `migrating`. */
const describe = (since: string) =>
  `the migration into this archive that began at ${since} has not come to an end, so that it lacks some of what the other one has`;

const TODO = 'run "migrate" again, which completes it';

/** Throws `ArchiveError`. */
export function checkMigrated(since: string | undefined): void {
  if (since) throw new ArchiveError(`${describe(since)}: ${TODO}`);
}

export function toMigrationFindings(since: string | undefined, where: string): Finding[] {
  return since ? [{ level: "error", what: describe(since), where, todo: TODO }] : [];
}
