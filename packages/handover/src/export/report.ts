// The content of report.json: the searches of an export, the outcomes for its records and files, and the missing
// proofs.
import type { Verified } from "@call-media/client";
import { countSeconds } from "@call-media/sound/mute";
import type { FoundCalls } from "./call-tally.ts";
import type { Days } from "./days.ts";
import type { FileKind } from "./layout.ts";
import type { Exporter } from "./exporter.ts";
import { type Field, RECORD_FIELDS } from "./fields.ts";
import type { Item, ManifestEntry, MutedSpan, Outcome, Written } from "./manifest.ts";

/** The result of one listing of a window. */
export interface Listed extends Days {
  /** From 0: the round of the export, which each sync continues. */
  readonly round: number;
  /** Records that the service announced; null if it announces none. */
  readonly announced: number | null;
  /** Records that came, each counted once. */
  readonly came: number;
  /** Records that came again and were left out. */
  readonly duplicates: number;
  /** Records of them that another round has. */
  readonly known: number;
  /** Records that another round has and that no longer came, in no version. */
  readonly gone: number;
  /** Records that another round has and that came in another version. */
  readonly superseded: number;
  /** Records that `--where` left out. */
  readonly excluded: number;
  /** Records that were written. */
  readonly rows: number;
  /** Of fields that still repeat a masked value: the number of records. Missing without. */
  readonly left?: Readonly<Partial<Record<Field, number>>>;
  /** As the client reports it. */
  readonly verdict: "complete" | "unproved" | "drifted";
  /** When the search had been read to its end: UTC, ISO 8601. What came later is not in it. */
  readonly asOf: string;
}

/** A window with the outcomes of its files. */
export interface WindowSummary extends Listed {
  readonly files: Readonly<Record<Outcome["status"], number>>;
  /** Calls of which the service does not know a chat. */
  readonly untoldChats: number;
}

const NO_FILES = { complete: 0, none: 0, missing: 0, refused: 0, damaged: 0, failed: 0 } as const;

/** Adds up the files of a window. Its fields are in one order, whoever searched. */
export function toWindow(listed: Listed) {
  const { from, to, round, announced, came, duplicates, known, gone } = listed;
  const { superseded, excluded, rows, verdict, asOf } = listed;
  const counts = { announced, came, duplicates, known, gone, superseded, excluded, rows };
  const left = sumLeft(listed);
  const files = { ...NO_FILES } as Record<Outcome["status"], number>;
  let untoldChats = 0;
  return {
    add({ item, outcome }: { readonly item: Pick<Item, "kind">; readonly outcome: Outcome }): void {
      files[outcome.status]++;
      if (item.kind === "transcript" && outcome.verified === "nothing") untoldChats++;
    },
    read: (): WindowSummary => ({
      from,
      to,
      round,
      ...counts,
      ...left,
      verdict,
      asOf,
      files,
      untoldChats,
    }),
  };
}

/** What is left in all of them, in the order of the fields. */
export function sumLeft(...all: readonly Pick<Listed, "left">[]): Pick<Listed, "left"> {
  const counts = RECORD_FIELDS.flatMap((field) => {
    const count = all.reduce((sum, { left }) => sum + (left?.[field] ?? 0), 0);
    return count === 0 ? [] : [[field, count] as const];
  });
  return counts.length === 0 ? {} : { left: Object.fromEntries(counts) };
}

/** How many calls were asked for by their identifiers, and those that were not found in the days. */
export interface AskedIds {
  readonly asked: number;
  readonly missing: readonly string[];
}

/** How many spans were to be muted, and those of which the export has no recording, such as "part 2 of call 1001". */
export interface AskedSpans {
  readonly asked: number;
  readonly missing: readonly string[];
}

/** The content of report.json. */
export interface Report {
  /**
   * `complete`: every record that was announced is there, each call that was asked for by its identifier, and every file. `incomplete`: something is not. `empty`: nothing
   * is missing, but no record was found, or --where left all out.
   */
  readonly verdict: "complete" | "incomplete" | "empty";
  /** The missing proofs of this service, a sentence each. */
  readonly unproved: readonly string[];
  /** Why it is incomplete, a sentence each; the files are in the manifest. */
  readonly faults: readonly string[];
  readonly baseUrl: string;
  /** In which datetimes without an offset are (D03, D34); missing where the service does not say it. */
  readonly archiveTimeZone?: string | undefined;
  /** The author of the latest run that changed this. */
  readonly exportedBy: Exporter;
  readonly from: string;
  readonly to: string;
  readonly filter: Readonly<Record<string, unknown>>;
  /** Words that the service searched by (D30); missing without. */
  readonly words?: string | undefined;
  readonly where: string | null;
  /** Of a hand-over of calls by their identifiers; missing without. */
  readonly ids?: AskedIds | undefined;
  /** Missing where nothing was to be muted. */
  readonly mute?: AskedSpans | undefined;
  /** What was asked for of the calls; the rest was left out. */
  readonly kinds: readonly FileKind[];
  /** Fields that are masked in the metadata for good. */
  readonly redacted: readonly Field[];
  /** What masking did not reach, a sentence each; missing without masks. */
  readonly left?: readonly string[] | undefined;
  /** Of a hand-over: its calls; missing where their identifiers are masked. */
  readonly found?: FoundCalls | undefined;
  readonly records: {
    /** Null where a number was not announced. */
    readonly announced: number | null;
    readonly came: number;
    readonly duplicates: number;
    /** By `--where`. */
    readonly excluded: number;
    /** Records of the latest round. */
    readonly added: number;
    /** In the metadata. */
    readonly written: number;
    /** Records of the metadata that the latest searches of their days did not find. */
    readonly gone: number;
    /** Earlier versions of records, which are in `SUPERSEDED` and not in the metadata. */
    readonly superseded: number;
  };
  readonly files: Readonly<Record<Exclude<Outcome["status"], "none">, number>> & {
    readonly expected: number;
    /** For complete files. */
    readonly bytes: number;
    readonly verified: Readonly<Record<Verified, number>>;
    /** Those of the files that are recordings. */
    readonly recordings: { readonly expected: number; readonly complete: number };
    /** Missing where nothing was muted. */
    readonly muted?: {
      readonly recordings: number;
      readonly spans: number;
      readonly seconds: number;
    };
  };
  readonly metadata: Written;
  readonly manifest: Written;
  /** The earliest time at which a search of its days had been read to its end: it proves nothing of later ones. */
  readonly asOf?: string | undefined;
  /** When the export, or its latest sync, was begun, in UTC. */
  readonly beganAt: string;
  readonly finishedAt: string;
  readonly windows: readonly WindowSummary[];
}

/** Adds the lines of the manifest up. */
export function createFileCount() {
  const files = {
    expected: 0,
    complete: 0,
    missing: 0,
    refused: 0,
    damaged: 0,
    failed: 0,
    bytes: 0,
  };
  const verified = { digest: 0, length: 0, nothing: 0 };
  const recordings = { expected: 0, complete: 0 };
  const muted = { recordings: 0, spans: 0, milliseconds: 0 };
  const addMuted = (spans: readonly MutedSpan[]) => {
    muted.recordings++;
    muted.spans += spans.length;
    muted.milliseconds += Math.round(1000 * countSeconds(spans));
  };
  const readMuted = () => {
    const { milliseconds, ...counts } = muted;
    return muted.recordings > 0 && { muted: { ...counts, seconds: milliseconds / 1000 } };
  };
  return {
    add({ kind, status, bytes, verified: by, muted: file }: ManifestEntry): void {
      if (status === "none") return;
      files.expected++;
      files[status]++;
      files.bytes += bytes ?? 0;
      if (kind !== "recording") return;
      recordings.expected++;
      if (status === "complete") recordings.complete++;
      if (by !== null) verified[by]++;
      if (file !== undefined) addMuted(file.spans);
    },
    read: (): Report["files"] => ({ ...files, verified, recordings, ...readMuted() }),
  };
}

/** The text of report.json; its SHA-256 is the seal of the export. */
export const toReportJson = (report: Report): string => `${JSON.stringify(report, undefined, 2)}\n`;
