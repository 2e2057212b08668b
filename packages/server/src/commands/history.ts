// `call-media-server history`: what a call, a user or a flag said before it was replaced, and who replaced it.
import type { HistoryOf, HistoryState, Maintenance } from "@call-media/store";
import { findDayFault, toDayRange } from "@call-media/store/values";
import { openMaintenance, openStore } from "@call-media/store/open";
import type { Command } from "commander";
import { console, io, toWholeNumber, UsageError } from "@call-media/terminal";
import { toPrintable } from "@call-media/service/printable";
import { addPlaces, type PlaceFlags, toPlaces } from "../command-line/places.ts";
import { recorded } from "../command-line/recorded.ts";
import { toHistoryLines, toHistoryText, toMomentText } from "./history-formats.ts";
import { tellOfNothing } from "./purge.ts";
import { readOwn } from "./retention-plan.ts";
import { findUser } from "./users.ts";

const HELP = `
A record that an import or a command replaces is kept: the fields that had other values, the recordings if they were others, and
who brought and who replaced it. Each state is made again of these and compared with the digest that it had. An erased
call has no history: its earlier states go with it.

  $ call-media-server history --data ./archive --call-id 300000000000001
  $ call-media-server history --data ./archive --user mia --json        whole states, one a line, the newest first
  $ call-media-server history --data ./archive --call-id 300000000000001 --at 2026-01-31

--at prints the states that the archive had at the end of that day, in its time zone.

States are kept since the archive has the tables of this version. A dated state that arrives after a later one was never in the
archive. "migrate" leaves earlier states behind, and an import reads none; backups have them, and "export --with-history" writes them.

Exit code: 0 it is printed, or what had the identifier was erased, 2 a state is damaged, which is named, 3 nothing in the
archive has the identifier.`;

interface HistoryFlags extends PlaceFlags {
  readonly callId?: string;
  readonly user?: string;
  readonly flag?: number;
  readonly at?: string;
  readonly json?: true;
}

const DAMAGED = 2;
const UNKNOWN = 3;

export function configureHistory(command: Command): void {
  addPlaces(command, "the folder of the archive, or of a backup")
    .option("--call-id <id>", "the states of every record of this call")
    .option("--user <name>", "the states of this user")
    .option("--flag <id>", "the states of this flag", toWholeNumber(0, Number.MAX_SAFE_INTEGER))
    .option("--at <day>", "only what it said at the end of this day, YYYY-MM-DD, whole")
    .option("--json", "print whole states, one a line, as JSON")
    .addHelpText("after", HELP)
    .action(printHistory);
}

async function printHistory(flags: HistoryFlags): Promise<void> {
  const archive = await openMaintenance(toPlaces(flags));
  const of = await toHistoryOf(flags);
  const callIds = "callId" in of ? [of.callId] : [];
  const asked = { ...of };
  const moment = flags.at === undefined ? undefined : await toMoment(archive, flags.at);
  const states = await recorded({ log: archive, operation: "history", asked, callIds }, () =>
    archive.history(of),
  );
  if (states.length === 0) return await tellOfNone(archive, of);
  const shown = moment === undefined ? states : states.filter(isOf(moment.untilMs));
  const name = toName(of, flags);
  if (moment !== undefined && shown.length === 0) return tellOfNoneThen(name, moment.text);
  const toText = () =>
    moment === undefined
      ? toHistoryText(name, shown)
      : toMomentText(name, { shown, states }, moment.text);
  if (flags.json) console.log(toHistoryLines(shown));
  else for (const line of toText()) console.log(toPrintable(line));
  if (!states.every(({ isWhole }) => isWhole)) {
    console.error(
      "call-media-server: a state is not what was written, or states are missing: doctor names them",
    );
    io().exitCode = DAMAGED;
  }
}

async function toMoment(archive: Maintenance, day: string) {
  const fault = findDayFault(day);
  if (fault !== undefined) throw new UsageError(`--at: ${fault}`);
  const { timeZone } = await readOwn(archive);
  const { untilMs } = toDayRange(day, day, timeZone);
  return { untilMs, text: `at the end of ${day}` };
}

/** A function that is true for a state that the archive had before this instant, and still then. */
const isOf =
  (untilMs: number) =>
  ({ brought, replaced }: HistoryState): boolean =>
    (brought?.atMs ?? -Infinity) < untilMs && (replaced?.atMs ?? Infinity) >= untilMs;

function tellOfNoneThen(name: string, when: string): void {
  console.error(toPrintable(`call-media-server: the archive had no ${name} ${when}`));
  io().exitCode = UNKNOWN;
}

async function toHistoryOf(flags: HistoryFlags): Promise<HistoryOf> {
  const { callId, user, flag } = flags;
  const given = [callId, user, flag].filter((value) => value !== undefined);
  if (given.length !== 1) throw new UsageError("give one of --call-id, --user and --flag");
  if (callId === "") throw new UsageError("--call-id must not be empty");
  if (callId !== undefined) return { callId };
  if (flag !== undefined) return { flagId: flag };
  await using store = await openStore(toPlaces(flags));
  return { userId: (await findUser(store, user ?? "")).id };
}

function toName(of: HistoryOf, { user, flag }: HistoryFlags): string {
  if ("callId" in of) return `call_id ${of.callId}`;
  return "userId" in of ? `user ${user}` : `flag ${flag}`;
}

async function tellOfNone(archive: Maintenance, of: HistoryOf): Promise<void> {
  if ("callId" in of) return tellOfNothing(await archive.planErasure(of), of);
  console.error("call-media-server: nothing in this archive has that identifier");
  io().exitCode = UNKNOWN;
}
