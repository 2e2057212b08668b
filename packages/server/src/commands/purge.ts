// `call-media-server purge`: erases calls from an archive permanently, by age, without a datetime, or by identifier.
import { createInterface } from "node:readline/promises";
import type { ErasureFilter, ErasurePlan, ErasureReport, Maintenance } from "@call-media/store";
import { openMaintenance } from "@call-media/store/open";
import { toAsked, toTimeName } from "@call-media/store/values";
import type { Command } from "commander";
import { toOperator } from "../command-line/operator.ts";
import { createProgress } from "../command-line/progress.ts";
import { type Ending, recorded } from "../command-line/recorded.ts";
import { console, io, readIds, toCounted, UsageError } from "@call-media/terminal";
import { addPlaces, type PlaceFlags, toPlaces } from "../command-line/places.ts";
import { toPrintable } from "@call-media/service/printable";
import { CALL_IDS, checkReason } from "./hold.ts";
import { toErasedText, toRule } from "./erased-text.ts";

const HELP = `
purge removes records, their chats and search entries, and recordings that no other call has. Nothing of them can be
read from the archive's files any more; the room in the database is used again. Users and flags stay.

  $ call-media-server purge --data ./archive --before 2024-01-01 --dry-run
  $ call-media-server purge --data ./archive --before 2024-01-01 --yes       for a nightly job
  $ call-media-server purge --data ./archive --call-id 300000000000001

  $ call-media-server purge --data ./archive --call-ids person.txt --case GDPR-2026-118 --yes

--before removes the calls whose last record is from before that day in the archive's time zone, and chat messages of that time
that belong to no call. It parts no call, as "retention apply" does not: all records of one call_id go or stay. A call with a record
without a datetime stays: --undated removes each such record. --ref-id removes every call that
the service finds by this reference, session or master identifier; one that a call had before it was replaced is found
by "history" alone. The earlier states of a call go with it. Files that belong to no call are removed as well, and printed. Linked recordings stay where they are; their paths are printed, too.

--sound removes the recordings alone, those of all records of a call and of its earlier states at once. The records stay
as they are and still name the files; the service answers for them as for calls without a recording. A later import does
not bring the recordings back. It goes with each of the options that say which calls, except --owed.

What a hold keeps stays, whole, and is counted. Of a purge by identifier it is owed: --owed removes what was named, the call or the records
with the reference, when the hold is released. Sound alone is never owed: run it again after the release.

A later import leaves it out, whatever it says of the call, unless it is given --restore-erased: for ever what was
removed by identifier, by age up to the day after. The archive keeps keyed hashes of identifiers for that, from which
nothing can be read.

What stays: the access log still says who saw which call_id and when, and that this purge was run; backups keep what
they hold. Make a new backup in an empty folder, and remove the old ones.

Before anything goes, an entry of the ledger says what goes: keyed hashes, in the folder "ledger" beside the records, or
beside the recordings where these lie apart. Each backup that can be reached gets it, too. An archive that is behind its
ledger, because a purge was cut off or an earlier state was put back, removes the rest before anybody writes to it.

The service may keep running; an import or a backup may not. Run an interrupted purge again to complete it.

In a bucket every version of a recording is deleted. What an object lock of the bucket keeps is listed: run purge again
when the lock has ended.

Exit code: 0 everything is removed, now or by an earlier purge, 1 nothing was, or it was interrupted, 2 the rows are
removed, but the bucket keeps recordings, or the database's log still holds some because another process was reading, or
the disk has no room to rewrite the database, which the first purge of an archive does: run it again, 3 nothing in the archive has the identifier, or one of --call-ids, which is named,
4 a hold keeps some of the calls that were named. Where 2 and 4 are both so it is 2: run again, it says what is held.`;

interface PurgeFlags extends PlaceFlags {
  readonly before?: string;
  readonly undated?: true;
  readonly callId?: string;
  readonly refId?: string;
  readonly callIds?: string;
  readonly owed?: true;
  readonly sound?: true;
  readonly case?: string;
  readonly dryRun?: true;
  readonly yes?: true;
}

const NOT_REACHED =
  "Backups made before still have it: make a new one in an empty folder, and remove the old ones.";

const NOT_REACHED_ELSEWHERE =
  "Backups made before still have it, and so have replicas and snapshots of the places: remove them, or wait until they expire.";

const LOG_LEFT = 2;
const UNKNOWN = 3;
export const HELD = 4;

export function configurePurge(command: Command): void {
  addPlaces(command)
    .option("--before <day>", "remove calls whose last record is from before this day, YYYY-MM-DD")
    .option("--undated", "remove every record without a datetime")
    .option("--call-id <id>", "remove every record of this call")
    .option(
      "--ref-id <id>",
      "remove every record with this reference, session or master identifier",
    )
    .option("--call-ids <file>", "remove every record of these calls: identifiers, one a line")
    .option("--owed", "remove what a purge has named while a hold, now released, kept it")
    .option("--sound", "remove the recordings of these calls alone: their records stay")
    .option("--case <text>", "why, such as the number of a case: the log and the ledger have it")
    .option("--dry-run", "show what would be removed, and change nothing")
    .option("--yes", "do not ask")
    .addHelpText("after", HELP)
    .action(async (flags: PurgeFlags) => {
      if (flags.case !== undefined) checkReason(flags.case, "--case");
      const filter = await toFilter(flags);
      const archive = await openMaintenance(toPlaces(flags));
      if (flags.dryRun) {
        const plan = await archive.planErasure(filter);
        tell("Dry run, nothing was taken", plan, filter);
        tellHeld(plan, filter);
        tellBehind(plan);
        tellOfNothing(plan, flags);
        return;
      }
      if (!flags.yes && !(await confirm(archive, filter))) return console.log("Nothing was taken.");
      const plan = await purge(archive, { filter, ofCase: flags.case });
      // A nightly job can do nothing about held sound.
      const isNamed = (flags.callId ?? flags.callIds ?? flags.refId) !== undefined;
      if (flags.sound && isNamed && plan.held !== undefined) io().exitCode ??= HELD;
      tellOfNothing(plan, flags);
    });
}

async function toFilter({ sound, ...flags }: PurgeFlags): Promise<ErasureFilter> {
  if (sound && flags.owed)
    throw new UsageError("--sound does not go with --owed: sound is never owed");
  return { ...(await toCallFilter(flags)), ...(sound && { isSound: true }) };
}

async function toCallFilter(flags: PurgeFlags): Promise<ErasureFilter> {
  const { before, undated, callId, refId, callIds, owed } = flags;
  const given = [before, undated, callId, refId, callIds, owed].filter(
    (value) => value !== undefined,
  );
  if (given.length !== 1)
    throw new UsageError(
      "give one of --before with a day, --undated, --call-id, --call-ids, --ref-id and --owed",
    );
  if (callIds !== undefined) return { callIds: await readIds(callIds, CALL_IDS) };
  if (owed) return { isOwed: true };
  if (callId === "") throw new UsageError("--call-id must not be empty");
  if (refId === "") throw new UsageError("--ref-id must not be empty");
  if (undated) return { isUndated: true };
  if (callId !== undefined) return { callId };
  return refId === undefined ? { before: before ?? "" } : { reference: refId };
}

export async function confirm(archive: Maintenance, filter: ErasureFilter): Promise<boolean> {
  const plan = await archive.planErasure(filter); // first: it refuses an invalid directory or day
  if (plan.calls + plan.chats + plan.files === 0) return true;
  tellHeld(plan, filter);
  if (!io().stdin.isTTY)
    throw new UsageError("add --yes: there is no terminal to ask on; --dry-run says what would go");
  tellBehind(plan);
  using terminal = createInterface({ input: io().stdin, output: io().stderr });
  const answer = await terminal.question(
    `Take out ${toErasedText(plan, filter.isSound)}, for good? [y/N] `,
  );
  return /^y(?:es)?$/i.test(answer.trim());
}

function tell(what: string, plan: ErasurePlan, { isSound }: ErasureFilter): void {
  console.log(`${what}: ${toErasedText(plan, isSound)}.`);
  for (const path of plan.ofNoRecord) console.log(toPrintable(`of no record: ${path}`));
  for (const path of plan.unlinked) console.log(`linked, and left where it is: ${path}`);
}

/** Empty if nothing is held. */
export function toHeldLine({ held }: ErasurePlan, isSound = false): readonly string[] {
  if (held === undefined) return [];
  const { calls, holds, isOwed } = held;
  const owed = isOwed ? '. They are owed: "purge --owed" removes them after the release' : "";
  const what = `${isSound ? "the sound of " : ""}${toCounted(calls, "call")}`;
  return [`Held: ${what}, kept, by ${holds.join(", ")}${owed}.`];
}

function tellHeld(plan: ErasurePlan, { isSound }: ErasureFilter): void {
  for (const line of toHeldLine(plan, isSound)) console.log(toPrintable(line));
  if (plan.held?.isOwed) io().exitCode = HELD;
}

function tellBehind({ behind = 0 }: ErasurePlan): void {
  if (behind > 0)
    console.log(
      `This archive is behind its ledger by ${toCounted(behind, "entry", "entries")}: the next purge or import removes what they name.`,
    );
}

// A misspelt identifier must not look like one whose calls were erased: the operator may have to prove the erasure.
export function tellOfNothing(
  { calls, chats, taken, held, soundless = 0, unknown = [] }: ErasurePlan,
  { callId, refId }: Pick<PurgeFlags, "callId" | "refId">,
): void {
  if (unknown.length > 0) tellUnknown(unknown);
  if ((callId ?? refId) === undefined || calls + chats > 0 || held !== undefined) return;
  const name = toPrintable(callId === undefined ? `ref_id ${refId}` : `call_id ${callId}`);
  if (taken !== undefined) {
    const time = toTimeName(taken.timeMs);
    return console.log(`What had the ${name} was taken out on ${time} by ${toRule(taken.asked)}.`);
  }
  if (soundless > 0)
    return console.log(`${toCounted(soundless, "record")} with the ${name}, without a recording.`);
  console.error(
    `call-media-server: no call and no chat message in this archive has exactly the ${name}, and no purge in its access log was for it`,
  );
  io().exitCode ??= UNKNOWN;
}

function tellUnknown(callIds: readonly string[]): void {
  console.error(
    `call-media-server: ${toCounted(callIds.length, "identifier")} of --call-ids: no call and no chat message in this archive has it, and no purge took it`,
  );
  for (const callId of callIds) console.error(toPrintable(`  ${callId}`));
  io().exitCode ??= UNKNOWN;
}

/** The erasure has a row in the middle, with what it has found. */
interface Purge {
  readonly filter: ErasureFilter;
  readonly ofCase?: string | undefined;
  readonly operation?: "purge" | "retention apply";
}

async function erase(
  archive: Maintenance,
  { filter, ofCase, operation = "purge" }: Purge,
): Promise<ErasureReport> {
  const callIds = "callId" in filter ? [filter.callId] : "callIds" in filter ? filter.callIds : [];
  const asked = { ...toAsked(filter), ...(ofCase !== undefined && { case: ofCase }) };
  const command = { operation, asked, callIds };
  return await recorded({ log: archive, ...command, toEnding }, async (run) => {
    using progress = createProgress();
    return await archive.erase(filter, {
      operator: toOperator(),
      run,
      case: ofCase,
      onProgress: progress.update,
    });
  });
}

function toEnding({ calls, chats, files, retained, held }: ErasureReport): Ending {
  const kept = held === undefined ? {} : { held: held.calls };
  const sounds = { files: files - retained.length, retained: retained.length };
  return { counts: { calls, chats, ...sounds, ...kept } };
}

function toRest({ roomBytes }: ErasureReport): string {
  if (roomBytes === undefined)
    return "the database's log still holds what was taken out, as somebody reads an old state:";
  return `earlier states of what was taken out may still be read in the database, as the disk has no room to rewrite it: make ${roomBytes.toLocaleString("en")} bytes free on it, then`;
}

/** Where else the erased data may be, as far as the archive knows. */
function toBackupLines(archive: Maintenance, { backups }: ErasureReport): readonly string[] {
  if (archive.snapshot === undefined) return [NOT_REACHED_ELSEWHERE];
  const { reached = [], missed = [], gone = [] } = backups ?? {};
  return [
    ...reached.map((one) => `A restore of the backup in ${one} removes it again.`),
    ...missed.map((one) => `The backup in ${one} was not reached: restore it with --ledger.`),
    ...gone.map(
      (one) =>
        `The backup in ${one} is not there any more. If it was moved, or its disk is away: restore it with --ledger. It is not named again.`,
    ),
    NOT_REACHED,
  ];
}

export async function purge(archive: Maintenance, of: Purge): Promise<ErasurePlan> {
  const report = await erase(archive, of);
  tell("Taken out", report, of.filter);
  tellHeld(report, of.filter);
  if (report.calls + report.chats + report.files > 0)
    for (const line of toBackupLines(archive, report)) console.log(toPrintable(line));
  for (const kept of report.retained)
    console.error(toPrintable(`call-media-server: not deleted yet: ${kept.name}, by ${kept.by}`));
  if (report.retained.length > 0) io().exitCode = LOG_LEFT;
  if (report.isComplete) return report;
  console.error(`call-media-server: ${toRest(report)} run purge again`);
  io().exitCode = LOG_LEFT;
  return report;
}
