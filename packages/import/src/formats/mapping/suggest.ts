// Begins a mapping for the first rows of a file: names that fields have, and the form of the values. All of it is guessed, and says so.
import { isTimeZone, parseDatetime } from "@call-media/store/values";
import { isOrderOpen } from "../../doubts/day-order.ts";
import { createConversion, toSeconds } from "./conversion.ts";
import { findMeaning } from "./meanings.ts";
import { rateAll, type RateName, WEAK } from "./field-names.ts";
import { hasTimes } from "./missing-time.ts";
import { readUnit } from "./unit-names.ts";
import type { SampleColumn, SampleColumns } from "./sample-columns.ts";

/** A mapping that an import reads and does not carry out before `guess` is gone. */
export interface Suggestion {
  readonly mapping: 2;
  /** Sentences, each about something that a person has to look at. */
  readonly guess: readonly string[];
  readonly table?: { readonly delimiter: string };
  readonly records?: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly media?: readonly string[];
}

// The mapping reads recordings by `media`, and durations in their unit.
const RECORDING = "recordings";
const DURATIONS = new Set(["talk_time", "handle_time"]);

/** `fields` are those of a record, in the order in which they are suggested. */
export function suggestFields(
  sample: SampleColumns,
  rate: RateName,
  fields: readonly string[],
): Pick<Suggestion, "guess" | "fields" | "media"> {
  const columns = sample
    .list()
    .filter(({ values, name }) => values.size > 0 && !/[*{}]/.test(name));
  const chosen = chooseColumns(columns, rate, fields);
  const guess: string[] = [];
  const found: Record<string, unknown> = {};
  const isRead = ({ name }: SampleColumn) =>
    JSON.stringify(found).includes(JSON.stringify(`{${name}}`).slice(1, -1));
  for (const [field, column] of chosen) {
    if (field === RECORDING) continue;
    const { rule, doubts } = toRule(field, column, columns);
    if (rule !== undefined) found[field] = rule;
    guess.push(...doubts.map((doubt) => `${field}: {${column.name}}: ${doubt}`));
    if (rate(field, column.name) === WEAK)
      guess.push(`${field}: {${column.name}}: the name may be that of something else`);
    const also = columns.filter(
      (one) =>
        ![...chosen.values()].includes(one) &&
        !isRead(one) &&
        rate(field, one.name) === rate(field, column.name),
    );
    if (also.length > 0)
      guess.push(
        `${field}: {${column.name}}, or ${also.map(({ name }) => `{${name}}`).join(", ")}?`,
      );
  }
  const recording = chosen.get(RECORDING);
  if (recording !== undefined)
    guess.push(
      `media: {${recording.name}}: are these names of files, such as "${toFirst(recording)}"?`,
    );
  const read = new Set(chosen.values());
  const rest = columns
    .filter((column) => !read.has(column) && !isRead(column))
    .map(({ name }) => name);
  return {
    guess: [
      `all fields are read by the names of their columns: compare a few calls with the source, as import --explain shows them`,
      ...guess,
      ...judgeIds(chosen.get("call_id")),
      ...(found["datetime"] === undefined
        ? ["datetime: no column is known to be the start of a call"]
        : []),
      ...(rest.length === 0 ? [] : [`not read: ${rest.join(", ")}`]),
    ],
    fields: found,
    ...(recording !== undefined && { media: [`{${recording.name}}`] }),
  };
}

/** For each field the column that fits best and that fits no other field better. */
function chooseColumns(
  columns: readonly SampleColumn[],
  rate: RateName,
  fields: readonly string[],
): ReadonlyMap<string, SampleColumn> {
  // The name that fits the fewest fields says the most: an identifier of agents before an agent, which may be a name.
  const toBreadth = ({ name }: SampleColumn) => rateAll(name).size;
  const sorted = columns.toSorted((one, other) => toBreadth(one) - toBreadth(other));
  const pairs = fields.flatMap((field) =>
    sorted.map((column) => ({ field, column, level: rate(field, column.name) })),
  );
  const chosen = new Map<string, SampleColumn>();
  const taken = new Set<SampleColumn>();
  for (const { field, column, level } of pairs.toSorted((one, other) => other.level - one.level)) {
    const isFree = !chosen.has(field) && !taken.has(column);
    if (level < WEAK || !isFree || !mayHave(field, column)) continue;
    // A bare name may be that of either side.
    if ((rateAll(column.name).get("a name") ?? 0) > level) continue;
    chosen.set(field, column);
    taken.add(column);
  }
  return new Map(
    fields.flatMap((field) => {
      const column = chosen.get(field);
      return column === undefined ? [] : [[field, column] as const];
    }),
  );
}

const toFirst = ({ values }: SampleColumn) => [...values.values()][0] ?? "";

/** True if the values have the form of the field. */
function mayHave(field: string, { values }: SampleColumn): boolean {
  const texts = [...values.values()];
  const areAll = (fits: (text: string) => boolean) => texts.every(fits);
  if (DURATIONS.has(field)) return areAll((text) => "value" in toSeconds(text));
  if (field === "datetime") return areAll((text) => /\d/.test(text));
  if (field === "ani" || field === "dnis") return texts.some((text) => /\d{2}/.test(text));
  return true;
}

interface Suggested {
  readonly rule: unknown;
  readonly doubts: readonly string[];
}

function toRule(field: string, column: SampleColumn, columns: readonly SampleColumn[]): Suggested {
  const from = `{${column.name}}`;
  if (field === "datetime") return toDatetime(column, columns);
  if (DURATIONS.has(field)) return toDuration(from, column);
  if (field === "call_type") return toCallType(from, column);
  return { rule: from, doubts: [] };
}

const FORMATS = [
  "iso",
  "unix",
  "unix-ms",
  "yyyy-MM-dd HH:mm:ss z",
  "yyyy-MM-dd HH:mm:ss ZZZ",
  "yyyy-MM-dd HH:mm:ss.SSS",
  "yyyy/MM/dd HH:mm:ss",
  "yyyy/MM/dd HH:mm",
  "dd/MM/yyyy HH:mm:ss",
  "MM/dd/yyyy HH:mm:ss",
  "d/M/yyyy H:mm",
  "M/d/yyyy H:mm",
  "dd/MM/yyyy HH:mm",
  "MM/dd/yyyy HH:mm",
  "M/d/yyyy h:mm:ss a",
  "d/M/yyyy h:mm:ss a",
  "M/d/yyyy h:mm a",
  "d/M/yyyy h:mm a",
  "M/d/yy h:mm a",
  "d/M/yy h:mm a",
  "dd.MM.yyyy HH:mm:ss",
  "dd.MM.yyyy HH:mm",
  "yyyyMMddHHmmss",
  "EEE, dd MMM yyyy HH:mm:ss",
  "EEE, dd MMM yyyy HH:mm:ss ZZZ",
  "EEE MM/dd/yyyy h:mm a",
  "dd MMM yyyy HH:mm:ss",
  "MMM d, yyyy h:mm:ss a",
];
const EPOCH = /^1\d{9}(?:\.\d+)?$/;
const EPOCH_MS = /^1\d{12}$/;

const toFormats = (texts: readonly string[]) =>
  FORMATS.filter((format) => {
    if (format === "unix") return texts.every((text) => EPOCH.test(text));
    if (format === "unix-ms") return texts.every((text) => EPOCH_MS.test(text));
    const convert = createConversion("format", { as: "datetime", formats: [format, format] });
    return texts.every((text) => "value" in convert(text) && !/^\d{4}-\d\d-\d\d$/.test(text));
  });

/** Day or month, whichever comes first. */
const toFirstPart = (format: string) => /[dM]/.exec(format)?.[0];

function toDatetime(column: SampleColumn, columns: readonly SampleColumn[]): Suggested {
  const zone = columns.find(
    ({ name, values }) => /zone|\btz\b/i.test(name) && [...values.values()].every(isTimeZone),
  );
  const read = (from: string, texts: readonly string[]): Suggested => {
    const [format, ...others] = toFormats(texts);
    if (format === undefined)
      return {
        rule: undefined,
        doubts: [`"${texts[0] ?? ""}" has no known form: give its "format"`],
      };
    const convert = createConversion("format", { as: "datetime", formats: [format, format] });
    const hasOffset = texts.every((text) => {
      const one = convert(text);
      const parsed = "fault" in one ? "" : parseDatetime(String(one.value), "UTC");
      return typeof parsed !== "string" && parsed.hasOffset;
    });
    const exchanged = others.filter(
      (one) => isOrderOpen(one) && toFirstPart(one) !== toFirstPart(format),
    );
    return {
      rule: { from, format, ...(!hasOffset && zone !== undefined && { zone: `{${zone.name}}` }) },
      doubts: [
        ...(isOrderOpen(format) && exchanged.length > 0
          ? [`day and month may be exchanged: ${[format, ...exchanged].join(" or ")}`]
          : []),
        ...(hasOffset
          ? []
          : [zone === undefined ? NO_ZONE : `are its times of the zone in {${zone.name}}?`]),
      ],
    };
  };
  const own = read(`{${column.name}}`, [...column.values.values()]);
  const time = findTime(column, columns);
  if (own.rule !== undefined || time === undefined) return own;
  const texts = [...column.values].map(([row, text]) => `${text} ${time.values.get(row) ?? ""}`);
  return read(`{${column.name}} {${time.name}}`, texts);
}

const OTHERS = ["end", "the answer"];

/** The time of day that belongs to a date: the one next to it that is of no other event. */
function findTime(date: SampleColumn, columns: readonly SampleColumn[]): SampleColumn | undefined {
  const rows = Math.max(...columns.map(({ values }) => values.size));
  const times = columns
    .filter((one) => one !== date && hasTimes(one, rows))
    .filter(({ name }) => !OTHERS.some((other) => rateAll(name).has(other)));
  const place = columns.indexOf(date);
  const toDistance = (one: SampleColumn) => Math.abs(columns.indexOf(one) - place);
  return times.toSorted((one, other) => toDistance(one) - toDistance(other))[0];
}

const NO_ZONE =
  'its times have no offset: say the zone they were written in, by --timezone or as "zone": "Europe/London" beside the format';

// Longer than calls are, and shorter than any in milliseconds.
const LONG_SECONDS = 14_400;

const UNITS = new Map([
  ["ms", "milliseconds"],
  ["s", "seconds"],
  ["min", "minutes"],
  ["h", "hours"],
]);

function toDuration(from: string, { name, values }: SampleColumn): Suggested {
  const texts = [...values.values()];
  const seconds = texts.map((text) => {
    const one = toSeconds(text);
    return "fault" in one ? 0 : Number(one.value);
  });
  const median = seconds.toSorted((one, other) => one - other)[seconds.length >> 1] ?? 0;
  // Clock times such as 0:01:05 say their units themselves.
  const said = texts.some((text) => text.includes(":")) ? undefined : readUnit(name);
  const unit = said ?? (median > LONG_SECONDS ? "ms" : "s");
  const shown = texts.slice(0, SHOWN).join(", ");
  return {
    rule: unit === "s" ? from : { from, unit },
    doubts: [`${shown}: are these ${UNITS.get(unit)}, and of the talk or of the whole call?`],
  };
}

const SHOWN = 3;
const WAYS = ["Inbound", "Outbound", "Internal"];
const MANY = 12;

function toCallType(from: string, { values }: SampleColumn): Suggested {
  const texts = [...new Set(values.values())];
  if (texts.length > MANY)
    return { rule: from, doubts: ["it has many values, and should have few"] };
  const pairs = texts.map((text): [string, string | undefined] => {
    const meaning = findMeaning(text);
    return [text, meaning?.family === 0 ? WAYS[meaning.line] : undefined];
  });
  const table = Object.fromEntries(
    pairs.filter(([text, way]) => way !== undefined && way !== text),
  );
  const unknown = pairs.filter(([, way]) => way === undefined).map(([text]) => `"${text}"`);
  return {
    rule: Object.keys(table).length === 0 ? from : { from, values: table },
    doubts:
      unknown.length === 0 ? [] : [`which direction is ${unknown.join(", ")}? Say it in "values"`],
  };
}

function judgeIds(column: SampleColumn | undefined): readonly string[] {
  if (column === undefined)
    return ["call_id: no column is known to identify a call: equal rows are calls of their own"];
  const repeated = column.values.size - new Set(column.values.values()).size;
  if (repeated === 0) return [];
  return [
    `call_id: {${column.name}}: ${repeated.toLocaleString("en")} of ${column.values.size.toLocaleString("en")} rows have that of another: name what tells legs of a call apart, as "identity": ["{Leg}"]`,
  ];
}
