// Judges by values whether a field reads the right column: the end is not the start, and a queue has several calls.
import { type Doubt, type FieldFault, toDoubts, toFieldDoubts } from "../../doubts/doubt.ts";
import { areMost, LENGTHS } from "./column-kinds.ts";
import { toSeconds } from "./conversion.ts";
import { AFTER_WORK, isNamed, rateAll, type RateName } from "./field-names.ts";
import type { Mapping } from "./mapping.ts";
import { convertAll, type Moments, readMoments, type Values } from "./row-moments.ts";
import type { Reading, SampleColumn, SampleColumns } from "./sample-columns.ts";
import { judgeForms, UNUSUAL, WRONG } from "./value-forms.ts";

interface Context {
  readonly mapping: Mapping;
  readonly sample: SampleColumns;
  readonly rate: RateName;
  /** Each alternative of the fields by itself. */
  readonly alternatives: readonly Reading[];
}

interface Judged extends Context {
  readonly moments: Moments | undefined;
}

/** `readings` are of the fields that are in question. */
export function judgeValues(readings: readonly Reading[], context: Context): readonly Doubt[] {
  const fields = new Set(readings.map(({ field }) => field));
  const alternatives = context.alternatives.filter(({ field }) => fields.has(field));
  const files = findFiles(readings);
  const unequal = listUnequal(
    alternatives.filter(({ field }) => !files.some((one) => one.field === field)),
  );
  const { mapping, sample } = context;
  const moments = readMoments(readings, sample);
  return [
    ...toFieldDoubts(findEnds(readings, { ...context, moments }), { ...WRONG, text: ENDS }),
    ...toFieldDoubts(findLongTalks(readings), { ...WRONG, text: LONG_TALKS }),
    ...toFieldDoubts(unequal.filter((one) => isAlien(one, context.rate)).map(toFault), {
      ...WRONG,
      text: UNEQUAL,
    }),
    ...toFieldDoubts(
      unequal.filter((one) => !isAlien(one, context.rate)).map(toFault),
      MAYBE_UNEQUAL,
    ),
    ...toFieldDoubts(files, { ...WRONG, text: FILES }),
    ...judgeForms(alternatives, { ...context, moments, hasHeader: mapping.columns === undefined }),
    ...toFieldDoubts(findHandling(readings, context.sample), HANDLING),
    ...toDoubts(findShared(readings, { ...context, moments }), SHARED_IDS),
  ];
}

const ENDS = "the datetime of the mapping is when the call ended";
const LONG_TALKS = "most calls talk longer than they are handled: the two columns may be exchanged";
const UNEQUAL = "the field has another value in every row, and should be what many calls share";
const MAYBE_UNEQUAL = {
  ...UNUSUAL,
  text: "the field has another value in every row, as free text and identifiers have",
} as const;
const HANDLING = {
  ...UNUSUAL,
  text: "handle_time is the talk, what the customer was on hold and the work after it, and the mapping leaves some of it out",
} as const;
const FILES = "the field has links or names of recordings";
const SHARED_IDS = {
  name: "shared-id",
  effect: "stop",
  text: "most rows have the call_id of other rows, so that they would be parts of few calls",
  advice:
    'Look for the column that identifies a call. If the rows are legs of calls, name what tells them apart, as "identity": ["{Leg}"] in the mapping',
} as const;

// An organisation may have more agents than rows.
const AGENTS = ["agent", "agent_name"];
// Many calls share the value of such a field.
const SHARED = new Set([
  "call_type",
  "campaign",
  "campaign_type",
  "skill",
  "agent_group",
  "disposition",
  "media",
  ...AGENTS,
]);
const MANY = 20;

function listUnequal(readings: readonly Reading[]): readonly Reading[] {
  return readings
    .filter(({ field, columns }) => SHARED.has(field) && columns.length === 1)
    .filter(({ columns: [column] }) => {
      const texts = [...(column?.values.values() ?? [])];
      return texts.length >= MANY && new Set(texts).size > MOST_UNEQUAL * texts.length;
    });
}

const toFault = ({ field, columns }: Reading) => ({ field, text: `{${columns[0]?.name}}` });

/** A disposition may be a note, and a column of another field or of identifiers is none. */
function isAlien({ field, columns: [column] }: Reading, rate: RateName): boolean {
  if (column === undefined || rate(field, column.name) > 0 || AGENTS.includes(field)) return false;
  const others = [...rateAll(column.name).keys()];
  if (others.length > 0) return field !== "disposition" || others.some(isNamed);
  return areMost(column, (text) => /^\S*\d\S*$/.test(text));
}

const MOST_UNEQUAL = 0.9;

const FILE = /:[/][/]|[.](?:wav|mp3|ogg|opus|flac|m4a|mp4|webm|gsm)$/i;
// An identifier may be the name of a file.
const FILED = new Set(["call_id", "ref_id", "session_id", "master_id", "recordings", "media"]);

function findFiles(readings: readonly Reading[]): readonly FieldFault[] {
  return readings
    .filter(({ field }) => isNamed(field) && !FILED.has(field))
    .flatMap(({ field, columns }) => columns.map((column) => ({ field, ...column })))
    .filter((column) => areMost(column, (text) => FILE.test(text)))
    .map(({ field, name }) => ({ field, text: `{${name}}` }));
}

// A distance may be chance in fewer rows.
const FEW = 3;
const NEAR_MS = 2_000;
const MOST = 0.8;

/** The seconds of each duration column, known by its name or by the mapping. */
function findLengths(readings: readonly Reading[], sample: SampleColumns): readonly Values[] {
  const read = readings.filter(({ field }) => LENGTHS.has(field));
  return sample
    .list()
    .filter(
      (column) =>
        read.some(({ columns }) => columns.includes(column)) ||
        [...LENGTHS].some((field) => rateAll(column.name).has(field)),
    )
    .map(({ values }) => convertAll(values, toSeconds))
    .filter((values) => values.size >= FEW);
}

/** Another time of the rows that lies as long before the datetime as the call took. */
function findEnds(
  readings: readonly Reading[],
  { sample, moments }: Pick<Judged, "sample" | "moments">,
): readonly FieldFault[] {
  const own = readings.find(({ field }) => field === "datetime")?.first ?? [];
  const lengths = findLengths(readings, sample);
  return (moments?.others ?? [])
    .filter(({ moments: starts }) =>
      lengths.some((length) => areEnds(moments?.own ?? new Map(), starts, length)),
    )
    .map(({ column }) => ({
      field: "datetime",
      text: `${own.map(({ name }) => `{${name}}`).join(", ")}, and the start is {${column.name}}`,
    }));
}

function areEnds(ends: Values, starts: Values, lengths: Values): boolean {
  const distances = [...lengths].flatMap(([row, seconds]) => {
    const [end, start] = [ends.get(row), starts.get(row)];
    if (end === undefined || start === undefined || seconds === 0) return [];
    return [Math.abs(end - start - seconds * 1_000)];
  });
  const near = distances.filter((ms) => ms <= NEAR_MS);
  return distances.length >= FEW && near.length >= MOST * distances.length;
}

function findLongTalks(readings: readonly Reading[]): readonly FieldFault[] {
  const find = (field: string) => readings.find((one) => one.field === field);
  const [talk, handle] = [find("talk_time"), find("handle_time")];
  const [one, other] = [talk?.columns[0], handle?.columns[0]];
  if (one === undefined || other === undefined || one === other) return [];
  if ([talk, handle].some((each) => each?.columns.length !== 1)) return [];
  return isLonger([one], [other])
    ? [{ field: "talk_time", text: `{${one.name}}, handle_time: {${other.name}}` }]
    : [];
}

/** Most durations of a single column, where they differ, are longer than those of the other. */
export function isLonger(
  [one, ...more]: readonly SampleColumn[],
  [other]: readonly SampleColumn[],
): boolean {
  if (one === undefined || other === undefined || more.length > 0) return false;
  const others = convertAll(other.values, toSeconds);
  const pairs = [...convertAll(one.values, toSeconds)].flatMap(([row, seconds]) => {
    const length = others.get(row);
    return length === undefined || length === seconds ? [] : [seconds > length];
  });
  return pairs.length >= FEW && pairs.filter(Boolean).length > MOST * pairs.length;
}

/** A handling without the work after the call, where a column has it, or that is the talk itself. */
function findHandling(readings: readonly Reading[], sample: SampleColumns): readonly FieldFault[] {
  const find = (field: string) => readings.find((one) => one.field === field);
  const [talk, handle] = [find("talk_time"), find("handle_time")];
  if (handle === undefined) return [];
  const isTalk = talk !== undefined && handle.columns.every((one) => talk.columns.includes(one));
  const isSum = handle.rules.some(({ plus }) => plus.length > 0);
  if (!isTalk && !isSum) return [];
  const ofTalk = isSum && talk?.columns.length === 1 ? talk.columns : [];
  const left = sample
    .list()
    .filter((one) => ofTalk.includes(one) || rateAll(one.name).has(AFTER_WORK))
    .filter((one) => !handle.columns.includes(one) && one.values.size > 0);
  return left.map(({ name }) => ({
    field: "handle_time",
    text: `${handle.columns.map((one) => `{${one.name}}`).join(", ")}, without {${name}}`,
  }));
}

// A few legs are most of fewer rows.
const FEW_IDS = 4;
const DAY_MS = 86_400_000;
// Only a name such as "Call ID" is rated so high.
const CERTAIN = 3;

/** Legs of a call lie near each other, and their column is called an identifier of calls. Rows of one queue or agent do not. */
function findShared(
  readings: readonly Reading[],
  { mapping, rate, moments }: Pick<Judged, "mapping" | "rate" | "moments">,
): readonly string[] {
  const [column, ...others] = readings.find(({ field }) => field === "call_id")?.columns ?? [];
  if (column === undefined || others.length > 0 || mapping.group !== undefined) return [];
  if (mapping.each !== undefined) return [];
  const groups = [...Map.groupBy(column.values, ([, text]) => text).values()];
  const shared = groups.filter((rows) => rows.length > 1);
  const count = (some: typeof groups) => some.reduce((sum, rows) => sum + rows.length, 0);
  if (column.values.size < FEW_IDS || count(shared) * 2 <= column.values.size) return [];
  const far = shared.filter((rows) => {
    const all = rows.flatMap(([row]) => moments?.own.get(row) ?? []);
    return all.length > 1 && Math.max(...all) - Math.min(...all) > DAY_MS;
  });
  const areLegs = mapping.identity.length > 0 || rate("call_id", column.name) >= CERTAIN;
  if (areLegs && count(far) * 2 <= count(shared)) return [];
  return [
    `call_id: {${column.name}}, ${groups.length.toLocaleString("en")} of ${column.values.size.toLocaleString("en")} rows`,
  ];
}
