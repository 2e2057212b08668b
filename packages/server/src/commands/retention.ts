// `call-media-server retention`: applies a policy that says how long calls are kept, and removes those that are due.
import { ArchiveError, type Maintenance, StoreFault } from "@call-media/store";
import { openMaintenance, openStore, type Places } from "@call-media/store/open";
import {
  parseNewPolicy,
  parsePolicy,
  type RetentionPolicy,
  toRestrictions,
} from "@call-media/store/values";
import { toPrintable } from "@call-media/service/printable";
import type { Command } from "commander";
import { console, io, readGivenFile, toCounted, UsageError } from "@call-media/terminal";
import { addPlaces, type PlaceFlags, toPlaces } from "../command-line/places.ts";
import { noteDone } from "../command-line/note-done.ts";
import { recorded } from "../command-line/recorded.ts";
import { HELD, purge } from "./purge.ts";
import {
  type PlanFlags,
  printPlan,
  readOwn,
  tellUnfitting,
  toDated,
  toDueFilter,
  toSoundFilter,
} from "./retention-plan.ts";

const SET_HELP = `
The policy is a file of JSON:

  { "retention": 1,
    "otherwise": { "keep": "18 months", "sound": "90 days" },
    "rules": [
      { "name": "complaints", "where": { "campaign": ["Complaints", "Billing"] }, "keep": "7 years" },
      { "name": "payments", "where": { "disposition": ["Payment taken"] }, "erase": "30 days" } ] }

Periods are days, months or years, by the calendar of the archive's time zone. Of several rules that keep a call the longest counts.
A rule that erases wins over every rule that keeps; of several the shortest counts. "otherwise" is for calls that no keep fits, and for
messages of no call; without it those stay. "sound", beside a keep, is for the recordings alone: of several rules the longest counts.
Without it they stay as long as the record; it may not be longer than keep. The order of the rules means nothing.

All records of one call_id are one call: a rule fits it if it fits one of them, the period begins with the last of them, and all of
them go or none.

  $ call-media-server retention plan --data ./archive --policy policy.json      what would be due
  $ call-media-server retention set --data ./archive policy.json

Nothing goes by setting a policy: "retention apply" removes what is due. A rule that fits no call is named: its values may be
misspelt. The access log has each policy that was set.

Exit code: 0 it is set, 1 the file is no policy: the place and the reason are named.`;

const PLAN_HELP = `
  $ call-media-server retention plan --data ./archive --at 2027-01-01
  $ call-media-server retention plan --data ./archive --list      a line for each call: call_id, rule, record or sound, the other rules

The table and the list have what "retention apply" would remove now: records that are due by each rule, and those that stay whose sound
is due. What a hold keeps is in neither. It is counted apart, with --list on standard error. --months counts by the month of a call's last record. A rule that fits no call, due or not, is named. It reads every call. Exit code: 0 it is printed, 1 there is no policy.`;

const APPLY_HELP = `
  $ call-media-server retention apply --data ./archive --yes      for a nightly job

It removes what was owed when a hold was released, with its case, then what is due, as purge does, and then the recordings that are due
before their records. What a hold keeps is never due: it stays, whole, and is counted. A call with a record without a datetime is never due: see "purge --undated". Stopped at any moment, the next run goes on.
A later import leaves out what was removed, as after a purge by age.

Exit code: 0 nothing is due any more but what is held, 1 nothing was done, or it was interrupted, 2 as of purge.`;

interface Flags extends PlaceFlags, PlanFlags {
  readonly policy?: string;
  readonly at?: string;
  readonly yes?: true;
  readonly dryRun?: true;
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
    .option("--months", "count by month")
    .option("--list", "print each call that would go, or whose sound would go")
    .option("--json", "print it as JSON; with --list one call a line")
    .option("--at <day>", "what will be due on this day, YYYY-MM-DD; default today")
    .addHelpText("after", PLAN_HELP)
    .action(planRetention);
  addPlaces(command.command("apply").description("remove what is due"))
    .option("--yes", "confirm it: this command never asks")
    .option("--dry-run", 'print what is due, as "retention plan" does, and change nothing')
    .addHelpText("after", APPLY_HELP)
    .action(applyPolicy);
}

async function setPolicy(file: string, flags: Flags): Promise<void> {
  const policy = await readPolicyFile("retention set", file);
  const archive = await openMaintenance(toPlaces(flags));
  const value = JSON.stringify(policy);
  await recorded({ log: archive, operation: "retention set", asked: { policy } }, () =>
    archive.internals.write([{ kind: "setting", name: "policy", value }]),
  );
  console.log(`The policy is set. "retention plan" says what is due by it.`);
  try {
    tellUnfitting(await listUnfitting(toPlaces(flags), policy));
  } catch (error) {
    // It is set all the same: the index may be busy or damaged.
    if (!(error instanceof ArchiveError || error instanceof StoreFault)) throw error;
    console.log(toPrintable(`Whether each rule fits a call was not looked at: ${error.message}`));
  }
}

async function readPolicy(archive: Maintenance): Promise<string> {
  const { policy } = await readOwn(archive);
  if (policy === undefined) throw noPolicy();
  return JSON.stringify(parsePolicy(policy), null, 2);
}

const noPolicy = () =>
  new UsageError('this archive has no policy: give it one with "retention set FILE"');

const readPolicyFile = async (option: string, file: string) =>
  parseNewPolicy(await readGivenFile(option, file));

async function readGiven(archive: Maintenance, { policy: file }: Flags): Promise<RetentionPolicy> {
  const { policy } = await readOwn(archive);
  if (policy === undefined && file === undefined) throw noPolicy();
  return file === undefined ? parsePolicy(policy ?? "") : await readPolicyFile("--policy", file);
}

async function planRetention({ at, ...flags }: Flags): Promise<void> {
  const archive = await openMaintenance(toPlaces(flags));
  const policy = await toDated(archive, await readGiven(archive, flags), at);
  const { calls } = await printPlan(archive, policy, flags);
  if (flags.policy === undefined && at === undefined) await noteDone(archive, "retention", calls);
}

/** The rules that fit no call, by the search index. A call without a datetime is in no search, and never due. */
async function listUnfitting(places: Places, { rules }: RetentionPolicy): Promise<string[]> {
  await using store = await openStore(places);
  const isFitting = async ({ where }: RetentionPolicy["rules"][number]) => {
    const [first, ...others] = toRestrictions(where);
    if (first === undefined) return false;
    const { records } = await store.calls.search({
      ...EVERY_DAY,
      filter: {},
      pageIndex: 0,
      visibility: [first, ...others],
      isCounted: false,
    });
    return records.length > 0;
  };
  const names: string[] = [];
  for (const rule of rules) if (!(await isFitting(rule))) names.push(rule.name);
  return names;
}

const EVERY_DAY = { startDate: "1900-01-01", endDate: "2999-12-31" };

async function applyPolicy({ yes, dryRun, ...flags }: Flags): Promise<void> {
  if (dryRun) return await planRetention(flags);
  if (!yes) throw new UsageError('add --yes: "retention plan" says what would go');
  const archive = await openMaintenance(toPlaces(flags));
  const policy = await toDated(archive, await readGiven(archive, flags));
  const operation = "retention apply";
  // Otherwise what is due by now would go without the case of its purge, and stay owed.
  await purgeOwed(archive, operation);
  await purge(archive, { filter: toDueFilter(policy), operation });
  if (policy.hasSound) await purge(archive, { filter: toSoundFilter(policy), operation });
  await noteDone(archive, "retention");
}

async function purgeOwed(archive: Maintenance, operation: "retention apply"): Promise<void> {
  const owed = await archive.planErasure({ isOwed: true });
  if (owed.calls + owed.chats === 0) return;
  console.log(`${toCounted(owed.calls, "record")} owed since a hold was released:`);
  await purge(archive, { filter: { isOwed: true }, operation });
  // A call that is still held stays owed; a nightly job can do nothing about it.
  if (io().exitCode === HELD) io().exitCode = 0;
}
