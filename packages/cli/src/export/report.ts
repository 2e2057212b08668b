// The reconciliation of an export: what was announced against what came, is written and was checked, and what is not proved.
import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { toCounted } from "../counted.ts";
import { type Exporter, toExporterWords } from "./exporter.ts";
import type { ManifestEntry, Outputs, Window, Written } from "./outputs.ts";
import { type ExportFolder, REPORT, writeDurably } from "./files.ts";
import type { Outcome } from "./entries.ts";
import { parseJson, type Plan } from "./plan.ts";
import { toPrintable } from "../formats/paint.ts";

/** What report.json holds. */
export interface Report {
  /** `complete`: every record that was announced is there, and every file. `incomplete`: something is not. */
  readonly verdict: "complete" | "incomplete";
  /** What this service did not let be proved, a sentence each. */
  readonly unproved: readonly string[];
  /** Why it is incomplete, a sentence each; the files are in the manifest. */
  readonly faults: readonly string[];
  readonly baseUrl: string;
  /** Who wrote this, that is did the latest run. */
  readonly exportedBy: Exporter;
  readonly from: string;
  readonly to: string;
  readonly filter: Plan["filter"];
  readonly where: string | null;
  /** Fields that are masked for good. */
  readonly redacted: Plan["redact"];
  readonly records: {
    /** Null where a number was not announced. */
    readonly announced: number | null;
    readonly came: number;
    readonly duplicates: number;
    /** By `--where`. */
    readonly excluded: number;
    /** Those of the latest round. */
    readonly added: number;
    /** In the metadata. */
    readonly written: number;
    /** That are written, but did not come again as they were: changed since, or gone. */
    readonly gone: number;
  };
  readonly files: Readonly<Record<Exclude<Outcome["status"], "none">, number>> & {
    readonly expected: number;
    /** Of those that are complete. */
    readonly bytes: number;
    readonly checked: Readonly<Record<NonNullable<Outcome["checked"]>, number>>;
  };
  readonly metadata: Written;
  readonly manifest: Written;
  readonly finishedAt: string;
  readonly windows: readonly Window[];
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
  const checked = { sha256: 0, length: 0, nothing: 0 };
  return {
    add({ kind, status, bytes, checked: by }: ManifestEntry): void {
      if (status === "none") return;
      files.expected++;
      files[status]++;
      files.bytes += bytes ?? 0;
      if (kind === "recording" && by !== null) checked[by]++;
    },
    read: (): Report["files"] => ({ ...files, checked }),
  };
}

export interface WrittenReport {
  readonly report: Report;
  /** Of its file. */
  readonly sha256: string;
}

/** Leaves alone what is there where nothing but the time would be new in it, so that its seal stays valid. */
export async function writeReport(folder: ExportFolder, report: Report): Promise<WrittenReport> {
  const path = folder.toPath(REPORT);
  const there = await readFile(path, "utf8").catch(() => ""); // whatever is wrong with it, it is written anew
  const { finishedAt = report.finishedAt } = Object(parseJson(there)) as Partial<Report>;
  const again = { ...report, finishedAt };
  const isThere = there === toText(again);
  const text = isThere ? there : toText(report);
  if (!isThere) await writeDurably(path, text);
  return { report: isThere ? again : report, sha256: hash("sha256", text) };
}

const toText = (report: Report) => `${JSON.stringify(report, undefined, 2)}\n`;

/** What follows from the searches and the files. */
export function toFindings(
  windows: readonly Window[],
  files: Report["files"],
): Pick<Report, "verdict" | "unproved" | "faults" | "records"> {
  const faults = [...toRecordFaults(windows), ...toFileFaults(files)];
  return {
    verdict: faults.length === 0 ? "complete" : "incomplete",
    unproved: toUnproved(windows, files),
    faults,
    records: toRecords(windows),
  };
}

export function toReport(
  plan: Plan,
  exportedBy: Exporter,
  { windows, files, ...outputs }: Outputs & Pick<Report, "files">,
): Report {
  const { records, ...findings } = toFindings(windows, files);
  const { baseUrl, filter, where, rounds } = plan;
  return {
    ...findings,
    baseUrl,
    exportedBy,
    from: rounds.map(({ from }) => from).toSorted()[0] ?? "",
    to:
      rounds
        .map(({ to }) => to)
        .toSorted()
        .at(-1) ?? "",
    filter,
    where,
    redacted: plan.redact,
    records,
    files,
    ...outputs,
    finishedAt: new Date().toISOString(),
    windows,
  };
}

/** Of days that several rounds listed, the last listing counts; each added its own records. */
function toRecords(windows: readonly Window[]): Report["records"] {
  const latest = [...new Map(windows.map((window) => [window.from, window])).values()];
  const sum = (of: readonly Window[], read: (window: Window) => number | null) =>
    of.reduce((total, window) => total + (read(window) ?? 0), 0);
  const lastRound = Math.max(0, ...windows.map(({ round }) => round));
  return {
    announced: latest.some(isUncounted) ? null : sum(latest, ({ announced }) => announced),
    came: sum(latest, ({ came }) => came),
    duplicates: sum(latest, ({ duplicates }) => duplicates),
    excluded: sum(latest, ({ excluded }) => excluded),
    added: sum(windows, ({ round, rows }) => (round === lastRound ? rows : 0)),
    written: sum(windows, ({ rows }) => rows),
    gone: sum(latest, ({ gone }) => gone),
  };
}

/** An empty page has no room for a number, and needs none where others have one. */
const isUncounted = ({ announced, came }: Window) => announced === null && came > 0;

function toRecordFaults(windows: readonly Window[]): readonly string[] {
  return windows
    .filter(({ verdict }) => verdict === "drifted")
    .map(
      ({ from, to, announced, came, duplicates }) =>
        `${from === to ? from : `${from} to ${to}`}: the archive changed while it was read, three times: ${toCounted(came, "record")} came, ${duplicates} of them twice, and ${announced ?? "no number"} were announced`,
    );
}

const FAULTS = {
  missing: "missing: a record names what the service does not have, or cannot be asked for",
  refused: "refused: the right to it is missing",
  damaged: "damaged: the bytes are not those that were announced",
  failed: "failed: the service did not give it",
} as const;

function toFileFaults(files: Report["files"]): readonly string[] {
  return Object.entries(FAULTS)
    .map(([status, why]) => ({ count: files[status as keyof typeof FAULTS], why }))
    .filter(({ count }) => count > 0)
    .map(({ count, why }) => `${count.toLocaleString("en")} ${why}`);
}

function toUnproved(windows: readonly Window[], { checked }: Report["files"]): readonly string[] {
  const uncounted = windows.filter(isUncounted).length;
  const of = `${uncounted.toLocaleString("en")} of ${toCounted(windows.length, "search", "searches")}`;
  return [
    uncounted > 0 &&
      `that all records came: the service does not announce how many there are (${of}); each was read to its end`,
    checked.length > 0 &&
      `that ${toCounted(checked.length, "recording is", "recordings are")} what the service has: it gives the length, but no SHA-256`,
    checked.nothing > 0 &&
      `that ${toCounted(checked.nothing, "recording is", "recordings are")} whole: the service gives neither the length nor a SHA-256`,
  ].filter((sentence) => sentence !== false);
}

/** For people; what the manifest lists is not repeated. */
export function toReportText({ verdict, records, files, ...report }: Report): string {
  const of = (count: number | null) => count?.toLocaleString("en") ?? "an unknown number";
  const { checked } = files;
  return [
    `${verdict}: ${report.from} to ${report.to} of ${report.baseUrl}`,
    `by       ${toPrintable(toExporterWords(report.exportedBy))}`,
    `records  ${of(records.announced)} announced, ${of(records.came)} came, ${of(records.excluded)} left out by --where, ${of(records.added)} added, ${of(records.written)} in ${report.metadata.file}`,
    `files    ${of(files.expected)} expected, ${of(files.complete)} complete (${of(files.bytes)} bytes), ${of(files.missing)} missing, ${of(files.refused)} refused, ${of(files.damaged)} damaged, ${of(files.failed)} failed`,
    `checked  ${toCounted(checked.sha256, "recording")} by SHA-256, ${of(checked.length)} by length, ${of(checked.nothing)} unchecked`,
    ...(records.gone > 0
      ? [
          `gone     ${of(records.gone)} of those in ${report.metadata.file} did not come again as they were: changed since, or no longer there`,
        ]
      : []),
    ...report.unproved.map((sentence) => `unproved ${sentence}`),
    ...report.faults.map((sentence) => `fault    ${sentence}`),
  ].join("\n");
}
