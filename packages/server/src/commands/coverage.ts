// `call-media-server coverage`: reports which calls have complete recordings with sound in them, and which do not.
import { type FileHandle, open } from "node:fs/promises";
import {
  type Coverage,
  COVERAGE_KEYS,
  type CoverageGap,
  type CoverageKey,
  measureCoverage,
} from "@call-media/store";
import { openMaintenance } from "@call-media/store/open";
import { toDay as toDayOf } from "@call-media/store/values";
import { type Command, Option } from "commander";
import {
  console,
  io,
  toNumber,
  toNumberOfDays,
  toSuggestion,
  toWholeNumber,
  UsageError,
} from "@call-media/terminal";
import { toPrintable } from "@call-media/service/printable";
import { createProgress } from "../command-line/progress.ts";
import { addPlaces, type PlaceFlags, toPlaces } from "../command-line/places.ts";
import { recorded } from "../command-line/recorded.ts";
import { toDay } from "../command-line/calendar-day.ts";
import {
  COVERAGE_FORMATS,
  type GapLine,
  isReached,
  toGapLine,
  toGapsCsv,
  toRemarks,
} from "./coverage-formats.ts";

const HELP = `
Legs are counted: each record that has a talk time, with its own recordings. A leg is recorded if all of its recordings are
whole, have sound in them, and last as long as the talk time, less a tolerance and two seconds. Otherwise it is, the first
of these:

  none    it has no recording, or only the name of one
  cut     a recording ends early, cannot be read, or is no sound
  silent  a recording is silent, or one of its channels
  short   its recordings together are shorter than the talk time

  $ call-media-server coverage --data ./archive --last 1d --target 99.5 --list gaps.csv
  $ call-media-server coverage --data ./archive --from 2026-03-01 --to 2026-03-31 --by day,skill
  $ call-media-server coverage --data ./archive --by agent --require media=voice --min-talk 5 --format json

Recordings are not read: what counts is what an import, or "verify --sound", found in them. With --strict hints count as
well, such as that nobody speaks. --require takes the name of any field, and compares as a search does. --by takes day and
the names of fields. Legs that a purge has removed are not known any more: they do not count as missing.

--list writes a line for each leg that is not recorded: call_id, datetime, agent, what, seconds and talk_time.
"call-media recording --ids" takes its first column.

Exit code: 0 there is no --target, or each line reaches it, 1 a line does not, no leg was counted, records are damaged, or
with --target the sound of a recording was never looked at.`;

interface CoverageFlags extends PlaceFlags {
  readonly from?: string;
  readonly to?: string;
  readonly last?: number;
  readonly by: readonly CoverageKey[];
  readonly require?: readonly Requirement[];
  readonly minTalk: number;
  readonly tolerance: number;
  readonly target?: number;
  readonly strict?: true;
  readonly format: keyof typeof COVERAGE_FORMATS;
  readonly list?: string;
}

const DAY_MS = 86_400_000;
const MOST_SECONDS = 86_400;
const DEFAULT_TOLERANCE = 10;

export function configureCoverage(command: Command): void {
  addPlaces(command, "the folder of the archive, or of a backup")
    .option("--from <day>", "the first day, YYYY-MM-DD, in the archive's time zone", toDay)
    .option("--to <day>", "the last day, included", toDay)
    .addOption(
      new Option("--last <days>", "the last days up to today, such as 7d or 4w")
        .argParser(toNumberOfDays)
        .conflicts(["from", "to"]),
    )
    .option("--by <keys>", "day, or fields such as skill and agent, with commas", toKeys, ["day"])
    .option("--require <field=value>", "only such legs; may be given several times", toRequired)
    .option("--min-talk <seconds>", "only longer legs", toWholeNumber(1, MOST_SECONDS), 1)
    .option("--tolerance <percent>", "of talk time", toPercent, DEFAULT_TOLERANCE)
    .option("--target <percent>", "exit code 1 if a line has less", toPercent)
    .option("--strict", "hints count like faults")
    .addOption(
      new Option("--format <format>", "how the report is written")
        .choices(Object.keys(COVERAGE_FORMATS))
        .default("text"),
    )
    .option("--list <file>", "write the legs that are not recorded, as CSV")
    .addHelpText("after", HELP)
    .action(reportCoverage);
}

async function reportCoverage(flags: CoverageFlags): Promise<void> {
  using progress = createProgress();
  const archive = await openMaintenance(toPlaces(flags));
  const { by, minTalk, tolerance, target, format, list, strict = false } = flags;
  const { from = null, to = null } = await toRange(archive, flags);
  const required = (flags.require ?? []).map(({ field, value }) => [field, value] as const);
  // Opened before the work, which may take long.
  await using file = list === undefined ? undefined : await open(list, "w", 0o600);
  const gaps = file && createGaps(file);
  const asked = { from, to, by, required, list: list ?? null };
  const coverage = await recorded({ log: archive, operation: "coverage", asked, toEnding }, () =>
    measureCoverage(archive, {
      fromDay: from ?? undefined,
      toDay: to ?? undefined,
      by,
      required,
      minTalk,
      tolerance: tolerance / 100,
      isStrict: strict,
      onGap: (gap) => gaps?.add(gap),
    }),
  );
  progress[Symbol.dispose]();
  await gaps?.end();
  io().stdout.write(COVERAGE_FORMATS[format](coverage, { by, target }));
  for (const remark of toRemarks(coverage, format)) console.error(toPrintable(remark));
  const isShort = target !== undefined && (!isReached(coverage, target) || coverage.unheard > 0);
  if (isShort || coverage.damaged.length > 0) io().exitCode = 1;
}

/** Keeps only the fields of a line, not whole records. */
function createGaps(file: FileHandle) {
  const lines: GapLine[] = [];
  return {
    add: (gap: CoverageGap): void => void lines.push(toGapLine(gap)),
    end: async (): Promise<void> => await file.writeFile(toGapsCsv(lines)),
  };
}

const toEnding = ({ total, damaged }: Coverage) => ({
  counts: { legs: total.legs, recorded: total.recorded, damaged: damaged.length },
});

/** Days in the archive's time zone, which only the archive knows. */
async function toRange(
  archive: Awaited<ReturnType<typeof openMaintenance>>,
  { from, to, last }: CoverageFlags,
): Promise<{ readonly from?: string | undefined; readonly to?: string | undefined }> {
  if (last === undefined) return { from, to };
  await using scan = await archive.scan();
  const today = toDayOf(Date.now(), scan.timeZone);
  const first = new Date(Date.parse(today) - (last - 1) * DAY_MS);
  return { from: first.toISOString().slice(0, 10), to: today };
}

const toPercent = toNumber(0, 100, "number of per cent");

const KEYS: ReadonlySet<string> = new Set(COVERAGE_KEYS);
const isKey = (name: string): name is CoverageKey => KEYS.has(name);

function toKeys(text: string): readonly CoverageKey[] {
  return text.split(",").map((part) => {
    const name = part.trim();
    if (isKey(name)) return name;
    throw new UsageError(`--by: records have no field ${name}${toSuggestion(name, COVERAGE_KEYS)}`);
  });
}

interface Requirement {
  readonly field: Exclude<CoverageKey, "day">;
  readonly value: string;
}

function toRequired(text: string, before: unknown): readonly Requirement[] {
  const [, field = "", value = ""] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (!isKey(field) || field === "day")
    throw new UsageError(
      `--require ${text}: it must be a field and its value, such as media=voice${toSuggestion(field, COVERAGE_KEYS)}`,
    );
  return [...(Array.isArray(before) ? before : []), { field, value }];
}
