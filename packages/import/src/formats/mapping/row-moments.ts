// The moments of the first rows, as the mapping reads them and as it would read other columns.
import { parseDatetime } from "@call-media/store/values";
import { toSteps } from "./names.ts";
import type { Rule } from "./rule.ts";
import type { Reading, SampleColumn, SampleColumns } from "./sample-columns.ts";
import type { KeyedTemplate } from "./template.ts";

/** Numbers by their row. */
export type Values = ReadonlyMap<number, number>;

export interface Moments {
  /** When the calls are, in ms; times without an offset as if they were of UTC. */
  readonly own: Values;
  /** The same with one of the columns exchanged for another. */
  readonly others: readonly { readonly column: SampleColumn; readonly moments: Values }[];
}

export function convertAll(values: SampleColumn["values"], convert: Rule["convert"]): Values {
  const converted = [...values].flatMap(([row, text]): [number, number][] => {
    const one = convert(text);
    return "fault" in one ? [] : [[row, Number(one.value)]];
  });
  return new Map(converted);
}

/** Undefined if the mapping reads no moment from columns alone. */
export function readMoments(
  readings: readonly Reading[],
  sample: SampleColumns,
): Moments | undefined {
  const reading = readings.find(({ field }) => field === "datetime");
  const rule = reading?.rules.find(({ minus }) => minus === undefined);
  const template = rule?.from.find((one) => readTexts(one, sample, (column) => column).size > 0);
  if (reading === undefined || rule === undefined || template === undefined) return undefined;
  const read = (exchange: (column: SampleColumn) => SampleColumn) =>
    toMoments(readTexts(template, sample, exchange), rule);
  const free = sample
    .list()
    .filter((column) => !reading.first.includes(column) && !column.name.includes("*"));
  const others = reading.first.flatMap((one) =>
    free.map((column) => ({ column, moments: read((other) => (other === one ? column : other)) })),
  );
  return { own: read((column) => column), others };
}

/** When the calls are by a rule that reads columns alone, in ms; times without an offset as if they were of UTC. */
export function readOwnMoments(rule: Rule, sample: SampleColumns): Values {
  const texts = rule.from.map((one) => readTexts(one, sample, (column) => column));
  return toMoments(texts.find(({ size }) => size > 0) ?? new Map(), rule);
}

function toMoments(values: SampleColumn["values"], { convert }: Rule): Values {
  const moments = [...values].flatMap(([row, text]): [number, number][] => {
    const one = convert(text);
    const parsed = "fault" in one ? "" : parseDatetime(String(one.value), "UTC");
    return typeof parsed === "string" ? [] : [[row, parsed.instantMs]];
  });
  return new Map(moments);
}

/** The texts of a template by row, where all of its columns have a value. */
function readTexts(
  { template }: KeyedTemplate,
  sample: SampleColumns,
  exchange: (column: SampleColumn) => SampleColumn,
): SampleColumn["values"] {
  const parts = template.map(({ text, isName }) => {
    const column = isName ? sample.find(toSteps(text)) : undefined;
    return isName ? ((column && exchange(column).values) ?? new Map<number, string>()) : text;
  });
  const first = parts.find((part) => typeof part !== "string");
  const texts = [...(first?.keys() ?? [])].flatMap((row): [number, string][] => {
    const values = parts.map((part) => (typeof part === "string" ? part : part.get(row)));
    return values.includes(undefined) ? [] : [[row, values.join("")]];
  });
  return new Map(texts);
}
