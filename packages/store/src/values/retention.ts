// The retention policy of an archive: how long its calls are kept, by their fields, and which are due on a day.
import type { MetadataRecord } from "../port/calls.ts";
import { ArchiveError } from "../port/faults.ts";
import type { DatedRecord, DueCalls } from "../port/maintenance.ts";
import { findDayFault, toDayRange } from "./instant.ts";
import { createFilter } from "./visibility.ts";
import { checkWhere, toRestrictions, type Where } from "./where.ts";

/**
 * A rule matches a call if it matches one of its records. `keep`: the longest one that matches applies. `erase`: the shortest one applies,
 * and overrides every `keep`. `sound`: how long the recordings of a call are kept that its `keep` matches, default as long as the record;
 * the longest one applies. Each is a period such as "18 months", from the last record of the call.
 */
export interface RetentionRule {
  readonly name: string;
  readonly where: Where;
  readonly keep?: string;
  readonly sound?: string;
  readonly erase?: string;
}

export interface RetentionPolicy {
  readonly retention: 1;
  /** For calls that no `keep` matches, and for messages without a call; if absent, these stay. */
  readonly otherwise?: { readonly keep: string; readonly sound?: string };
  readonly rules: readonly RetentionRule[];
}

/** Throws `ArchiveError`, which names the fault and its place. */
export function parsePolicy(text: string): RetentionPolicy {
  const policy = parseJson(text);
  checkKeys(policy, ["retention", "otherwise", "rules"], "the policy");
  if (policy["retention"] !== 1) refuse("retention", "it has to be 1, the version of the form");
  const { otherwise, rules = [] } = policy;
  if (otherwise !== undefined) checkOtherwise(otherwise);
  if (!Array.isArray(rules)) refuse("rules", "a list of rules");
  const names = new Set<unknown>(["otherwise"]);
  for (const [index, rule] of rules.entries()) checkRule(rule, `rules[${index}]`, names);
  if (otherwise === undefined && rules.length === 0)
    refuse("the policy", "it has neither rules nor otherwise");
  const checked: unknown = { ...policy, rules };
  return checked as RetentionPolicy; // each part was checked
}

/** The same for a policy that is not in use yet: it also throws if recordings are to be kept for longer than their records. */
export function parseNewPolicy(text: string): RetentionPolicy {
  const policy = parsePolicy(text);
  const { otherwise, rules } = policy;
  if (otherwise !== undefined) checkSound(otherwise, "otherwise");
  for (const [index, rule] of rules.entries()) checkSound(rule, `rules[${index}]`);
  return policy;
}

function checkSound({ keep, sound }: Pick<RetentionRule, "keep" | "sound">, place: string): void {
  if (keep === undefined || sound === undefined || toDays(sound) <= toDays(keep)) return;
  const advice = "recordings go with their record, so make keep as long, or leave sound out";
  refuse(`${place}.sound`, `${sound} is longer than keep, ${keep}: ${advice}`);
}

/** On average: "30 days" is not longer than "1 month". */
function toDays(period: string): number {
  const [, count = "0", unit = ""] = PERIOD.exec(period) ?? [];
  return Number(count) * (DAYS[unit] ?? 0);
}

const YEAR_DAYS = 365.2425;
const DAYS: Readonly<Record<string, number>> = { day: 1, month: YEAR_DAYS / 12, year: YEAR_DAYS };

function parseJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // The error follows below.
  }
  return refuse("the policy", "no JSON object");
}

function refuse(place: string, fault: string): never {
  throw new ArchiveError(`${place}: ${fault}`);
}

function checkKeys(value: unknown, known: readonly string[], place: string): void {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    refuse(place, "an object");
  for (const key of Object.keys(value))
    if (!known.includes(key)) refuse(`${place}.${key}`, UNKNOWN);
}

const UNKNOWN = "this program does not know it";

function checkOtherwise(otherwise: unknown): void {
  checkKeys(otherwise, ["keep", "sound"], "otherwise");
  const { keep, sound }: { keep?: unknown; sound?: unknown } = Object(otherwise);
  checkPeriod(keep, "otherwise.keep");
  if (sound !== undefined) checkPeriod(sound, "otherwise.sound");
}

function checkRule(rule: unknown, place: string, names: Set<unknown>): void {
  checkKeys(rule, ["name", "where", "keep", "sound", "erase"], place);
  const given: Partial<Record<keyof RetentionRule, unknown>> = Object(rule);
  const { name, where, keep, sound, erase } = given;
  if (typeof name !== "string" || name === "") refuse(`${place}.name`, "a text that is not empty");
  if (names.has(name)) refuse(`${place}.name`, `another rule is called "${name}" as well`);
  names.add(name);
  checkWhere(where, `${place}.where`);
  if ((keep === undefined) === (erase === undefined))
    refuse(place, "one of keep and erase, with a period");
  checkPeriod(keep ?? erase, `${place}.${keep === undefined ? "erase" : "keep"}`);
  if (sound === undefined) return;
  if (erase !== undefined)
    refuse(`${place}.sound`, "it goes with keep: what is erased has no sound");
  checkPeriod(sound, `${place}.sound`);
}

const PERIOD = /^([1-9]\d{0,4}) (day|month|year)s?$/;

function checkPeriod(period: unknown, place: string): void {
  if (typeof period !== "string" || !PERIOD.test(period))
    refuse(place, 'a period like "30 days", "18 months" or "7 years"');
}

/** The day one period before another, by the calendar: 29 February becomes the 28th. */
function toCutDay(period: string, day: string): string {
  const [, count = "0", unit = ""] = PERIOD.exec(period) ?? [];
  const at = new Date(`${day}T00:00:00Z`);
  const [year, month, date] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  if (unit === "day") return toDay(Date.UTC(year, month, date - Number(count)));
  const months = month - Number(count) * (unit === "year" ? 12 : 1);
  const last = new Date(Date.UTC(year, months + 1, 0)).getUTCDate();
  return toDay(Date.UTC(year, months, Math.min(date, last)));
}

const FIRST_DAY = "1900-01-01";

/** A period longer than any archive reaches back to its first day. */
function toDay(ms: number): string {
  const day = new Date(ms).toISOString().slice(0, 10);
  return findDayFault(day) === undefined ? day : FIRST_DAY;
}

interface TimedRule {
  readonly name: string;
  readonly isErase: boolean;
  /** Calls whose last record is from before this are due by this rule. */
  readonly cutMs: number;
  /** The same for their recordings. */
  readonly soundCutMs: number;
  readonly fits: (record: MetadataRecord) => boolean;
}

/** The calls that a policy makes due on a day. */
export interface Retention extends Pick<DueCalls, "untilMs" | "messagesUntilMs"> {
  /** The name of the rule by which a call with these records is due; undefined while it is kept, and of one with a record without a datetime. */
  readonly findRule: (records: readonly DatedRecord[]) => string | undefined;
  /** The same for the recordings of a call that is not due itself. */
  readonly findSoundRule: (records: readonly DatedRecord[]) => string | undefined;
  /** The names of the rules that match a call with these records. */
  readonly listFitting: (records: readonly DatedRecord[]) => readonly string[];
}

/** `day`: YYYY-MM-DD in the archive's time zone. A call with a record from the first day to keep is kept. */
export function createRetention(
  { rules, otherwise }: RetentionPolicy,
  { day, timeZone }: { readonly day: string; readonly timeZone: string },
): Retention {
  const toCutMs = (period: string) => {
    const cut = toCutDay(period, day);
    return toDayRange(cut, cut, timeZone).fromMs;
  };
  const timed = rules.map(({ name, where, keep, sound, erase }): TimedRule => ({
    name,
    isErase: erase !== undefined,
    cutMs: toCutMs(keep ?? erase ?? ""),
    soundCutMs: toCutMs(sound ?? keep ?? erase ?? ""),
    fits: createFilter(toRestrictions(where)),
  }));
  const toTest = (records: readonly DatedRecord[]) => (rule: TimedRule) =>
    records.some(({ record }) => rule.fits(record));
  // The first matching rule wins: the shortest period among those that erase, the longest among those that keep.
  const erases = timed.filter(({ isErase }) => isErase).toSorted((a, b) => b.cutMs - a.cutMs);
  const keeps = timed.filter(({ isErase }) => !isErase).toSorted((a, b) => a.cutMs - b.cutMs);
  const sounds = keeps.toSorted((a, b) => a.soundCutMs - b.soundCutMs);
  const restMs = otherwise === undefined ? -Infinity : toCutMs(otherwise.keep);
  const restSoundMs = otherwise?.sound === undefined ? restMs : toCutMs(otherwise.sound);
  const rest = { name: "otherwise", cutMs: restMs, soundCutMs: restSoundMs };
  const findRule = (records: readonly DatedRecord[]) => {
    const isFitting = toTest(records);
    const lastMs = toLastMs(records);
    const erase = erases.find(isFitting);
    if (erase !== undefined && lastMs < erase.cutMs) return erase.name;
    const { name, cutMs } = keeps.find(isFitting) ?? rest;
    return lastMs < cutMs ? name : undefined;
  };
  return {
    untilMs: Math.max(...[rest, ...timed].flatMap(({ cutMs, soundCutMs }) => [cutMs, soundCutMs])),
    messagesUntilMs: restMs,
    listFitting: (records) => timed.filter(toTest(records)).map(({ name }) => name),
    findRule,
    findSoundRule: (records) => {
      const { name, soundCutMs } = sounds.find(toTest(records)) ?? rest;
      const isDue = toLastMs(records) < soundCutMs && findRule(records) === undefined;
      return isDue ? name : undefined;
    },
  };
}

/**
 * The age of a call: by the first record's age, a call_id that is used again years later would take the new call with the old one. A record
 * without a datetime has no age.
 */
export const toLastMs = (records: readonly Pick<DatedRecord, "instantMs">[]): number =>
  Math.max(...records.map(({ instantMs = Infinity }) => instantMs));
