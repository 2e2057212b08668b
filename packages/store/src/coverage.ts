// Reports which legs of an archive have complete recordings with sound in them, by groups of legs.
import { FINDINGS, type FindingKind, isFault } from "@call-media/sound";
import { fieldsOf } from "@call-media/api";
import { isKnown } from "./media/sound-faults.ts";
import { ArchiveError } from "./port/faults.ts";
import type { MetadataRecord, Recording } from "./port/calls.ts";
import type { CallItem } from "./port/import-session.ts";
import type { Days, Maintenance, ScanOptions } from "./port/maintenance.ts";
import { parseDatetime, toDay } from "./values/instant.ts";
import { toMatchKey } from "./values/match-key.ts";

type Field = keyof MetadataRecord;

/** A field, or the day, by which legs are grouped. */
export type CoverageKey = "day" | Field;

/** The reason for a gap. If several apply to a leg, the first in this order counts. */
export const GAPS = ["none", "cut", "silent", "short"] as const;
export type Gap = (typeof GAPS)[number];

export interface CoverageOptions extends Days, Pick<ScanOptions, "act"> {
  readonly by: readonly CoverageKey[];
  /** Values that a leg must have, compared as a search compares them (D08). */
  readonly required: readonly (readonly [field: Field, value: string])[];
  /** Legs of fewer seconds are not counted. */
  readonly minTalk: number;
  /** The share of talk time that may be missing, from 0 to 1. */
  readonly tolerance: number;
  /** True if hints count as faults. */
  readonly isStrict: boolean;
  readonly onGap: (gap: CoverageGap) => void;
}

/** A leg that has no whole recording. */
export interface CoverageGap {
  readonly record: MetadataRecord;
  readonly what: Gap;
  /** The total length of its recordings; undefined if the length of one is unknown. */
  readonly seconds: number | undefined;
}

export interface CoverageCounts extends Readonly<Record<Gap, number>> {
  readonly legs: number;
  readonly recorded: number;
}

export interface CoverageRow extends CoverageCounts {
  /** A value for each key, in their order; null where a leg has none. */
  readonly values: readonly (string | null)[];
}

export interface Coverage {
  readonly timeZone: string;
  /** In the order of their values. */
  readonly rows: readonly CoverageRow[];
  readonly total: CoverageCounts;
  /** Matching legs that have no talk time, or too little. */
  readonly untimed: number;
  readonly tooShort: number;
  /** Recordings of counted legs whose audio was never inspected. */
  readonly unheard: number;
  /** Rows that differ from what was written. They are not counted. */
  readonly damaged: readonly string[];
}

export const COVERAGE_KEYS: readonly CoverageKey[] = ["day", ...fieldsOf("MetadataRecord")];

const MOST_GROUPS = 100_000;

/** Reads only records, in one pass. Throws `ArchiveError` for too many groups, and what `scan` throws. */
export async function measureCoverage(
  archive: Pick<Maintenance, "scan">,
  options: CoverageOptions,
): Promise<Coverage> {
  const { fromDay, toDay: lastDay, act } = options;
  await using scan = await archive.scan({ fromDay, toDay: lastDay, act });
  const tally = createTally(scan.timeZone, options);
  const damaged: string[] = [];
  for await (const row of scan.rows()) {
    damaged.push(...(row.damaged ?? []));
    for (const item of row.items) if (item.kind === "call") tally.add(item);
  }
  return { timeZone: scan.timeZone, ...tally.read(), damaged };
}

type Counts = { -readonly [Name in keyof CoverageCounts]: number };

const toNone = (): Counts => ({ legs: 0, recorded: 0, none: 0, cut: 0, silent: 0, short: 0 });

function createTally(timeZone: string, options: CoverageOptions) {
  const { by, minTalk, onGap } = options;
  const required = options.required.map(
    ([field, value]) => [field, toMatchKey(field, value)] as const,
  );
  const groups = new Map<string, Counts>();
  const total = toNone();
  let [untimed, tooShort, unheard] = [0, 0, 0];
  const fits = (record: MetadataRecord) =>
    required.every(([field, key]) => {
      const value = record[field];
      return value !== null && toMatchKey(field, value) === key;
    });
  const toGroup = (record: MetadataRecord): Counts => {
    const key = JSON.stringify(by.map((one) => toValue(record, one, timeZone)));
    const counts = groups.get(key) ?? toNone();
    groups.set(key, counts);
    if (groups.size > MOST_GROUPS)
      throw new ArchiveError(
        `more than ${MOST_GROUPS.toLocaleString("en")} groups by ${by.join(", ")}: take fields of fewer values, or fewer days`,
      );
    return counts;
  };
  return {
    add(item: CallItem): void {
      const { record, recordings } = item;
      if (!fits(record)) return;
      const talk = record.talk_time ?? 0;
      if (talk === 0) return void untimed++;
      if (talk < minTalk) return void tooShort++;
      unheard += recordings.filter(({ media }) => !isKnown(media.sound)).length;
      const seconds = toSeconds(recordings);
      const what = judge(recordings, { talk, seconds, ...options });
      for (const counts of [toGroup(record), total]) {
        counts.legs++;
        counts[what]++;
      }
      if (what !== "recorded") onGap({ record, what, seconds });
    },
    read: () => ({ rows: toRows(groups), total, untimed, tooShort, unheard }),
  };
}

function toRows(groups: ReadonlyMap<string, Counts>): CoverageRow[] {
  const rows = Array.from(groups, ([key, counts]) => ({
    values: JSON.parse(key) as (string | null)[], // as `toGroup` wrote it
    ...counts,
  }));
  const order = (one: CoverageRow, other: CoverageRow) => {
    const at = one.values.findIndex((value, index) => value !== other.values[index]);
    const [a, b] = [one.values[at] ?? "", other.values[at] ?? ""];
    return a < b ? -1 : a > b ? 1 : 0;
  };
  return rows.toSorted(order);
}

function toValue(record: MetadataRecord, key: CoverageKey, timeZone: string): string | null {
  if (key !== "day") return record[key] === null ? null : String(record[key]);
  const parsed = record.datetime === null ? "" : parseDatetime(record.datetime, timeZone);
  return typeof parsed === "string" ? null : toDay(parsed.instantMs, timeZone);
}

interface Judged extends Pick<CoverageOptions, "tolerance" | "isStrict"> {
  readonly talk: number;
  readonly seconds: number | undefined;
}

/** Platforms round talk time to whole seconds and start recording a moment late. */
const SLACK_SECONDS = 2;

const GAP_OF: Readonly<Record<FindingKind, "cut" | "silent">> = {
  truncated: "cut",
  malformed: "cut",
  "no-samples": "cut",
  "not-sound": "cut",
  "unfinished-header": "cut",
  "hidden-bytes": "cut",
  silent: "silent",
  "channel-silent": "silent",
  "no-speech": "silent",
  "channel-no-speech": "silent",
  "channels-same": "silent",
};

function judge(recordings: readonly Recording[], judged: Judged): Gap | "recorded" {
  const { talk, seconds, tolerance, isStrict } = judged;
  if (recordings.length === 0) return "none";
  const findings = recordings.flatMap(({ media }) => media.sound?.findings ?? []);
  const counted = findings.filter(
    (finding) => finding.kind in FINDINGS && (isStrict || isFault(finding)),
  );
  const found = new Set(counted.map(({ kind }) => GAP_OF[kind]));
  if (found.has("cut")) return "cut";
  if (found.has("silent")) return "silent";
  const least = talk * (1 - tolerance) - SLACK_SECONDS;
  return seconds !== undefined && seconds < least ? "short" : "recorded";
}

/** The total length of a leg's recordings. */
function toSeconds(recordings: readonly Recording[]): number | undefined {
  const durations = recordings.map(({ media }) => media.sound?.durationMs);
  const known = durations.filter((ms) => ms !== undefined);
  if (known.length === 0 || known.length < durations.length) return undefined;
  return known.reduce((sum, ms) => sum + ms, 0) / 1000;
}
