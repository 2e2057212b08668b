// `call-media-server history`: what a call, a user or a flag said before it was replaced, and who replaced it.
import type { HistoryOf, Maintenance } from "@call-media/store";
import { openMaintenance, openStore } from "@call-media/store/open";
import type { Command } from "commander";
import { console, io, toWholeNumber, UsageError } from "@call-media/terminal";
import { toPrintable } from "@call-media/service/printable";
import { addPlaces, type PlaceFlags, toPlaces } from "../command-line/places.ts";
import { recorded } from "../command-line/recorded.ts";
import { toHistoryLines, toHistoryText } from "./history-formats.ts";
import { tellOfNothing } from "./purge.ts";
import { findUser } from "./users.ts";

const HELP = `
A record that an import or a command replaces is kept: the fields that had other values, the recordings if they were others, and
who brought and who replaced it. Each state is made again of these and compared with the digest that it had. An erased
call has no history: its earlier states go with it.

  $ call-media-server history --data ./archive --call-id 300000000000001
  $ call-media-server history --data ./archive --user mia --json        whole states, one a line, the newest first

States are kept since the archive has the tables of this version. A dated state that arrives after a later one was never in the
archive. "migrate" and "export" leave earlier states behind; backups have them.

Exit code: 0 it is printed, or what had the identifier was erased, 2 a state is damaged, which is named, 3 nothing in the
archive has the identifier.`;

interface HistoryFlags extends PlaceFlags {
  readonly callId?: string;
  readonly user?: string;
  readonly flag?: number;
  readonly json?: true;
}

const DAMAGED = 2;
const UNKNOWN = 3;

export function configureHistory(command: Command): void {
  addPlaces(command, "the folder of the archive, or of a backup")
    .option("--call-id <id>", "the states of every record of this call")
    .option("--user <name>", "the states of this user")
    .option("--flag <id>", "the states of this flag", toWholeNumber(0, Number.MAX_SAFE_INTEGER))
    .option("--json", "print whole states, one a line, as JSON")
    .addHelpText("after", HELP)
    .action(printHistory);
}

async function printHistory(flags: HistoryFlags): Promise<void> {
  const archive = await openMaintenance(toPlaces(flags));
  const of = await toHistoryOf(flags);
  const callIds = "callId" in of ? [of.callId] : [];
  const asked = { ...of };
  const states = await recorded({ log: archive, operation: "history", asked, callIds }, () =>
    archive.history(of),
  );
  if (states.length === 0) return await tellOfNone(archive, of);
  if (flags.json) console.log(toHistoryLines(states));
  else for (const line of toHistoryText(toName(of, flags), states)) console.log(toPrintable(line));
  if (!states.every(({ isWhole }) => isWhole)) {
    console.error(
      "call-media-server: a state is not what was written, or states are missing: doctor names them",
    );
    io().exitCode = DAMAGED;
  }
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
