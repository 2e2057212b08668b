// Makes a function of a rule: from what the templates read to a text, a number of seconds or a datetime.
import { isTimeZone, parseSourceTime, toKind, withOffset } from "@call-media/store/values";
import { isObject } from "../../json.ts";
import { RowFault } from "../../source-row.ts";
import type { Condition } from "./condition.ts";
import type { Span } from "./epoch-units.ts";
import { findMatch } from "./keys.ts";
import { listNamesOf } from "./mapping.ts";
import { listElements, type Read, type Result, type Scope } from "./names.ts";
import type { Rule } from "./rule.ts";
import { bindTemplate, type Find } from "./template.ts";

/** Observes the texts of rules. */
export interface Watch {
  /** A text came to the pattern of a rule. */
  readonly match: (key: string, text: string, isFit: boolean) => void;
  /** A text came to a condition. */
  readonly condition: (condition: Condition, text: string) => void;
  /** A text came to the table of values of a rule; `isListed` if that has it. */
  readonly value: (rule: Rule, text: string, isListed: boolean) => void;
  /** None of the conditions of a field holds, each of whose alternatives has one. */
  readonly unmet: (rules: readonly Rule[]) => void;
  /** A duration was read. */
  readonly duration: (rule: Rule, text: string, seconds: number) => void;
  /** The seconds between two times were read. */
  readonly span: (span: Span) => void;
}

export interface BindOptions<R> {
  readonly find: Find<Scope<R>>;
  readonly watch: Watch | undefined;
  /** IANA name: how datetimes without an offset are read. */
  readonly timeZone: string;
  /** The records of a join that belong to what is in the scope. */
  readonly findJoined: (join: string, scope: Scope<R>) => readonly unknown[];
}

/** The first of the alternatives that gives a value. The function throws `RowFault`, naming the field. */
export function bindRules<R>(rules: readonly Rule[], options: BindOptions<R>): Read<R> {
  const last = rules.at(-1);
  const reads = rules.map((rule) => bindRule(rule, { ...options, isLast: rule === last }));
  const [only] = reads;
  const isUnmet = createUnmet(rules, options);
  if (only !== undefined && reads.length === 1 && isUnmet === undefined) return only;
  return (scope) => {
    for (const read of reads) {
      const result = read(scope);
      if (result !== undefined) return result;
    }
    if (isUnmet?.(scope) === true) options.watch?.unmet(rules);
    return undefined;
  };
}

/** Undefined where an alternative has no condition, or is asked of several rows or elements. */
function createUnmet<R>(rules: readonly Rule[], options: BindOptions<R>) {
  const isChoice = ({ when, of, isGrouped, join: name }: Rule) =>
    when.length > 0 && of === undefined && name === undefined && !isGrouped;
  if (options.watch === undefined || !rules.every(isChoice)) return undefined;
  const bound = { ...options, watch: undefined };
  const all = rules.map(({ when }) => when.map((condition) => bindCondition(condition, bound)));
  return (scope: Scope<R>) => !all.some((tests) => tests.every((test) => test(scope)));
}

interface RuleOptions<R> extends BindOptions<R> {
  /** True if no alternative follows. */
  readonly isLast: boolean;
}

function bindRule<R>(rule: Rule, options: RuleOptions<R>): Read<R> {
  const { find } = options;
  const tests = rule.when.map((condition) => bindCondition(condition, options));
  const templates = rule.from.map((template) => bindTemplate(template, find));
  const toResult = bindText(rule, options);
  const holds = (scope: Scope<R>) => tests.every((test) => test(scope));
  const read: Read<R> = (scope) => {
    if (!holds(scope)) return undefined;
    for (const toText of templates) {
      const text = toText(scope);
      if (text !== undefined) return toResult(text, scope);
    }
    return undefined;
  };
  const toScopes = createScopes(rule, options);
  if (toScopes === undefined) return read;
  // With a condition the last is the one that it picks, whether that gives a value or not.
  const isPicked = rule.row === "last" && tests.length > 0;
  const pick: ToScopes<R> = (scope) =>
    [toScopes(scope).findLast(holds)].filter((one) => one !== undefined);
  return over(rule, isPicked ? pick : toScopes, read);
}

function bindCondition<R>(condition: Condition, { find, watch }: BindOptions<R>) {
  const read = bindTemplate(condition.template, find);
  return (scope: Scope<R>): boolean => {
    const text = read(scope);
    if (text !== undefined && condition.texts.length > 0) watch?.condition(condition, text);
    return condition.holds(text);
  };
}

type ToScopes<R> = (scope: Scope<R>) => readonly Scope<R>[];

/** Makes what finds the elements, rows or joined records that a rule is asked of; undefined of one that is asked once. */
export function createScopes<R>(rule: Rule, options: BindOptions<R>): ToScopes<R> | undefined {
  const { join: name } = rule;
  if (rule.of !== undefined) return createElements(rule);
  const toRows: ToScopes<R> = (scope) => (rule.isGrouped ? scope.rows : undefined) ?? [scope];
  if (name === undefined) return rule.isGrouped ? toRows : undefined;
  return (scope) =>
    toRows(scope).flatMap((row) => {
      if (row.joined?.[name] !== undefined) return [row];
      const records = options.findJoined(name, row);
      if (records.length === 0) return [row];
      return records.map((record) => ({ ...row, joined: { [name]: record }, lets: new Map() }));
    });
}

/** The result of the first or the last of these scopes, or of all. */
function over<R>(rule: Rule, toScopes: ToScopes<R>, read: Read<R>): Read<R> {
  const { row = "first" } = rule;
  return (scope) => {
    const scopes = toScopes(scope);
    if (row !== "first")
      return join(
        rule,
        scopes.flatMap((inner) => read(inner) ?? []),
      );
    for (const inner of scopes) {
      const result = read(inner);
      if (result !== undefined) return result;
    }
    return undefined;
  };
}

/** The scopes of the elements that a rule reads. Throws `RowFault` if they are not in an array. */
function createElements<R>(rule: Rule): ToScopes<R> {
  const { of: path = "" } = rule;
  const name = path.replace(/\.?\*$/, "");
  const readsMembers = listNamesOf(rule).some((one) => one.name.startsWith("$each."));
  return (scope) =>
    listElements(scope.record, path).map((each, index) => {
      if (readsMembers && !isObject(each))
        throw new RowFault(`${name}[${index}]: must be an object, not ${toKind(each)}`);
      return { ...scope, each, lets: new Map() };
    });
}

function join({ row, isInteger }: Rule, results: readonly Result[]): Result | undefined {
  if (results.length === 0) return undefined;
  const values = results.map(({ value }) => value);
  if (row === "all") return { value: [...new Set(values)].join("; ") };
  if (row === "sum") {
    const sum = values.reduce((total: number, one) => total + Number(one), 0);
    return { value: isInteger ? sum : String(sum) };
  }
  return row === "last" ? results.at(-1) : results[0];
}

// Patterns take values to pieces, and a longer text is not a value.
const MAX_MATCHED = 4_096;

/** Converts the text of a rule. */
function bindText<R>(rule: Rule, { find, watch, timeZone, isLast }: RuleOptions<R>) {
  const { key, match, values, convert, as } = rule;
  const field = key.replace(/^fields\./, "").replace(/\[\d+\]$/, "");
  const fail = (fault: string): never => {
    throw new RowFault(`${field}: ${fault}`);
  };
  const bind = (template: Rule["zone"]) => template && bindTemplate(template, find);
  const [toZone, toOther] = [bind(rule.zone), bind(rule.minus)];
  const others = rule.plus.map((template) => bindTemplate(template, find));

  const toConverted = (text: string) => {
    const converted = convert(text);
    return "fault" in converted ? fail(converted.fault) : converted.value;
  };
  const toDatetime = (text: string, zone: string | undefined): string => {
    if (zone === undefined) return text;
    if (!isTimeZone(zone)) fail(`"${zone}" is not a time zone`);
    const parsed = parseSourceTime(text, zone);
    if (typeof parsed === "string") return fail(parsed);
    return parsed.hasOffset ? text : withOffset(text, parsed.instantMs);
  };
  const toSpan = (text: string, other: string, zone: string | undefined) => {
    const span = toNumber(text, zone) - toNumber(other, zone);
    if (span < 0 && !isLast) return undefined;
    if (span < 0) return fail(`"${text}" lies before "${other}"`);
    const seconds = Math.round(span);
    watch?.span({ rule, from: other, to: text, seconds });
    return seconds;
  };
  const toNumber = (text: string, zone = timeZone): number => {
    const value = toConverted(text);
    if (rule.formats.length === 0) return Number(value);
    const parsed = parseSourceTime(String(value), zone);
    return typeof parsed === "string" ? fail(parsed) : parsed.instantMs / 1_000;
  };
  const toValue = (text: string, scope: Scope<R>): string | number | undefined => {
    if (toOther !== undefined) {
      const other = toOther(scope);
      return other === undefined ? undefined : toSpan(text, other, toZone?.(scope));
    }
    const value = toConverted(text);
    if (as === "duration") watch?.duration(rule, text, Number(value));
    if (as === "datetime") return toDatetime(String(value), toZone?.(scope));
    if (others.length === 0) return value;
    const more = others.map((toText) => toText(scope)).filter((one) => one !== undefined);
    return more.reduce((sum, one) => sum + Number(toConverted(one)), Number(value));
  };

  return (given: string, scope: Scope<R>): Result | undefined => {
    let text: string | undefined = rule.decodesUrl ? decode(given) : given;
    let captures: Result["captures"];
    if (match !== undefined) {
      if (text.length > MAX_MATCHED)
        fail(
          `is longer than ${MAX_MATCHED.toLocaleString("en")} characters, which no pattern reads`,
        );
      const found = findMatch(match, text);
      watch?.match(key, text, found !== undefined);
      if (found === undefined) return undefined;
      const [whole, ...parts] = found.map((part) => part?.trim());
      captures = found.groups && trimAll(found.groups);
      text = parts.length === 0 ? whole : parts.find((part) => part !== undefined && part !== "");
      if (text === undefined || text === "") return undefined;
    }
    if (values.size > 0) {
      watch?.value(rule, text, values.has(text));
      text = values.get(text) ?? values.get("*") ?? text;
    }
    const value = toValue(text, scope);
    if (value === undefined) return undefined;
    const whole = rule.isInteger ? value : String(value);
    return rule.isElement ? { value: whole, element: scope.each } : { value: whole, captures };
  };
}

const trimAll = (groups: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(groups).map(([name, text]) => [name, text?.trim() || undefined]),
  );

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a per cent sign of its own
  }
}
