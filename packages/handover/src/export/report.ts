// The content of report.json: the searches of an export, the results for its records and files, and the missing
// proofs.
import type { Verified } from "@call-media/client";
import type { FindingKind } from "@call-media/sound";
import { countSeconds } from "@call-media/sound/mute";
import type { FoundCalls } from "./call-tally.ts";
import type { Days } from "./days.ts";
import type { FileKind } from "./layout.ts";
import type { Exporter } from "./exporter.ts";
import { type Field, RECORD_FIELDS } from "./fields.ts";
import type { Item, ManifestEntry, MutedSpan, Outcome, Written } from "./manifest.ts";
import type { MeasuredSound } from "./measured-sound.ts";

/** The result of one listing of a window. */
export interface Listed extends Days {
  /** From 0: the round of the export; each sync starts the next. */
  readonly round: number;
  /** Records that the service announced; null if it announces none. */
  readonly announced: number | null;
  /** Records received, each counted once. */
  readonly came: number;
  /** Records received again and left out. */
  readonly duplicates: number;
  /** The number of these records that another round has. */
  readonly known: number;
  /** Records of another round that were no longer found, in any version. */
  readonly gone: number;
  /** Records of another round that were found in another version. */
  readonly superseded: number;
  /** Records that `--where` left out. */
  readonly excluded: number;
  /** Records written. */
  readonly rows: number;
  /** The fields that still repeat a masked value, with the number of records; absent if there are none. */
  readonly left?: Readonly<Partial<Record<Field, number>>>;
  /** As the client reports it. */
  readonly verdict: "complete" | "unproved" | "drifted";
  /** When the search was completely read: UTC, ISO 8601. It does not include later records. */
  readonly asOf: string;
}

/** A window with the results for its files. */
export interface WindowSummary extends Listed {
  readonly files: Readonly<Record<Outcome["status"], number>>;
  /** Calls whose chat the service does not know. */
  readonly untoldChats: number;
}

const NO_FILES = { complete: 0, none: 0, missing: 0, refused: 0, damaged: 0, failed: 0 } as const;

/** Adds up the files of a window. Its fields have a fixed order, whichever program searched. */
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

/** The values left in all of them, in the order of the fields. */
export function sumLeft(...all: readonly Pick<Listed, "left">[]): Pick<Listed, "left"> {
  const counts = RECORD_FIELDS.flatMap((field) => {
    const count = all.reduce((sum, { left }) => sum + (left?.[field] ?? 0), 0);
    return count === 0 ? [] : [[field, count] as const];
  });
  return counts.length === 0 ? {} : { left: Object.fromEntries(counts) };
}

/** The number of calls requested by identifier, and those that were not found in the days. */
export interface AskedIds {
  readonly asked: number;
  readonly missing: readonly string[];
}

/** The number of spans to mute, and those whose recording is not in the export, such as "part 2 of call 1001". */
export interface AskedSpans {
  readonly asked: number;
  readonly missing: readonly string[];
}

/** The content of report.json. */
export interface Report {
  /**
   * `complete`: every announced record is there, every call that was requested by identifier, and every file. `incomplete`: something is
   * missing. `empty`: nothing is missing, but no record was found, or --where left out all of them.
   */
  readonly verdict: "complete" | "incomplete" | "empty";
  /** The missing proofs of this service, one sentence each. */
  readonly unproved: readonly string[];
  /** Why it is incomplete, one sentence each; the files are in the manifest. */
  readonly faults: readonly string[];
  readonly baseUrl: string;
  /** The time zone of datetimes without an offset (D03, D34); absent if the service does not state it. */
  readonly archiveTimeZone?: string | undefined;
  /** The author of the latest run that changed this. */
  readonly exportedBy: Exporter;
  /** What it is for, in the author's words; absent if they gave none. */
  readonly purpose?: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly filter: Readonly<Record<string, unknown>>;
  /** The words of the service's search (D30); absent without any. */
  readonly words?: string | undefined;
  readonly where: string | null;
  /** Present in a hand-over of calls by their identifiers. */
  readonly ids?: AskedIds | undefined;
  /** Absent if nothing was to be muted. */
  readonly mute?: AskedSpans | undefined;
  /** The requested kinds of files; other kinds were left out. */
  readonly kinds: readonly FileKind[];
  /** Fields that are permanently masked in the metadata. */
  readonly redacted: readonly Field[];
  /** The values that masking did not reach, one sentence each; absent without masks. */
  readonly left?: readonly string[] | undefined;
  /** The calls of a hand-over; absent if their identifiers are masked. */
  readonly found?: FoundCalls | undefined;
  readonly records: {
    /** Null if a number was not announced. */
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
    /** The recordings among the files. */
    readonly recordings: { readonly expected: number; readonly complete: number };
    /** Absent if nothing was muted. */
    readonly muted?: {
      readonly recordings: number;
      readonly spans: number;
      readonly seconds: number;
    };
    /** The number of recordings with each finding about their sound; absent if there are none. */
    readonly findings?: Readonly<Partial<Record<FindingKind, number>>>;
    /** The recordings of a format that cannot be measured; absent if there are none. */
    readonly unmeasured?: number;
  };
  readonly metadata: Written;
  readonly manifest: Written;
  /** The earliest time at which a search of its days was completely read: the export proves nothing about later ones. */
  readonly asOf?: string | undefined;
  /** When the export, or its latest sync, began, in UTC. */
  readonly beganAt: string;
  readonly finishedAt: string;
  readonly windows: readonly WindowSummary[];
}

/** Adds up the lines of the manifest. */
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
  const findings = new Map<FindingKind, number>();
  let unmeasured = 0;
  const addMuted = (spans: readonly MutedSpan[]) => {
    muted.recordings++;
    muted.spans += spans.length;
    muted.milliseconds += Math.round(1000 * countSeconds(spans));
  };
  const addSound = (sound: MeasuredSound) => {
    for (const kind of new Set(sound.findings.map((finding) => finding.kind)))
      findings.set(kind, (findings.get(kind) ?? 0) + 1);
    if (sound.duration_ms === null && sound.findings.length === 0) unmeasured++;
  };
  const readMuted = () => {
    const { milliseconds, ...counts } = muted;
    return muted.recordings > 0 && { muted: { ...counts, seconds: milliseconds / 1000 } };
  };
  return {
    add({ kind, status, bytes, verified: by, muted: file, sound }: ManifestEntry): void {
      if (status === "none") return;
      files.expected++;
      files[status]++;
      files.bytes += bytes ?? 0;
      if (kind !== "recording") return;
      recordings.expected++;
      if (status === "complete") recordings.complete++;
      if (by !== null) verified[by]++;
      if (file !== undefined) addMuted(file.spans);
      if (sound !== undefined) addSound(sound);
    },
    read: (): Report["files"] => ({
      ...files,
      verified,
      recordings,
      ...readMuted(),
      ...(findings.size > 0 && { findings: inOrder(findings) }),
      ...(unmeasured > 0 && { unmeasured }),
    }),
  };
}

/** The same, whichever recording came first. */
const inOrder = (findings: ReadonlyMap<FindingKind, number>) =>
  Object.fromEntries([...findings].toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** The text of report.json; its SHA-256 is the seal of the export. */
export const toReportJson = (report: Report): string => `${JSON.stringify(report, undefined, 2)}\n`;
