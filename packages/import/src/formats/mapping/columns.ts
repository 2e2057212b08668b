// Judges by its name which column or member each field reads: another one may have the field's name, or this one that of another field.
import { type Doubt, type FieldFault, toFieldDoubts } from "../../doubts/doubt.ts";
import { isLonger, judgeValues } from "./column-values.ts";
import { IDS, mayBe, NUMBERS } from "./column-kinds.ts";
import { isNamed, mayBeOf, rateAll, type RateName, USUAL, WEAK } from "./field-names.ts";
import type { Mapping } from "./mapping.ts";
import { toSteps } from "./names.ts";
import type { FieldRules, Rule } from "./rule.ts";
import type { Reading, SampleColumn, SampleColumns } from "./sample-columns.ts";
import { type KeyedTemplate, listNamesIn } from "./template.ts";
import { judgeUnknown, listWeak } from "./unknown-columns.ts";

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
  const all = mapping.fields.map((one) => toReading(one, find));
  const readings = all.filter(
    ({ field, first }) => !mapping.expected.has(field) && first.length > 0,
  );
  // A column that is read for the field of its name is not a better one for other fields.
  const isTaken = (field: string, column: SampleColumn) =>
    all.some(
      (one) =>
        one.field !== field &&
        one.columns.includes(column) &&
        rate(one.field, column.name) >= rate(field, column.name),
    );
  const free = (field: string) => sample.list().filter((one) => !isTaken(field, one));
  const media = toReading({ field: "recordings", rules: mapping.media.flat() }, find);
  const judged = readings.map((one) => {
    const rivals = listRivals(one, free(one.field), rate);
    const certain = rivals.find((rival) => isWrong({ one, rival, all: [...all, media], rate }));
    return { one, rival: certain ?? rivals[0], isCertain: certain !== undefined };
  });
  const certain = judged.filter(({ isCertain }) => isCertain).flatMap(toRivals);
  const rest = judged.filter(({ isCertain }) => !isCertain);
  const others = rest
    .filter(({ rival }) => rival === undefined)
    .flatMap(({ one }) => listOthers(one, find, rate));
  const alternatives = readings.flatMap((one) => listAlternatives(one, find));
  const values = judgeValues(
    rest.map(({ one }) => one),
    { mapping, sample, rate, alternatives },
  );
  const known = new Set(values.flatMap(({ fields = [] }) => fields));
  const read = new Set([...all, media].flatMap(({ columns }) => columns));
  const unread = sample.list().filter((column) => !read.has(column));
  const open = [...rest, ...listWeak(rest, unread, rate)]
    .flatMap(toRivals)
    .filter(({ field }) => !known.has(field));
  const doubts = [
    ...toFieldDoubts(certain, BETTER),
    ...values,
    ...toFieldDoubts(open, MAYBE_BETTER),
    ...(certain.length > 0
      ? []
      : toFieldDoubts(
          others.filter(({ field }) => !known.has(field)),
          OTHER,
        )),
  ];
  const doubted = new Set(doubts.flatMap(({ fields = [] }) => fields));
  const unknown = alternatives.filter(({ field }) => !doubted.has(field));
  return [
    ...doubts,
    ...judgeUnknown(unknown, sample, rate),
    ...toFieldDoubts(findIds(mapping, sample, rate), NAMELESS),
    ...toFieldDoubts(listUnused(readings, sample, find), UNUSED),
  ];
}

/** Columns with identifiers of calls, where the mapping reads none. */
function findIds(mapping: Mapping, sample: SampleColumns, rate: RateName): readonly FieldFault[] {
  if (mapping.fields.some(({ field }) => field === "call_id")) return [];
  return sample
    .list()
    .filter(({ name, values }) => rate("call_id", name) > 0 && values.size > 0)
    .map(({ name }) => ({ field: "call_id", text: `there is {${name}}` }));
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

const UNUSED = {
  name: "columns",
  effect: "warn",
  text: "an alternative is of no use: the one before it has a value in every row and no condition, or reads the same",
  advice: 'Correct its column or its condition ("when"), or leave it out',
} as const;

function listUnused(
  readings: readonly Reading[],
  sample: SampleColumns,
  find: FindColumns,
): readonly FieldFault[] {
  const isFull = (rule: Rule) => {
    const columns = find(rule, rule.from.slice(0, 1));
    const isPlain = rule.when.length === 0 && rule.match === undefined && rule.of === undefined;
    const areFull = columns.every(({ values }) => values.size === sample.countRows());
    return isPlain && rule.minus === undefined && columns.length > 0 && areFull;
  };
  const isTwin = (one: Rule, other: Rule | undefined) =>
    other !== undefined &&
    [one.match, one.of, one.minus, other.match, other.of].every((part) => part === undefined) &&
    JSON.stringify(find(one, one.from).map(({ name }) => name)) ===
      JSON.stringify(find(other, other.from).map(({ name }) => name));
  return readings.flatMap(({ field, rules }) => {
    const found = rules
      .slice(0, -1)
      .find((rule, index) => isFull(rule) || isTwin(rule, rules[index + 1]));
    return found === undefined ? [] : [{ field, text: toNames(find(found, found.from)) }];
  });
}

const NAMELESS = {
  name: "columns",
  effect: "warn",
  text: "the mapping reads no call_id: nobody finds a call by it, and a call that comes again with a change is another call",
  advice: "Read it from the column that has it",
} as const;
type FindColumns = (rule: Rule, templates: readonly KeyedTemplate[]) => readonly SampleColumn[];

function toReading({ field, rules }: FieldRules, find: FindColumns): Reading {
  const all = rules.flatMap((rule) => find(rule, [...rule.from, ...listMinus(rule)]));
  const added = rules.flatMap((rule) => find(rule, rule.plus));
  const [rule] = rules;
  const isPlain = rule !== undefined && rule.when.length === 0;
  const alternatives = isPlain
    ? rule.from.map((template) => find(rule, [template, ...listMinus(rule)]))
    : [];
  const first = alternatives.find((some) => some.some(({ values }) => values.size > 0));
  return { field, rules, columns: [...new Set([...all, ...added])], first: first ?? all };
}

/** Each alternative of a field by itself, also those that conditions choose, and durations that are added. */
function listAlternatives({ field, rules }: Reading, find: FindColumns): readonly Reading[] {
  return rules.flatMap((rule) =>
    [...rule.from, ...rule.plus].flatMap((template): Reading[] => {
      const columns = find(rule, [template, ...listMinus(rule)]);
      return columns.length === 0 ? [] : [{ field, rules: [rule], columns, first: columns }];
    }),
  );
}

const listMinus = ({ minus }: Rule) => (minus === undefined ? [] : [minus]);

type Names = Pick<Mapping, "lets" | "joins">;

/** A named value has the paths of its own rules. */
export const listPaths = (rules: readonly Rule[], mapping: Names): readonly (readonly string[])[] =>
  rules.flatMap((rule) => listPathsOf(rule, [...rule.from, ...listMinus(rule)], mapping));

function listPathsOf(
  { of, each }: Rule,
  templates: readonly KeyedTemplate[],
  mapping: Names,
): readonly (readonly string[])[] {
  return templates.flatMap(listNamesIn).flatMap((name) => {
    const [first = "", ...rest] = toSteps(name);
    if (first === "$each") return [[...toSteps(of ?? each ?? ""), ...rest]];
    if (first.startsWith("$") || mapping.joins.has(first)) return [];
    const lets = mapping.lets.get(first);
    if (lets === undefined) return [toSteps(name)];
    const element = lets.find(({ isElement }) => isElement);
    return element === undefined
      ? listPaths(lets, mapping)
      : [[...toSteps(element.of ?? ""), ...rest]];
  });
}

/** The columns that fit the field better, the best first. */
function listRivals(
  reading: Reading,
  candidates: readonly SampleColumn[],
  rate: RateName,
): readonly SampleColumn[] {
  const { field, first, columns, rules } = reading;
  // Sums are made of columns of other names.
  if (rules[0]?.plus.length !== 0) return [];
  const rated = first.map(({ name }) => rate(field, name));
  // A date with the time of the end is the end.
  const own = field === "datetime" ? Math.min(...rated) : Math.max(...rated);
  const least = toLeast(reading, own);
  const isAlien = own === 0 && first.every(({ name }) => rateAll(name).size > 0);
  const isFull = first.every(
    ({ values }) => values.size === Math.max(...candidates.map((one) => one.values.size)),
  );
  const others = candidates
    // A member of an array may belong to another element, unless the field reads an array itself.
    .filter((one) => !one.name.includes("*") || first.every(({ name }) => name.includes("*")))
    .filter((one) => !first.includes(one))
    // A later alternative of the field may be the better one, and needs to be where it is read at times.
    .filter((one) => isAlien || isFull || !columns.includes(one))
    .map((column) => ({ column, level: rate(field, column.name) }))
    .filter(
      ({ column, level }) => level > own && level >= (columns.includes(column) ? USUAL : least),
    )
    .toSorted((one, other) => other.level - one.level);
  return others.map(({ column }) => column).filter((column) => mayBe(reading, column));
}

interface Judged {
  readonly one: Reading;
  readonly rival: SampleColumn;
  readonly all: readonly Reading[];
  readonly rate: RateName;
}

/**
 * A better name is one sign of two: a `Skill Group` may be something else. The other sign is that the column has the name of another
 * field, or the better one is read for another field, or the values.
 */
function isWrong({ one: { field, first }, rival, all, rate }: Judged): boolean {
  const alien = first.filter(({ name }) => rate(field, name) === 0);
  const isOther = ({ name }: SampleColumn) =>
    (IDS.has(field) ? [...rateAll(name).keys()] : listBest(name)).some(
      (best) => !isLike(field, best),
    );
  if (alien.length > 0 && alien.every(isOther)) return true;
  // A record has its own identifier, and may have that of a conversation.
  const isOwn = field === "call_id" && first.every(({ name }) => rate(field, name) >= USUAL);
  const isMisread = all.some((other) => {
    if (!isNamed(other.field) || !other.columns.includes(rival)) return false;
    if (isOwn && (IDS.has(other.field) || other.field === "ref_id")) return false;
    const level = rate(other.field, rival.name);
    const mine = Math.max(...first.map(({ name }) => rate(other.field, name)));
    return level === 0 || mine > level || (mine === level && level >= USUAL);
  });
  return isMisread || (field === "talk_time" && isLonger(first, [rival]));
}

// The answer may be taken as the time of a call.
const isLike = (field: string, name: string) => field === "datetime" && name === "the answer";

const toRivals = ({
  one: { field, first },
  rival,
}: {
  readonly one: Reading;
  readonly rival: SampleColumn | undefined;
}): readonly FieldFault[] =>
  rival === undefined ? [] : [{ field, text: `${toNames(first)}, and there is {${rival.name}}` }];

const toNames = (columns: readonly SampleColumn[]) =>
  columns.map(({ name }) => `{${name}}`).join(", ");

/** A weak name is better than columns with the names of other fields. */
function toLeast({ rules, first }: Reading, own: number): number {
  const areOthers = first.every(({ name }) => rateAll(name).size > 0);
  const isPlain = rules.every(({ when }) => when.length === 0);
  return own === 0 && areOthers && isPlain ? WEAK : USUAL;
}

const listBest = (name: string) =>
  [...rateAll(name)].flatMap(([field, level]) => (level >= USUAL ? [field] : []));

// By the direction of the call a number may be that of either side, and an extension is a number and an agent.
const EXTENSION = /ext|number|phone|\bno\b|num/i;

const mayBeNumber = (field: string, name: string) => {
  const isNumber = listBest(name).some((one) => NUMBERS.has(one));
  const isAgent = rateAll(name).has("agent") && EXTENSION.test(name);
  return field === "agent" ? isNumber || isAgent : NUMBERS.has(field) && (isNumber || isAgent);
};

// A note may be any of them.
const FREE = ["transcript", "disposition", "disposition_notes", "the answer", "a name"];
const isFreeText = (name: string) => FREE.some((field) => rateAll(name).has(field));

/** Its alternatives that are called otherwise. */
function listOthers(
  { field, rules }: Reading,
  find: FindColumns,
  rate: RateName,
): readonly FieldFault[] {
  if (!mayBeOf(field)) return [];
  return rules.flatMap((rule) => {
    if (rule.minus !== undefined || rule.plus.length > 0) return [];
    return rule.from.flatMap((template) => {
      const columns = find(rule, [template]);
      const isOther = ({ name }: SampleColumn) =>
        rate(field, name) === 0 &&
        rateAll(name).size > 0 &&
        !mayBeNumber(field, name) &&
        (isNamed(field) || !isFreeText(name));
      // Several columns together are called as neither is.
      return columns.length === 1 && columns.every(isOther)
        ? [{ field, text: toOtherText(columns) }]
        : [];
    });
  });
}

function toOtherText(columns: readonly SampleColumn[]): string {
  const texts = columns.map(({ name }) => {
    const rated = [...rateAll(name)];
    const best = Math.max(...rated.map(([, level]) => level));
    const others = rated.flatMap(([one, level]) => (level === best ? [one] : []));
    return `{${name}}, as ${others.join(" or ")}`;
  });
  return texts.join("; ");
}
