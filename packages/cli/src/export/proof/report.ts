// The reconciliation of an export: what was announced against what came, is written and was checked, and what is not proved.
import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type ExportFolder, REPORT, writeDurably } from "../folder/files.ts";
import { parseJson } from "../folder/parse-json.ts";
import type { Verified } from "@call-media/client/node";
import type { Outcome } from "../journal/entries.ts";
import { toSpan } from "../plan/days.ts";
import type { Plan } from "../plan/plan.ts";
import { listMasked } from "../plan/redaction.ts";
import { type Exporter, isExporter } from "./exporter.ts";
import { toFindings } from "./findings.ts";
import type { ManifestEntry, Written } from "./manifest-entry.ts";
import type { Outputs, WindowAccount } from "./outputs.ts";

/** What report.json holds. */
export interface Report {
  /**
   * `complete`: every record that was announced is there, and every file. `incomplete`: something is not. `empty`: nothing
   * is missing, but no record was found, or --where left all out.
   */
  readonly verdict: "complete" | "incomplete" | "empty";
  /** What this service did not let be proved, a sentence each. */
  readonly unproved: readonly string[];
  /** Why it is incomplete, a sentence each; the files are in the manifest. */
  readonly faults: readonly string[];
  readonly baseUrl: string;
  /** Who wrote this, that is did the latest run that changed it. */
  readonly exportedBy: Exporter;
  readonly from: string;
  readonly to: string;
  readonly filter: Plan["filter"];
  readonly where: string | null;
  /** Fields that are masked in the metadata for good. */
  readonly redacted: ManifestEntry["redacted"];
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
    readonly verified: Readonly<Record<Verified, number>>;
  };
  readonly metadata: Written;
  readonly manifest: Written;
  readonly finishedAt: string;
  readonly windows: readonly WindowAccount[];
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
  return {
    add({ kind, status, bytes, verified: by }: ManifestEntry): void {
      if (status === "none") return;
      files.expected++;
      files[status]++;
      files.bytes += bytes ?? 0;
      if (kind === "recording" && by !== null) verified[by]++;
    },
    read: (): Report["files"] => ({ ...files, verified }),
  };
}

export interface WrittenReport {
  readonly report: Report;
  /** Of its file. */
  readonly sha256: string;
}

/** Leaves alone what is there where nothing but who and when would be new in it, so that its seal stays valid. */
export async function writeReport(folder: ExportFolder, report: Report): Promise<WrittenReport> {
  const path = folder.toPath(REPORT);
  const there = await readFile(path, "utf8").catch(() => ""); // whatever is wrong with it, it is written anew
  const written = Object(parseJson(there)) as Partial<Report>;
  const { finishedAt = report.finishedAt } = written;
  const exportedBy = isExporter(written.exportedBy) ? written.exportedBy : report.exportedBy;
  const again = { ...report, exportedBy, finishedAt };
  const isThere = there === toText(again);
  const text = isThere ? there : toText(report);
  if (!isThere) await writeDurably(path, text);
  return { report: isThere ? again : report, sha256: hash("sha256", text) };
}

const toText = (report: Report) => `${JSON.stringify(report, undefined, 2)}\n`;

export function toReport(
  plan: Plan,
  exportedBy: Exporter,
  { windows, files, ...outputs }: Omit<Outputs, "warning"> & Pick<Report, "files">,
): Report {
  const { baseUrl, filter, where, rounds } = plan;
  const days = toSpan(rounds);
  const { records, ...findings } = toFindings(days, windows, files);
  return {
    ...findings,
    baseUrl,
    exportedBy,
    ...days,
    filter,
    where,
    redacted: listMasked(plan),
    records,
    files,
    ...outputs,
    finishedAt: new Date().toISOString(),
    windows,
  };
}
