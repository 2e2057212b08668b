// Judges fields by the form of their values: a clock time is not a telephone number, and a duration has one unit.
import { type Doubt, type FieldFault, toFieldDoubts } from "../../doubts/doubt.ts";
import { areMost, LENGTHS, NUMBERS } from "./column-kinds.ts";
import { createConversion, toSeconds, UNIT_NAMES } from "./conversion.ts";
import { rateAll, type RateName } from "./field-names.ts";
import type { Rule } from "./rule.ts";
import { convertAll, type Moments, type Values } from "./row-moments.ts";
import type { Reading, SampleColumn, SampleColumns } from "./sample-columns.ts";
import { readUnit } from "./unit-names.ts";

/** The doubt about what is certainly wrong. */
export const WRONG = {
  name: "columns",
  effect: "stop",
  advice: "Correct the mapping, or prove the field by a sample of it",
} as const;
/** The doubt about what may be right. */
export const UNUSUAL = {
  name: "columns",
  effect: "warn",
  advice: "Look whether it has what the field says. A sample that expects the field proves it",
} as const;
const WORDS = {
  ...UNUSUAL,
  text: "the field of a telephone number has words, identifiers or counts",
} as const;
const CLOCKS = { ...WRONG, text: "the field of a telephone number has clock times" } as const;
const UNITS = {
  ...WRONG,
  name: "durations",
  text: "a column says its unit by its name, and the mapping reads another",
  advice: 'Say the unit, as "unit": "min", or prove the field by a sample of the mapping',
} as const;
const SCALES = {
  ...UNITS,
  text: "the times of the rows are as far apart as the duration says in another unit",
} as const;
const DIGITS = {
  ...UNUSUAL,
  name: "durations",
  text: "the durations have the form of hours, minutes and seconds without separators, and are read as a number",
  advice:
    'If they are, part them in "let": "match": "^(?<h>..)(?<m>..)(?<s>..)$", and write "{length.h}:{length.m}:{length.s}"',
} as const;
const UNANSWERED = {
  ...UNUSUAL,
  text: "the talk is counted from the start, and there is the answer: it has the ringing and the waiting in it",
} as const;
const SHORT = {
  ...UNUSUAL,
  text: "most calls that were answered talk shorter than they ring or wait",
} as const;

interface Rows {
  readonly sample: SampleColumns;
  readonly rate: RateName;
  readonly moments: Moments | undefined;
  /** False if the names of columns are the mapping's own. */
  readonly hasHeader: boolean;
}

/** `alternatives`: each alternative of the fields by itself. */
export const judgeForms = (
  alternatives: readonly Reading[],
  { sample, rate, moments, hasHeader }: Rows,
): readonly Doubt[] => [
  ...toFieldDoubts(findNumbers(alternatives, areClocks), CLOCKS),
  ...toFieldDoubts(
    findNumbers(alternatives, (field, column) =>
      areWords(column, hasHeader ? rate(field, column.name) : 0),
    ),
    WORDS,
  ),
  ...toFieldDoubts(findUnits(alternatives), UNITS),
  ...toFieldDoubts(findScales(alternatives, moments), SCALES),
  ...toFieldDoubts(findShort(alternatives, sample), SHORT),
  ...toFieldDoubts(findDigits(alternatives), DIGITS),
  ...toFieldDoubts(findUnanswered(alternatives, { sample, rate }), UNANSWERED),
];

const findNumbers = (
  readings: readonly Reading[],
  isWrong: (field: string, column: SampleColumn) => boolean,
): readonly FieldFault[] =>
  readings.flatMap(({ field, columns: [column, ...others] }) => {
    if (!NUMBERS.has(field) || column === undefined || others.length > 0) return [];
    return isWrong(field, column) ? [{ field, text: `{${column.name}}` }] : [];
  });

const IDENTIFIER = /^(?=[^a-z]*[a-z])(?=\D*\d)[\w-]{16,}$/i;
const CLOCK = /^\d{1,3}:[0-5]\d(?::[0-5]\d)?$/;
// An extension has more digits.
const COUNT = /^\d{1,2}$/;

const areClocks = (_: string, column: SampleColumn) => areMost(column, (text) => CLOCK.test(text));

/** Addresses of SIP may have no digit either, so that their names tell. */
const areWords = (column: SampleColumn, level: number): boolean =>
  (level === 0 && areMost(column, (text) => !/\p{N}/u.test(text))) ||
  areMost(column, (text) => IDENTIFIER.test(text) || COUNT.test(text));

interface Length extends SampleColumn {
  readonly field: string;
  /** The unit in which the mapping reads it. */
  readonly own: string;
}

/** Numbers that are durations; clock times say their unit themselves. */
const listLengths = (alternatives: readonly Reading[]): readonly Length[] =>
  alternatives
    .filter(({ field, rules: [rule] }) => LENGTHS.has(field) && rule?.minus === undefined)
    .flatMap(({ field, rules: [rule], columns }) =>
      columns.map((column) => ({ field, own: rule?.unit ?? "s", ...column })),
    )
    .filter(({ values }) => areNumbers(values));

const findUnits = (alternatives: readonly Reading[]): readonly FieldFault[] =>
  listLengths(alternatives)
    .filter(({ name, own }) => (readUnit(name) ?? own) !== own)
    .map(({ field, name, own }) => ({ field, text: `{${name}}, read in "${own}"` }));

// 000508 is five minutes; a number that is filled up with zeros has parts above 59 as well.
const PACKED = /^\d\d[0-5]\d[0-5]\d$/;

const findDigits = (alternatives: readonly Reading[]): readonly FieldFault[] =>
  listLengths(alternatives.filter(({ rules }) => rules.every(isBare)))
    .filter(({ values }) => {
      const texts = [...new Set(values.values())];
      return texts.length >= FEW && texts.every((text) => PACKED.test(text));
    })
    .map(({ field, name }) => ({ field, text: `{${name}}` }));

/** Parts of a text that stand together say themselves what they are. */
const isBare = ({ from }: Rule) => from.every(({ template }) => template.length === 1);

/** Talks that begin with the call, where a column with the answer has values. */
const findUnanswered = (
  alternatives: readonly Reading[],
  { sample, rate }: Pick<Rows, "sample" | "rate">,
): readonly FieldFault[] =>
  alternatives
    .filter(({ field, rules: [rule] }) => field === "talk_time" && rule?.minus !== undefined)
    .filter(({ columns }) => columns.every(({ name }) => !isAnswer(name)))
    .filter(({ columns }) => columns.some(({ name }) => rate("datetime", name) > 0))
    .flatMap(({ field, columns }) => {
      const answer = sample.list().find(({ name, values }) => isAnswer(name) && values.size > 0);
      const names = columns.map(({ name }) => `{${name}}`).join(", ");
      return answer === undefined
        ? []
        : [{ field, text: `${names}, and there is {${answer.name}}` }];
    });

const isAnswer = (name: string) => rateAll(name).has("the answer");

const areNumbers = (values: SampleColumn["values"]) =>
  values.size > 0 && [...values.values()].every((text) => /^\d+(?:\.\d+)?$/.test(text));

// A distance may be chance in fewer rows.
const FEW = 5;
const MOST = 0.8;
const FEWEST = 0.2;
const NEAR_S = 2;

/** Durations that fit the times of their rows in one unit, and not in that of the mapping. */
const findScales = (
  alternatives: readonly Reading[],
  moments: Moments | undefined,
): readonly FieldFault[] =>
  listLengths(alternatives).flatMap(({ field, name, own, values }) => {
    const share = (unit: string, spans: Values) => toShare(toLengths(values, unit), spans);
    for (const { column, moments: ends } of moments?.others ?? []) {
      const spans = toSpans(moments?.own ?? new Map(), ends);
      if (share(own, spans) > FEWEST) continue;
      const unit = UNIT_NAMES.find((one) => share(one, spans) >= MOST);
      if (unit !== undefined)
        return [
          { field, text: `{${name}}, read in "${own}", and in "${unit}" until {${column.name}}` },
        ];
    }
    return [];
  });

const toLengths = (values: SampleColumn["values"], unit: string): Values =>
  convertAll(values, createConversion("unit", { as: "duration", unit }));

const toSpans = (starts: Values, ends: Values): Values =>
  new Map(
    [...starts].flatMap(([row, start]): [number, number][] => {
      const end = ends.get(row);
      return end === undefined || end <= start ? [] : [[row, (end - start) / 1_000]];
    }),
  );

/** The share of the rows whose duration is as long as the span; 0 of a few. */
function toShare(lengths: Values, spans: Values): number {
  const rows = [...spans].flatMap(([row, span]) => {
    const length = lengths.get(row) ?? 0;
    return length === 0 ? [] : [{ span, isNear: Math.abs(span - length) <= NEAR_S }];
  });
  if (new Set(rows.map(({ span }) => span)).size < FEW) return 0;
  return rows.filter(({ isNear }) => isNear).length / rows.length;
}

/** Another duration than the talk, which is longer where there was a talk. */
function findShort(readings: readonly Reading[], sample: SampleColumns): readonly FieldFault[] {
  const talks = readings.filter(
    ({ field, rules: [rule] }) => field === "talk_time" && !rule?.minus,
  );
  const [talk, ...more] = new Set(talks.flatMap(({ columns }) => columns));
  if (talk === undefined || more.length > 0) return [];
  const lengths = convertAll(talk.values, toSeconds);
  const longer = sample.list().filter((column) => {
    if (column === talk || !rateAll(column.name).has("another duration")) return false;
    const others = convertAll(column.values, toSeconds);
    const both = [...lengths].flatMap(([row, seconds]) => {
      const other = others.get(row) ?? 0;
      return seconds === 0 || other === 0 ? [] : [other > seconds];
    });
    return both.length >= FEW && both.filter(Boolean).length > MOST * both.length;
  });
  return longer.map(({ name }) => ({
    field: "talk_time",
    text: `{${talk.name}}, and there is {${name}}`,
  }));
}
