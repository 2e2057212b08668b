// `call-media-server hold`: keeps calls from being purged or corrected until the hold is released.
import type { HoldQuery, ListedHold, Maintenance, NewHold } from "@call-media/store";
import { openMaintenance } from "@call-media/store/open";
import { checkWhere } from "@call-media/store/values";
import type { Command } from "commander";
import { toPrintable } from "@call-media/service/printable";
import { console, io, readIds, toCounted, UsageError } from "@call-media/terminal";
import { toOperator } from "../command-line/operator.ts";
import { addPlaces, type PlaceFlags, toPlaces } from "../command-line/places.ts";
import { recorded } from "../command-line/recorded.ts";
import {
  listAwaited,
  toErasedLines,
  toFields,
  toHoldLines,
  toText,
  toWholeJson,
} from "./hold-text.ts";

const ADD_HELP = `
No purge removes a held call, in none of its records, messages, recordings and earlier states. A hold of a query also keeps the calls
that will fit it, and a call that fitted it stays held whatever a later import says of it. Earlier states count as well. A hold that
is added while a purge runs keeps all that has not gone yet.

  $ call-media-server hold add --data ./archive smith-v-acme --reason "litigation 2026/118" --words '"John Smith"' --from 2025-01-01
  $ call-media-server hold add --data ./archive audit-7 --reason "audit 7" --where '{"campaign":["Complaints"]}'
  $ call-media-server hold add --data ./archive case-118 --reason "case 118" --call-ids ids.txt

All conditions hold at once. The file of --call-ids has identifiers, one a line, or is a CSV with a column call_id; - is standard input.
Those that nothing in the archive has are named, and are held when they come. An erased call is named with the purge that removed it.
A purge by identifier remembers what a hold kept from it: "purge --owed" removes that after the release.

Nobody who asks the service can tell that a call is held.

The ledger has the hold as well, and so have those of the backups that can be reached: a restore of an earlier backup has it, and so has a
database that is put back. A release leaves only its name and the date there.

Exit code: 0 it is added, 1 the name is taken, or the query cannot be read, 2 it is added, but the ledger could not be read or written, so
that some of what it counts may be erased when it can, 3 it is added, and nothing fits it now.`;

const LIST_HELP = `
  $ call-media-server hold list --data ./archive --json     one hold a line

The calls of a query are counted by reading all records.`;

const SHOW_HELP = `
  $ call-media-server hold show --data ./archive smith-v-acme

pinned: a call_id that the hold keeps whatever its records say: it was given, or an earlier state of the call fitted. awaited: it is pinned
and not in the archive now. erased: a purge removed it before the hold, so imports leave it out. owed: a purge by call_id has named it
since, with the case of that purge. What is owed by a reference is not listed. "purge --owed" removes both after the release.

Exit code: 0 it is printed, 3 there is no such hold.`;

const RELEASE_HELP = `
What was held can be removed again. Nothing goes by the release itself: "purge --owed" removes what purges have named meanwhile.

  $ call-media-server hold release --data ./archive smith-v-acme --reason "settled"

Exit code: 0 it is released, 3 there is no such hold.`;

const UNREAD = 2;
const NOTHING = 3;

interface AddFlags extends PlaceFlags {
  readonly reason: string;
  readonly where?: string;
  readonly words?: string;
  readonly from?: string;
  readonly to?: string;
  readonly callIds?: string;
}

export function configureHold(command: Command): void {
  const add = command
    .command("add <name>")
    .summary("keep calls from purges")
    .description("keep calls from purges and corrections, until the hold is released");
  addPlaces(add)
    .requiredOption("--reason <text>", "why: the access log has it")
    .option("--where <json>", "fields, each with a list of values, of which a call has one")
    .option("--words <query>", "a search by words")
    .option("--from <day>", "calls from this day on, YYYY-MM-DD")
    .option("--to <day>", "calls up to this day, YYYY-MM-DD")
    .option("--call-ids <file>", "instead of a query: identifiers, one a line")
    .addHelpText("after", ADD_HELP)
    .action(addHold);
  const list = command.command("list").description("list holds, and how many calls each keeps");
  addPlaces(list)
    .option("--json", "print a hold a line, as JSON")
    .addHelpText("after", LIST_HELP)
    .action(listHolds);
  const show = command
    .command("show <name>")
    .description("print a hold: who added it and why, what it covers, pins and is owed");
  addPlaces(show)
    .option("--json", "print it as JSON")
    .addHelpText("after", SHOW_HELP)
    .action(showHold);
  const release = command
    .command("release <name>")
    .description("end a hold: what it kept can be removed again");
  addPlaces(release)
    .requiredOption("--reason <text>", "why: the access log has it")
    .addHelpText("after", RELEASE_HELP)
    .action(releaseHold);
}

export function checkReason(reason: string, option = "--reason"): void {
  if (reason.trim() === "")
    throw new UsageError(`${option} must not be empty: the access log has it`);
}

async function addHold(name: string, flags: AddFlags): Promise<void> {
  checkReason(flags.reason);
  const holds = await toHolds(flags);
  const archive = await openMaintenance(toPlaces(flags));
  const { reason } = flags;
  const isOfIds = "callIds" in holds;
  const command = {
    operation: "hold add",
    asked: { hold: name, reason, ...(isOfIds ? { call_ids: holds.callIds.length } : holds) },
    callIds: isOfIds ? holds.callIds : [],
  } as const;
  const added = await recorded({ log: archive, ...command, toEnding: toCounts }, (run) => {
    const by = { operation: "hold add", operator: toOperator(), run } as const;
    return archive.holds.add({ name, reason, holds }, by);
  });
  const later = isOfIds ? "" : ", and those that will fit";
  console.log(toPrintable(`${name} holds ${toCounted(added.calls, "call")} now${later}.`));
  tellMissing(added);
  for (const backup of added.missed ?? [])
    console.error(
      toPrintable(
        `call-media-server: the backup in ${backup} was not reached: restore it with --ledger, or back up again`,
      ),
    );
  if (added.calls === 0) io().exitCode = NOTHING;
  if (added.unread === undefined) return;
  console.error(
    toPrintable(
      `call-media-server: the hold is added, but the ledger could not be read or written: ${added.unread}. It may say that some of these calls are erased, and a restore would lack the hold: the next import or purge that reaches the ledger writes it there`,
    ),
  );
  io().exitCode = UNREAD;
}

function tellMissing(hold: ListedHold): void {
  const { erased } = hold;
  const awaited = listAwaited(hold);
  if (awaited.length > 0)
    console.error(
      `call-media-server: ${toCounted(awaited.length, "identifier")} of --call-ids: not in this archive now, and held when it comes`,
    );
  for (const callId of awaited) console.error(toPrintable(`  ${callId}`));
  if (erased.length > 0)
    console.error(
      `call-media-server: ${toCounted(erased.length, "identifier")} of --call-ids: erased before this hold, and left out by imports`,
    );
  for (const line of toErasedLines(hold)) console.error(toPrintable(`  ${line}`));
}

const toCounts = ({ calls }: ListedHold) => ({ counts: { calls } });

async function toHolds(flags: AddFlags): Promise<NewHold["holds"]> {
  const { where, words, from, to, callIds } = flags;
  const query: HoldQuery = {
    ...(where !== undefined && { where: checkWhere(parseJson(where), "--where") }),
    ...(words !== undefined && { words }),
    ...(from !== undefined && { fromDay: from }),
    ...(to !== undefined && { toDay: to }),
  };
  const isQuery = Object.keys(query).length > 0;
  if (isQuery === (callIds !== undefined))
    throw new UsageError(
      "say what it holds: --call-ids with a file, or one or more of --where, --words, --from and --to",
    );
  return callIds === undefined ? query : { callIds: await readIds(callIds, CALL_IDS) };
}

export const CALL_IDS = { option: "--call-ids" };

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--where is no JSON: give it like '{"campaign":["Complaints"]}'`);
  }
}

async function listHolds(flags: PlaceFlags & { readonly json?: true }): Promise<void> {
  const archive = await openMaintenance(toPlaces(flags));
  const holds = await recorded({ log: archive, operation: "hold list", asked: {} }, () =>
    archive.holds.list(),
  );
  for (const hold of holds)
    console.log(flags.json ? JSON.stringify(toFields(hold)) : toPrintable(toText(hold)));
  if (holds.length === 0 && !flags.json) console.log("This archive has no holds.");
}

async function showHold(name: string, flags: PlaceFlags & { readonly json?: true }): Promise<void> {
  const archive = await openMaintenance(toPlaces(flags));
  const holds = await recorded(
    { log: archive, operation: "hold show", asked: { hold: name } },
    () => archive.holds.list(),
  );
  const hold = holds.find((one) => one.name === name);
  if (hold === undefined) return tellUnknown(name);
  if (flags.json) return console.log(toWholeJson(hold));
  for (const line of toHoldLines(hold)) console.log(toPrintable(line));
}

function tellUnknown(name: string): void {
  console.error(toPrintable(`call-media-server: there is no hold ${name}: see "hold list"`));
  io().exitCode = NOTHING;
}

async function releaseHold(
  name: string,
  flags: PlaceFlags & { readonly reason: string },
): Promise<void> {
  checkReason(flags.reason);
  const archive: Maintenance = await openMaintenance(toPlaces(flags));
  const asked = { hold: name, reason: flags.reason };
  const owed = await recorded({ log: archive, operation: "hold release", asked }, () =>
    archive.holds.release(name),
  );
  if (owed === undefined) return tellUnknown(name);
  const rest = owed === 0 ? "" : ` ${toCounted(owed, "call")} owed an erasure: purge --owed`;
  console.log(toPrintable(`${name} is released.${rest}`));
}
