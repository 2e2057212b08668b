// Judges by its name which column or member each field reads: another one may have the field's name, or this one that of another field.
import { type Doubt, type FieldFault, toFieldDoubts } from "../../doubts/doubt.ts";
import { judgeCallIds } from "./call-ids.ts";
import { NUMBERS } from "./column-kinds.ts";
import { judgeValues } from "./column-values.ts";
import { type RateName } from "./field-names.ts";
import type { Mapping } from "./mapping.ts";
import { listOthers } from "./other-names.ts";
import { type FindColumns, listAlternatives, listPathsOf, toNames, toReading } from "./readings.ts";
import { isWrong, listRivals } from "./rival-columns.ts";
import type { Reading, SampleColumn, SampleColumns } from "./sample-columns.ts";
import { judgeUnknown, listWeak } from "./unknown-columns.ts";
import { judgeUnused } from "./unused-alternatives.ts";

interface Context {
  readonly sample: SampleColumns;
  readonly rate: RateName;
  readonly find: FindColumns;
  /** Also those that samples prove. */
  readonly fields: readonly Reading[];
  readonly media: Reading;
}

/** In doubt are fields that no sample of the mapping expects: a sample is a person's word. */
export function judgeColumns(
  mapping: Mapping,
  sample: SampleColumns,
  rate: RateName,
): readonly Doubt[] {
  if (mapping.kind !== "call" || sample.countRows() === 0) return [];
  const find: FindColumns = (rule, templates) => {
    const paths = listPathsOf(rule, templates, mapping);
    return [...new Set(paths.flatMap((path) => sample.find(path) ?? []))];
  };
  const fields = mapping.fields.map((one) => toReading(one, find));
  const readings = fields.filter(
    ({ field, first }) => !mapping.expected.has(field) && first.length > 0,
  );
  const media = toReading({ field: "recordings", rules: mapping.media.flat() }, find);
  const alternatives = readings.flatMap((one) => listAlternatives(one, find));
  const judged = judgeRivals(readings, { sample, rate, find, fields, media }, (rest) =>
    judgeValues(rest, { mapping, sample, rate, alternatives }),
  );
  const doubted = new Set(judged.flatMap(({ fields: ofDoubt = [] }) => ofDoubt));
  const unknown = alternatives.filter(({ field }) => !doubted.has(field));
  return [
    ...judged,
    ...judgeUnknown(unknown, sample, rate),
    ...judgeCallIds(readings, { mapping, sample, rate }),
    ...judgeUnused(readings, sample, find),
  ];
}

/** Doubts about names, and of the fields whose names are right about the values. */
function judgeRivals(
  readings: readonly Reading[],
  { sample, rate, find, fields, media }: Context,
  judgeRest: (rest: readonly Reading[]) => readonly Doubt[],
): readonly Doubt[] {
  // A column that is read for the field of its name is not a better one for other fields.
  const isTaken = (field: string, column: SampleColumn) =>
    fields.some(
      (one) =>
        one.field !== field &&
        one.columns.includes(column) &&
        rate(one.field, column.name) >= rate(field, column.name),
    );
  const all = [...fields, media];
  const judged = readings.map((one) => {
    const free = sample.list().filter((column) => !isTaken(one.field, column));
    const rivals = listRivals(one, free, rate);
    const certain = rivals.find((rival) => isWrong({ one, rival, all, rate }));
    return { one, rival: certain ?? rivals[0], isCertain: certain !== undefined };
  });
  const certain = judged.filter(({ isCertain }) => isCertain).flatMap(toRivals);
  const rest = judged.filter(({ isCertain }) => !isCertain);
  const others = rest
    .filter(({ rival }) => rival === undefined)
    .flatMap(({ one }) => listOthers(one, find, rate));
  const values = judgeRest(rest.map(({ one }) => one));
  const known = new Set(values.flatMap(({ fields: ofDoubt = [] }) => ofDoubt));
  const isOpen = ({ field }: FieldFault) => !known.has(field);
  // An extension that is read for a number may be the agent as well.
  const read = new Set(all.flatMap((one) => (NUMBERS.has(one.field) ? [] : one.columns)));
  const unread = sample.list().filter((column) => !read.has(column));
  const open = [...rest, ...listWeak(rest, unread, rate)].flatMap(toRivals).filter(isOpen);
  return [
    ...toFieldDoubts(certain, BETTER),
    ...values,
    ...toFieldDoubts(open, MAYBE_BETTER),
    ...(certain.length > 0 ? [] : toFieldDoubts(others.filter(isOpen), OTHER)),
  ];
}

const BETTER = {
  name: "columns",
  effect: "stop",
  text: "another column or member fits the field better than the one that the mapping reads",
  advice: "Correct the mapping, or prove the field by a sample of it",
} as const;
const MAYBE_BETTER = {
  name: "columns",
  effect: "warn",
  text: "by its name, another column or member fits the field better than the one that the mapping reads",
  advice: "Look which has what the field says. A sample that expects the field proves it",
} as const;
const OTHER = {
  name: "columns",
  effect: "warn",
  text: "the mapping reads a field from a column or member with the name of another",
  advice: "Look whether it has what the field says",
} as const;

const toRivals = ({
  one: { field, first },
  rival,
}: {
  readonly one: Reading;
  readonly rival: SampleColumn | undefined;
}): readonly FieldFault[] =>
  rival === undefined ? [] : [{ field, text: `${toNames(first)}, and there is {${rival.name}}` }];
