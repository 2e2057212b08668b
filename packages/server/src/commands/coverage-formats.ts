// The report of coverage as text, CSV and JSON, and the remarks that go with it.
import {
  type Coverage,
  type CoverageCounts,
  type CoverageGap,
  type CoverageKey,
  GAPS,
} from "@call-media/store";
import { stringify } from "csv-stringify/sync";
import { createTable, toCounted, toTableWidth } from "@call-media/terminal";

interface Shown {
  readonly by: readonly CoverageKey[];
  readonly target: number | undefined;
}

export const COVERAGE_FORMATS = { text: toText, csv: toCsv, json: toJson } as const;

const toShare = ({ recorded, legs }: CoverageCounts): number => (100 * recorded) / legs;

/** Rounded down: incomplete coverage never shows as 100. */
const toPercent = (counts: CoverageCounts): number => Math.floor(10 * toShare(counts)) / 10;

/** False if no leg was counted: nothing is proved then. */
export const isReached = ({ rows }: Coverage, target: number): boolean =>
  rows.length > 0 && rows.every((row) => toShare(row) >= target);

const COUNTS = ["legs", "recorded", ...GAPS] as const;

function toText({ rows, total, timeZone }: Coverage, { by, target }: Shown): string {
  if (rows.length === 0) return "No leg was counted.\n";
  const columns = [...by, ...COUNTS, "coverage", ""];
  const toLine = (values: readonly (string | null)[], counts: CoverageCounts) => [
    ...values.map((value) => value ?? "-"),
    ...COUNTS.map((name) => counts[name].toLocaleString("en")),
    `${toPercent(counts).toFixed(1)} %`,
    target !== undefined && toShare(counts) < target ? `below ${target} %` : "",
  ];
  const totals = toLine(["total", ...by.slice(1).map(() => "")], total);
  const lines = [
    ...rows.map((row) => toLine(row.values, row)),
    ...(rows.length > 1 ? [totals] : []),
  ];
  const table = createTable({
    columns,
    kept: new Set(columns),
    mayLeaveOut: false,
    width: toTableWidth(),
  });
  return `Days of ${timeZone}\n${table.toText(lines)}${table.end()}`;
}

function toCsv({ rows }: Coverage, { by }: Shown): string {
  const lines = rows.map((row) => [
    ...row.values,
    ...COUNTS.map((name) => row[name]),
    toPercent(row),
  ]);
  return stringify([[...by, ...COUNTS, "coverage"], ...lines], { escape_formulas: true });
}

function toJson(coverage: Coverage, { by, target }: Shown): string {
  const { rows, total, timeZone, untimed, tooShort, unheard, damaged } = coverage;
  const toCounts = (counts: CoverageCounts) => ({
    ...Object.fromEntries(COUNTS.map((name) => [name, counts[name]])),
    coverage: counts.legs === 0 ? null : toPercent(counts),
  });
  const shown = rows.map((row) => ({
    ...Object.fromEntries(by.map((key, at) => [key, row.values[at]])),
    ...toCounts(row),
  }));
  const reached = target === undefined ? {} : { target, isReached: isReached(coverage, target) };
  const others = { untimed, tooShort, unheard, damaged };
  return `${JSON.stringify({ timeZone, ...reached, rows: shown, total: toCounts(total), ...others })}\n`;
}

/** Sentences in addition to the report, except for JSON, which has the numbers. */
export function toRemarks(
  coverage: Coverage,
  format: keyof typeof COVERAGE_FORMATS,
): readonly string[] {
  if (format === "json") return [];
  const { untimed, tooShort, unheard, damaged } = coverage;
  const are = (count: number) => (count === 1 ? "is" : "are");
  return [
    untimed > 0 && `${toCounted(untimed, "leg")} without a talk time ${are(untimed)} not counted.`,
    tooShort > 0 &&
      `${toCounted(tooShort, "leg")} with less talk time than --min-talk ${are(tooShort)} not counted.`,
    unheard > 0 &&
      `The sound of ${toCounted(unheard, "recording")} was never looked at: verify --sound does that.`,
    damaged.length > 0 &&
      `${toCounted(damaged.length, "record")} ${are(damaged.length)} damaged and not counted: doctor names what to do.`,
  ].filter((sentence) => sentence !== false);
}

const GAP_COLUMNS = ["call_id", "datetime", "agent", "what", "seconds", "talk_time"] as const;

export type GapLine = readonly (string | number | null | undefined)[];

export const toGapLine = ({ record, what, seconds }: CoverageGap): GapLine => [
  record.call_id,
  record.datetime,
  record.agent,
  what,
  seconds,
  record.talk_time,
];

/** Escapes cells that a spreadsheet would treat as formulas. */
export const toGapsCsv = (lines: readonly GapLine[]): string =>
  stringify([GAP_COLUMNS, ...lines], { escape_formulas: true });
