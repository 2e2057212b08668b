// What a policy makes due in an archive: by rule, by month, or call by call.
import { toPrintable } from "@call-media/service/printable";
import type { DueRecord, ErasureFilter, ErasurePlan, Maintenance } from "@call-media/store";
import {
  createRetention,
  findDayFault,
  type Retention,
  type RetentionPolicy,
  toDay,
} from "@call-media/store/values";
import { console, printTable, UsageError } from "@call-media/terminal";
import { toErasedText } from "./erased-text.ts";
import { toHeldLine } from "./purge.ts";

/** The settings of an archive that a policy is applied with. */
export interface Own {
  /** JSON; undefined without a policy. */
  readonly policy: string | undefined;
  readonly timeZone: string;
}

/** Settings come first, so reading stops after them. */
export async function readOwn(archive: Maintenance): Promise<Own> {
  const found = new Map<string, string>();
  for await (const row of archive.internals.read()) {
    if (row.kind !== "setting") break;
    found.set(row.name, row.value);
  }
  return { policy: found.get("policy"), timeZone: found.get("time_zone") ?? "UTC" };
}

/** A policy as of a day, and the filters of what is due by it. */
export interface DatedPolicy extends Retention {
  readonly day: string;
  readonly timeZone: string;
  readonly names: readonly string[];
  /** True if recordings have periods of their own. */
  readonly hasSound: boolean;
}

/** `at`: YYYY-MM-DD; default today. */
export async function toDated(
  archive: Maintenance,
  policy: RetentionPolicy,
  at?: string,
): Promise<DatedPolicy> {
  const { timeZone } = await readOwn(archive);
  const fault = at === undefined ? undefined : findDayFault(at);
  if (fault !== undefined) throw new UsageError(`--at: ${fault}`);
  const day = at ?? toDay(Date.now(), timeZone);
  const { rules, otherwise } = policy;
  return {
    day,
    timeZone,
    names: [...rules.map(({ name }) => name), ...(otherwise ? ["otherwise"] : [])],
    hasSound: [...rules, otherwise].some((one) => one?.sound !== undefined),
    ...createRetention(policy, { day, timeZone }),
  };
}

type OnJudged = (
  records: readonly DueRecord[],
  judged: { readonly rule: string | undefined; readonly key: string },
) => void;

/** Selects the calls that are due. */
export function toDueFilter(policy: DatedPolicy, onJudged: OnJudged = () => {}): ErasureFilter {
  return toFilter(policy, policy.findRule, onJudged);
}

/** Selects the calls that are not due, but whose recordings are. */
export function toSoundFilter(policy: DatedPolicy, onJudged: OnJudged = () => {}): ErasureFilter {
  return { ...toFilter(policy, policy.findSoundRule, onJudged), isSound: true };
}

function toFilter(
  { day, untilMs, messagesUntilMs }: DatedPolicy,
  find: Retention["findRule"],
  onJudged: OnJudged,
) {
  const isDue = (records: readonly DueRecord[], key: string) => {
    const rule = find(records);
    onJudged(records, { rule, key });
    return rule !== undefined;
  };
  return { due: { day, isDue, untilMs, messagesUntilMs } };
}

interface Counted {
  readonly records: number;
  readonly sound: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

const NONE: Counted = { records: 0, sound: 0, firstMs: Infinity, lastMs: -Infinity };

interface Survey {
  readonly policy: DatedPolicy;
  readonly plan: ErasurePlan;
  /** Undefined if no recording has a period of its own. */
  readonly soundPlan: ErasurePlan | undefined;
  readonly byRule: ReadonlyMap<string, Counted>;
  /** By rule and month, `YYYY-MM` of the last record. */
  readonly byMonth: ReadonlyMap<string, Counted>;
  /** The rules that fit no call, due or not. */
  readonly unfitting: readonly string[];
}

/** A call that is due, or its recordings. */
interface DueCall {
  readonly call_id: string | null;
  readonly rule: string;
  readonly what: "record" | "sound";
  /** The other rules that fit it. */
  readonly over: readonly string[];
}

interface Known {
  /** The keys of the calls that are held, which are left out. */
  readonly held?: Readonly<Record<DueCall["what"], ReadonlySet<string>>>;
  readonly onDue?: (call: DueCall) => void;
}

const NO_KEYS: ReadonlySet<string> = new Set();
const NONE_HELD = { record: NO_KEYS, sound: NO_KEYS };

/** Reads every call. */
async function survey(
  archive: Maintenance,
  policy: DatedPolicy,
  { held = NONE_HELD, onDue = () => {} }: Known = {},
): Promise<Survey> {
  const byRule = new Map(policy.names.map((name) => [name, NONE]));
  const byMonth = new Map<string, Counted>();
  const fitting = new Set<string>();
  const count =
    (what: DueCall["what"]): OnJudged =>
    (records, { rule, key }) => {
      const fits = policy.listFitting(records);
      for (const name of fits) fitting.add(name);
      if (rule === undefined || held[what].has(key)) return;
      byRule.set(rule, addTo(byRule.get(rule) ?? NONE, what, records));
      const month = `${rule}\n${toLastDay(records, policy).slice(0, 7)}`;
      byMonth.set(month, addTo(byMonth.get(month) ?? NONE, what, records));
      const callId = records[0]?.record.call_id ?? null;
      onDue({ call_id: callId, rule, what, over: fits.filter((name) => name !== rule) });
    };
  // Every call is judged, to know which rules fit one.
  const whole = { ...policy, untilMs: Infinity };
  const plan = await archive.planErasure(toDueFilter(whole, count("record")));
  const soundPlan = policy.hasSound
    ? await archive.planErasure(toSoundFilter(policy, count("sound")))
    : undefined;
  const unfitting = policy.names.filter((name) => name !== "otherwise" && !fitting.has(name));
  return { policy, plan, soundPlan, byRule, byMonth, unfitting };
}

const toLastDay = (records: readonly DueRecord[], { timeZone }: DatedPolicy): string =>
  toDay(Math.max(...records.flatMap(({ instantMs }) => instantMs ?? [])), timeZone);

function addTo(
  { records, sound, firstMs, lastMs }: Counted,
  what: DueCall["what"],
  legs: readonly DueRecord[],
): Counted {
  const times = legs.flatMap(({ instantMs }) => instantMs ?? []);
  return {
    records: records + (what === "record" ? legs.length : 0),
    sound: sound + (what === "sound" ? legs.filter(({ hasSound }) => hasSound).length : 0),
    firstMs: Math.min(firstMs, ...times),
    lastMs: Math.max(lastMs, ...times),
  };
}

export interface PlanFlags {
  readonly months?: boolean;
  readonly list?: boolean;
  readonly json?: boolean;
}

/** Prints what is due, and returns the plan. Reads every call. */
export async function printPlan(
  archive: Maintenance,
  policy: DatedPolicy,
  { months = false, list = false, json = false }: PlanFlags,
): Promise<ErasurePlan> {
  const toLine = ({ call_id, rule, what, over }: DueCall) =>
    [call_id ?? "(no call_id)", rule, what, ...(over.length > 0 ? [`over ${over.join(", ")}`] : [])]
      .map((cell) => toPrintable(cell))
      .join("\t");
  const onDue = (call: DueCall) => {
    if (list) console.log(json ? JSON.stringify(call) : toLine(call));
  };
  const first = await survey(archive, policy);
  const held = toHeldKeys(first);
  // All holds are known at the end of a reading, and nothing that is held may be listed.
  const found = list || held !== NONE_HELD ? await survey(archive, policy, { held, onDue }) : first;
  if (list) for (const one of toHeldLines(found)) console.error(toPrintable(one));
  if (json && !list) console.log(JSON.stringify(toJson(found), null, 2));
  if (!json && !list) printSurvey(found, months);
  return found.plan;
}

function toHeldKeys({ plan, soundPlan }: Survey): Required<Known>["held"] {
  if ((plan.held ?? soundPlan?.held) === undefined) return NONE_HELD;
  return { record: plan.held?.keys ?? NO_KEYS, sound: soundPlan?.held?.keys ?? NO_KEYS };
}

const toHeldLines = ({ plan, soundPlan }: Survey): readonly string[] => [
  ...toHeldLine(plan),
  ...(soundPlan === undefined ? [] : toHeldLine(soundPlan, true)),
];

function printSurvey(found: Survey, months: boolean): void {
  const { policy } = found;
  printCounts(found, months);
  console.log(`Due on ${policy.day}: ${toErasedText(found.plan)}.`);
  if (found.soundPlan !== undefined)
    console.log(`Their sound alone: ${toErasedText(found.soundPlan, true)}.`);
  for (const one of toHeldLines(found)) console.log(toPrintable(one));
  tellUnfitting(found.unfitting);
}

export function tellUnfitting(names: readonly string[]): void {
  for (const name of names)
    console.log(toPrintable(`The rule ${name} fits no call: look at how its values are spelt.`));
}

function printCounts({ policy, byRule, byMonth }: Survey, isByMonth: boolean): void {
  const { timeZone, hasSound } = policy;
  const toCells = ({ records, sound, firstMs, lastMs }: Counted) => ({
    records: records.toLocaleString("en"),
    sound: sound.toLocaleString("en"),
    from: firstMs === Infinity ? "" : toDay(firstMs, timeZone),
    to: lastMs === -Infinity ? "" : toDay(lastMs, timeZone),
  });
  const rows = isByMonth
    ? toMonths(byMonth).map(({ month, rule, ...counted }) => ({ month, rule, ...toCells(counted) }))
    : [...byRule].map(([rule, counted]) => ({ month: "", rule, ...toCells(counted) }));
  const counts = hasSound ? (["records", "sound"] as const) : (["records"] as const);
  const columns = [...(isByMonth ? (["month"] as const) : []), "rule", ...counts] as const;
  printTable(rows, isByMonth ? columns : [...columns, "from", "to"], columns);
}

const toMonths = (byMonth: Survey["byMonth"]) =>
  [...byMonth]
    .map(([key, counted]) => {
      const [rule = "", month = ""] = key.split("\n");
      return { month, rule, ...counted };
    })
    .toSorted((a, b) => (`${a.month} ${a.rule}` < `${b.month} ${b.rule}` ? -1 : 1));

function toJson({ policy, plan, soundPlan, byRule, byMonth, unfitting }: Survey) {
  const { day, timeZone } = policy;
  const toExtent = ({ calls, chats, files, fileBytes }: ErasurePlan) => ({
    records: calls,
    messages: chats,
    files,
    bytes: fileBytes,
  });
  const held = [plan, soundPlan].flatMap((one) => one?.held ?? []);
  return {
    day,
    due: toExtent(plan),
    ...(soundPlan !== undefined && { sound: toExtent(soundPlan) }),
    held: {
      calls: held.reduce((sum, { calls }) => sum + calls, 0),
      holds: [...new Set(held.flatMap(({ holds }) => holds))],
    },
    rules: [...byRule].map(([rule, { records, sound, firstMs, lastMs }]) => ({
      rule,
      records,
      sound,
      from: firstMs === Infinity ? null : toDay(firstMs, timeZone),
      to: lastMs === -Infinity ? null : toDay(lastMs, timeZone),
    })),
    months: toMonths(byMonth).map(({ month, rule, records, sound }) => ({
      month,
      rule,
      records,
      sound,
    })),
    unfitting,
  };
}
