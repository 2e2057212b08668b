// `call-media-server retention`: applies a policy that says how long calls are kept, and removes those that are due.
import { readFile } from "node:fs/promises";
import { ArchiveError, type DatedRecord, type Maintenance } from "@call-media/store";
import { openMaintenance } from "@call-media/store/open";
import {
  createRetention,
  findDayFault,
  parsePolicy,
  type RetentionPolicy,
  toDay,
} from "@call-media/store/values";
import { toPrintable } from "@call-media/service/printable";
import type { Command } from "commander";
import { console, io, printTable, toCounted, UsageError } from "@call-media/terminal";
import { addPlaces, type PlaceFlags, toPlaces } from "../command-line/places.ts";
import { recorded } from "../command-line/recorded.ts";
import { toErasedText } from "./erased-text.ts";
import { HELD, purge, tellHeld } from "./purge.ts";

const SET_HELP = `
The policy is a file of JSON:

  { "retention": 1,
    "otherwise": { "keep": "18 months" },
    "rules": [
      { "name": "complaints", "where": { "campaign": ["Complaints", "Billing"] }, "keep": "7 years" },
      { "name": "payments", "where": { "disposition": ["Payment taken"] }, "erase": "30 days" } ] }

Periods are days, months or years, by the calendar of the archive's time zone. Of several rules that keep a call the longest counts.
A rule that erases wins over every rule that keeps; of several the shortest counts. "otherwise" is for calls that no keep fits, and for
messages of no call; without it those stay. The order of the rules means nothing.

All records of one call_id are one call: a rule fits it if it fits one of them, the period begins with the last of them, and all of
them go or none.

  $ call-media-server retention plan --data ./archive --policy policy.json      what would be due
  $ call-media-server retention set --data ./archive policy.json

Nothing goes by setting a policy: "retention apply" removes what is due. A rule that fits no call is named: its values may be
misspelt. For that every call is read. The access log has each policy that was set.

Exit code: 0 it is set, 1 the file is no policy: the place and the reason are named.`;

const PLAN_HELP = `
  $ call-media-server retention plan --data ./archive --at 2027-01-01

The table counts the records that are due by each rule, also those that a hold keeps; the line below it leaves these out. A rule that
fits no call, due or not, is named. It reads every call. Exit code: 0 it is printed, 1 there is no policy.`;

const APPLY_HELP = `
  $ call-media-server retention apply --data ./archive --yes      for a nightly job

It removes what is due, as purge does, and then what was owed when a hold was released. What a hold keeps is never due: it stays,
whole, and is counted. A call with a record without a datetime is never due: see "purge --undated". Stopped at any moment, the next run goes on.
A later import leaves out what was removed, as after a purge by age.

Exit code: 0 nothing is due any more but what is held, 1 nothing was done, or it was interrupted, 2 as of purge.`;

interface Flags extends PlaceFlags {
  readonly policy?: string;
  readonly at?: string;
  readonly yes?: true;
}

export function configureRetention(command: Command): void {
  addPlaces(command.command("set <file>").description("set the policy of an archive"))
    .addHelpText("after", SET_HELP)
    .action(setPolicy);
  addPlaces(command.command("show").description("print the policy of an archive")).action(
    async (flags: Flags) => console.log(await readPolicy(await openMaintenance(toPlaces(flags)))),
  );
  addPlaces(command.command("plan").description("print what is due, by rule, and change nothing"))
    .option("--policy <file>", "another policy than that of the archive")
    .option("--at <day>", "what will be due on this day, YYYY-MM-DD; default today")
    .addHelpText("after", PLAN_HELP)
    .action(planRetention);
  addPlaces(command.command("apply").description("remove what is due"))
    .requiredOption("--yes", "confirm it: this command never asks")
    .addHelpText("after", APPLY_HELP)
    .action(applyPolicy);
}

async function setPolicy(file: string, flags: Flags): Promise<void> {
  const policy = parsePolicy(await readFile(file, "utf8"));
  const archive = await openMaintenance(toPlaces(flags));
  const value = JSON.stringify(policy);
  await recorded({ log: archive, operation: "retention set", asked: { policy } }, () =>
    archive.internals.write([{ kind: "setting", name: "policy", value }]),
  );
  console.log(`The policy is set. "retention plan" says what is due by it.`);
  try {
    tellUnfitting(policy, await survey(archive, policy));
  } catch (error) {
    // It is set all the same: an import may be under way.
    if (!(error instanceof ArchiveError)) throw error;
    console.log(toPrintable(`Whether each rule fits a call was not looked at: ${error.message}`));
  }
}

interface Own {
  readonly policy: string | undefined;
  readonly timeZone: string;
}

/** Settings come first, so reading stops after them. */
async function readOwn(archive: Maintenance): Promise<Own> {
  const found = new Map<string, string>();
  for await (const row of archive.internals.read()) {
    if (row.kind !== "setting") break;
    found.set(row.name, row.value);
  }
  return { policy: found.get("policy"), timeZone: found.get("time_zone") ?? "UTC" };
}

async function readPolicy(archive: Maintenance): Promise<string> {
  const { policy } = await readOwn(archive);
  if (policy === undefined) throw noPolicy();
  return JSON.stringify(parsePolicy(policy), null, 2);
}

const noPolicy = () =>
  new UsageError('this archive has no policy: give it one with "retention set FILE"');

async function readGiven(archive: Maintenance, { policy: file }: Flags): Promise<RetentionPolicy> {
  const { policy } = await readOwn(archive);
  if (policy === undefined && file === undefined) throw noPolicy();
  return parsePolicy(file === undefined ? (policy ?? "") : await readFile(file, "utf8"));
}

async function toRetention(archive: Maintenance, policy: RetentionPolicy, at?: string) {
  const { timeZone } = await readOwn(archive);
  const fault = at === undefined ? undefined : findDayFault(at);
  if (fault !== undefined) throw new UsageError(`--at: ${fault}`);
  const day = at ?? toDay(Date.now(), timeZone);
  return { day, timeZone, ...createRetention(policy, { day, timeZone }) };
}

interface Counted {
  readonly records: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

const NONE: Counted = { records: 0, firstMs: Infinity, lastMs: -Infinity };

/** What is due, in all and by each rule, and which rules fit a call, due or not. Reads every call. */
async function survey(archive: Maintenance, policy: RetentionPolicy, at?: string) {
  const { findRule, listFitting, day, timeZone, messagesUntilMs } = await toRetention(
    archive,
    policy,
    at,
  );
  const names = [
    ...policy.rules.map(({ name }) => name),
    ...(policy.otherwise ? ["otherwise"] : []),
  ];
  const byRule = new Map(names.map((name) => [name, NONE]));
  const fitting = new Set<string>();
  const isDue = (records: readonly DatedRecord[]) => {
    for (const name of listFitting(records)) fitting.add(name);
    const rule = findRule(records);
    if (rule !== undefined) byRule.set(rule, addTo(byRule.get(rule) ?? NONE, records));
    return rule !== undefined;
  };
  const due = { day, isDue, untilMs: Infinity, messagesUntilMs };
  return { plan: await archive.planErasure({ due }), byRule, fitting, day, timeZone };
}

const addTo = ({ records, firstMs, lastMs }: Counted, legs: readonly DatedRecord[]): Counted => ({
  records: records + legs.length,
  firstMs: Math.min(firstMs, ...legs.flatMap(({ instantMs }) => instantMs ?? [])),
  lastMs: Math.max(lastMs, ...legs.flatMap(({ instantMs }) => instantMs ?? [])),
});

function tellUnfitting(
  { rules }: RetentionPolicy,
  { fitting }: { readonly fitting: ReadonlySet<string> },
): void {
  for (const { name } of rules)
    if (!fitting.has(name))
      console.log(toPrintable(`The rule ${name} fits no call: look at how its values are spelt.`));
}

async function planRetention(flags: Flags): Promise<void> {
  const archive = await openMaintenance(toPlaces(flags));
  const policy = await readGiven(archive, flags);
  const found = await survey(archive, policy, flags.at);
  const rows = [...found.byRule].map(([rule, { records, firstMs, lastMs }]) => ({
    rule,
    records: records.toLocaleString("en"),
    from: records === 0 ? "" : toDay(firstMs, found.timeZone),
    to: records === 0 ? "" : toDay(lastMs, found.timeZone),
  }));
  printTable(rows, ["rule", "records", "from", "to"], ["rule", "records"]);
  console.log(`Due on ${found.day}: ${toErasedText(found.plan)}.`);
  tellHeld(found.plan);
  tellUnfitting(policy, found);
}

async function applyPolicy(flags: Flags): Promise<void> {
  const archive = await openMaintenance(toPlaces(flags));
  const policy = await readGiven(archive, flags);
  const { findRule, day, untilMs, messagesUntilMs } = await toRetention(archive, policy);
  const isDue = (records: readonly DatedRecord[]) => findRule(records) !== undefined;
  const filter = { due: { day, isDue, untilMs, messagesUntilMs } };
  await purge(archive, { filter, operation: "retention apply" });
  const owed = await archive.planErasure({ isOwed: true });
  if (owed.calls + owed.chats === 0) return;
  console.log(`${toCounted(owed.calls, "record")} owed since a hold was released:`);
  await purge(archive, { filter: { isOwed: true }, operation: "retention apply" });
  // A call that is still held stays owed; a nightly job can do nothing about it.
  if (io().exitCode === HELD) io().exitCode = 0;
}
