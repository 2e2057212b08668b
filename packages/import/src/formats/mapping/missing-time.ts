// Judges whether a datetime lacks its time of day while another column has it: all calls would begin at midnight.
import { type Doubt, toFieldDoubts } from "../../doubts/doubt.ts";
import type { Entry } from "../format.ts";
import { listPaths } from "./readings.ts";
import { AFTER_WORK, rateAll } from "./field-names.ts";
import type { Mapping } from "./mapping.ts";
import type { SampleColumn, SampleColumns } from "./sample-columns.ts";

const SAMPLE = 1_000;
// Values of fewer rows say little.
const FEW = 3;
const MOST = 0.9;
const MIDNIGHT = /^\d{4}-\d\d-\d\d(?:[T ]00:00(?::00)?(?:\.0+)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
const CLOCK =
  /^T?([01]?\d|2[0-3])[:.h]([0-5]\d)(?:[:.m][0-5]\d(?:[.,]\d+)?s?)?(?: ?(?:[ap]\.?m\.?|uhr|Z|[+-]\d\d:?\d\d))?$/i;
const AFTER_DATE = /\d[T ](?!00:00|12:00(?::00)? ?AM)[0-2]?\d:[0-5]\d/i;
// A price has digits such as these.
const DECIMAL = /^\d+\.\d+$/;
// Durations of calls have smaller numbers in the place of the hour.
const MORNING = 6;
// Shifts and opening hours repeat.
const VARIED = 10;
const LENGTHS = ["talk_time", "handle_time", "another duration", AFTER_WORK];

/** Sees the entries of a mapping, and judges them by the columns that it does not read. */
export function createMissingTime(mapping: Mapping, sample: SampleColumns) {
  let [dated, timeless] = [0, 0];
  return {
    see: (entries: readonly Entry[]): void => {
      for (const { datetime } of entries) {
        if (typeof datetime !== "string" || dated >= SAMPLE) continue;
        dated += 1;
        if (MIDNIGHT.test(datetime.trim())) timeless += 1;
      }
    },
    judge: (): readonly Doubt[] => {
      const isTimeless = timeless > 0 && timeless === dated;
      if (!isTimeless || mapping.kind !== "call" || mapping.expected.has("datetime")) return [];
      const rules = mapping.fields.flatMap((one) => one.rules);
      const read = new Set(listPaths(rules, mapping).map((path) => sample.find(path)));
      const own = mapping.fields.filter(({ field }) => field === "datetime");
      const cut = listPaths(
        own.flatMap((one) => one.rules),
        mapping,
      )
        .flatMap((path) => sample.find(path) ?? [])
        .filter(({ values }) => [...values.values()].some((text) => AFTER_DATE.test(text)));
      if (cut.length > 0)
        return toFieldDoubts(
          cut.map(({ name }) => ({ field: "datetime", text: `{${name}} has a time of day` })),
          { ...CUT, effect: toEffect(dated) },
        );
      const clocks = sample
        .list()
        .filter((column) => !read.has(column) && !column.name.includes("*"))
        .filter((column) => hasTimes(column, sample.countRows()))
        .map(({ name }) => `{${name}}`);
      const faults = [
        { field: "datetime", text: `the time of day may be in ${clocks.join(", ")}` },
      ];
      return clocks.length === 0
        ? []
        : toFieldDoubts(faults, { ...MISSING, effect: toEffect(dated) });
    },
  };
}

const CUT = {
  name: "columns",
  text: "every call begins at midnight, and the mapping reads no time of day from a column that has one",
  advice: "Correct the match and the format of datetime, or prove the field by a sample of it",
} as const;

const toEffect = (rows: number) => (rows < FEW ? "warn" : "stop");

const MISSING = {
  name: "columns",
  text: "every call begins at midnight, and a column that the mapping does not read has clock times",
  advice:
    'Read both, as "{Date} {Time}" with a format such as "dd.MM.yyyy HH:mm:ss", or prove the field by a sample of it',
} as const;

/** Times of day, and not how long something took. */
export function hasTimes({ name, values }: SampleColumn, rows: number): boolean {
  if (LENGTHS.some((field) => rateAll(name).has(field))) return false;
  const texts = [...values.values()];
  const hours = texts.flatMap((text) => {
    const hour = DECIMAL.test(text) ? undefined : CLOCK.exec(text)?.[1];
    return hour === undefined ? [] : [Number(hour)];
  });
  return (
    hours.length >= MOST * rows &&
    hours.filter((hour) => hour >= MORNING).length * 2 > hours.length &&
    new Set(texts).size >= Math.min(VARIED, texts.length / 2)
  );
}
