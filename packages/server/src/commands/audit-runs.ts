// Finds the commands of a log that have begun but have no row about their end.
import { type AccessLog, ArchiveError, type LogRow } from "@call-media/store";

/** A remark on a row; "" for most. */
export type RemarkOf = (row: LogRow) => string;

const BROKEN_OFF = "no outcome recorded (broke off?)";
const COPIED = "no outcome recorded here (the backup was made meanwhile)";

/** Reads the rows of commands since that time. */
export async function readRemarks(log: AccessLog, sinceMs: number | undefined): Promise<RemarkOf> {
  const open = await findOpen(log, sinceMs);
  return ({ run, outcome }) => (outcome === "begun" && run !== undefined && open.get(run)) || "";
}

/** The remark on each run without an end. */
async function findOpen(
  log: AccessLog,
  sinceMs: number | undefined,
): Promise<ReadonlyMap<string, string>> {
  const open = new Map<string, string>();
  try {
    for await (const { run, outcome, operation } of log.read({ sinceMs, hasOutcome: true })) {
      // A command that was running in the original archive ended there.
      if (operation === "restore" && outcome === "begun")
        for (const earlier of open.keys()) open.set(earlier, COPIED);
      if (run === undefined) continue;
      if (outcome === "begun") open.set(run, BROKEN_OFF);
      else open.delete(run);
    }
    return open;
  } catch (error) {
    // The end may follow a row that cannot be read; the list of the rows reports that.
    if (error instanceof ArchiveError) return new Map();
    throw error;
  }
}
