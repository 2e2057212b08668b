// A rule of a mapping: where a value comes from, when it holds, and what is made of its text. Checked before a row is read.
import { isTimeZone, parseDatetime, toKind } from "@call-media/store/values";
import { isObject } from "../../json.ts";
import { type Condition, parseConditions } from "./condition.ts";
import {
  CONVERSIONS,
  type Conversion,
  type ConversionName,
  createConversion,
  isConversion,
  isUnit,
  UNIT_NAMES,
} from "./conversion.ts";
import { fail, isTexts, parsePattern, type Pattern, toObject, toTexts } from "./keys.ts";
import { type KeyedTemplate, listNamesIn, parseTemplate } from "./template.ts";

/** One of the alternatives of a field. */
export interface Rule {
  /** Where it stands in the mapping, for messages. */
  readonly key: string;
  /** The first that gives a value is taken. */
  readonly from: readonly KeyedTemplate[];
  readonly when: readonly Condition[];
  readonly decodesUrl: boolean;
  readonly match: Pattern | undefined;
  readonly values: ReadonlyMap<string, string>;
  readonly as: ConversionName;
  /** True of a field that is a number; in others a number is its digits. */
  readonly isInteger: boolean;
  readonly convert: Conversion;
  /** The forms of a datetime: iso, unix, unix-ms or patterns. */
  readonly formats: readonly string[];
  /** The time zone of a datetime without an offset. */
  readonly zone: KeyedTemplate | undefined;
  /** The unit of a duration in numbers; undefined if the mapping does not say it. */
  readonly unit: string | undefined;
  /** The seconds from this to the value. */
  readonly minus: KeyedTemplate | undefined;
  /** Durations that are added. */
  readonly plus: readonly KeyedTemplate[];
  /** Path of the elements in a record, `{$each}`, of which one or all are taken. */
  readonly of: string | undefined;
  /** True if the whole element is taken, whose members a named value has: `{taken.extension.id}`. */
  readonly isElement: boolean;
  /** The choice among several elements, rows of a group, or joined records; undefined if the mapping does not say it. */
  readonly row: (typeof ROWS)[number] | undefined;
  /** True if it is asked of each row of a group. */
  readonly isGrouped: boolean;
  /** The join whose records it reads. */
  readonly join: string | undefined;
  /** Path of the elements of which each is a record, for `{$each}`. */
  readonly each: string | undefined;
  /** When a recording began. */
  readonly start: readonly Rule[];
}

export interface FieldRules {
  readonly field: string;
  /** The first that gives a value is taken. */
  readonly rules: readonly Rule[];
}

const ROWS = ["first", "last", "all", "sum"] as const;
const isRow = (row: unknown): row is Rule["row"] => ROWS.some((name) => name === row);

/** The path of the elements of an array. */
export const isElementsPath = (path: string): boolean => /(?:^|\.)\*$/.test(path);

/** The context in which a rule is parsed. */
export interface RuleContext {
  /** The conversion if the rule does not say it. */
  readonly usual: ConversionName;
  readonly isInteger: boolean;
  /** IANA name: how an epoch without an offset is read. */
  readonly timeZone: string;
  /** A template, of all datetimes. */
  readonly zone: string | undefined;
  readonly isGrouped: boolean;
  /** Names of the joins. */
  readonly joins: readonly string[];
  /** Path of the elements of which each is a record or a turn. */
  readonly each: string | undefined;
  /** Offsets of abbreviations that only this source has. */
  readonly zones: Readonly<Record<string, string>>;
}

export const RULE_KEYS = [
  "from",
  "as",
  "format",
  "epoch",
  "unit",
  "values",
  "zone",
  "when",
  "match",
  "minus",
  "plus",
  "of",
  "row",
  "decode",
  "start",
];

/** Throws `ImportError`, naming the key. A list of alternatives is several rules. */
export function parseRules(key: string, value: unknown, context: RuleContext): readonly Rule[] {
  // An empty list is a rule with a fault.
  if (!Array.isArray(value) || value.every((one) => typeof one === "string"))
    return [parseRule(key, value, context)];
  return value.map((one, index) => parseRule(`${key}[${index}]`, one, context));
}

function parseRule(key: string, value: unknown, context: RuleContext): Rule {
  const isBare = typeof value === "string" || Array.isArray(value);
  const given = isBare ? { from: value } : toObject(key, value, RULE_KEYS);
  const { of, row, decode } = given;
  const as = parseKind(key, given, context);
  const formats = parseFormats(key, given, as);
  const zone = parseZone(key, given, as === "datetime" || formats.length > 0 ? context : undefined);
  const unit = isUnit(given["unit"]) ? given["unit"] : undefined;
  const convert = createConversion(`${key}.format`, {
    as: as === "duration" && formats.length > 0 ? "datetime" : as,
    formats,
    unit,
    hasZone: given["zone"] !== undefined || context.zone !== undefined,
    zones: context.zones,
    epochMs: parseEpoch(key, given, context.timeZone),
  });
  if (of !== undefined && !(typeof of === "string" && isElementsPath(of)))
    fail(`${key}.of: must be the path of elements, such as "legs.*"`);
  if (row !== undefined && !isRow(row)) fail(`${key}.row: must be one of ${ROWS.join(", ")}`);
  if (decode !== undefined && decode !== "url") fail(`${key}.decode: must be "url"`);
  const isElement = of !== undefined && given["from"] === undefined;
  if (isElement && (row === "all" || row === "sum"))
    fail(`${key}.row: must be first or last of an element that is taken whole`);
  const start = given["start"];
  const from = parseFrom(key, given);
  const when = parseConditions(`${key}.when`, given["when"]);
  const names = [...from, ...when.map(({ template }) => template)].flatMap(listNamesIn);
  const join = context.joins.find((one) => names.some((name) => name.startsWith(`${one}.`)));
  if (row !== undefined && of === undefined && join === undefined && !context.isGrouped)
    fail(`${key}.row: goes with "of", with "group" or with a join`);
  return {
    key,
    from,
    when,
    decodesUrl: decode === "url",
    match: parsePattern(`${key}.match`, given["match"]),
    values: parseValues(key, given["values"]),
    as,
    isInteger: context.isInteger,
    convert,
    formats,
    unit,
    zone,
    minus: parseOne(`${key}.minus`, given["minus"]),
    plus: parsePlus(`${key}.plus`, given["plus"], as),
    of,
    isElement,
    row,
    isGrouped: context.isGrouped,
    join,
    each: context.each,
    start:
      start === undefined
        ? []
        : parseRules(`${key}.start`, start, toDatetimes(context, of ?? context.each)),
  };
}

const toDatetimes = (context: RuleContext, each: string | undefined): RuleContext => ({
  ...context,
  each,
  usual: "datetime",
});

function parseFrom(key: string, { from, of }: Record<string, unknown>): readonly KeyedTemplate[] {
  const templates: readonly unknown[] = Array.isArray(from)
    ? from
    : [from ?? (of === undefined ? undefined : "{$each}")];
  if (templates.length === 0 || !isTexts(templates))
    fail(
      `${key}.from: must be a template such as "{Column}" or a list of them, not ${toKind(from)}`,
    );
  return templates.map((text) => parseTemplate(key, text));
}

function parseKind(
  key: string,
  given: Record<string, unknown>,
  { usual, isInteger }: RuleContext,
): ConversionName {
  const { unit, format, minus, plus } = given;
  const isDuration = unit !== undefined || minus !== undefined || plus !== undefined;
  const isDatetime = format !== undefined && usual === "text";
  const { as = isDuration && usual !== "datetime" ? "duration" : isDatetime ? "datetime" : usual } =
    given;
  if (!isConversion(as)) fail(`${key}.as: must be one of ${CONVERSIONS.join(", ")}`);
  if (isInteger && as !== "integer" && as !== "duration")
    fail(`${key}.as: must be integer or duration for this field`);
  if (unit !== undefined && !(as === "duration" && isUnit(unit)))
    fail(`${key}.unit: must be one of ${UNIT_NAMES.join(", ")}, and "as" must be duration`);
  if (minus !== undefined && as !== "duration")
    fail(`${key}.minus: gives seconds, "as" must be duration`);
  return as;
}

function parseFormats(
  key: string,
  { format, minus }: Record<string, unknown>,
  as: ConversionName,
): readonly string[] {
  if (format === undefined) return [];
  const formats: readonly unknown[] = Array.isArray(format) ? format : [format];
  const isTimed = as === "datetime" || minus !== undefined;
  if (!isTimed || formats.length === 0 || !isTexts(formats))
    fail(`${key}.format: must be iso, unix, unix-ms or a pattern, and "as" must be datetime`);
  return formats;
}

function parseZone(
  key: string,
  { zone }: Record<string, unknown>,
  context: RuleContext | undefined,
): KeyedTemplate | undefined {
  if (zone !== undefined && !(context !== undefined && typeof zone === "string"))
    fail(`${key}.zone: must be a template such as "{Time zone}", and "as" must be datetime`);
  const text = typeof zone === "string" ? zone : context?.zone;
  if (text !== undefined && !text.includes("{") && !isTimeZone(text))
    fail(`${key}.zone: "${text}" is not a time zone: give an IANA name such as Europe/London`);
  return text === undefined ? undefined : parseTemplate(`${key}.zone`, text);
}

const parseOne = (key: string, value: unknown): KeyedTemplate | undefined => {
  if (value === undefined) return undefined;
  if (typeof value !== "string") fail(`${key}: must be a template, not ${toKind(value)}`);
  return parseTemplate(key, value);
};

function parsePlus(key: string, value: unknown, as: ConversionName): readonly KeyedTemplate[] {
  if (value === undefined) return [];
  if (as !== "duration") fail(`${key}: adds durations, "as" must be duration`);
  return toTexts(key, value).map((text, index) => parseTemplate(`${key}[${index}]`, text));
}

function parseValues(key: string, values: unknown): ReadonlyMap<string, string> {
  if (values === undefined) return new Map();
  if (!isObject(values)) fail(`${key}.values: must be an object, not ${toKind(values)}`);
  const pairs = Object.entries(values).map(([from, to]): [string, string] => {
    if (typeof to !== "string") fail(`${key}.values: must give texts, not ${toKind(to)}`);
    return [from, to];
  });
  return new Map(pairs);
}

function parseEpoch(
  key: string,
  { epoch, format }: Record<string, unknown>,
  timeZone: string,
): number | undefined {
  if (epoch === undefined) return undefined;
  if (format !== "unix" && format !== "unix-ms")
    fail(`${key}.epoch: goes with the format unix or unix-ms alone`);
  if (typeof epoch !== "string") fail(`${key}.epoch: must be a string, not ${toKind(epoch)}`);
  if (epoch === GREGORIAN) return GREGORIAN_MS;
  const parsed = parseDatetime(epoch, timeZone);
  if (typeof parsed === "string") fail(`${key}.epoch: ${parsed}`);
  return parsed.instantMs;
}

// Seconds of the Gregorian calendar, as Erlang counts them, begin in a year that no datetime of an archive has.
const GREGORIAN = "0000-01-01";
const GREGORIAN_MS = -62_167_219_200_000;
