// Writes report.json, whose SHA-256 is the seal of the export.
import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isExporter, type Report, REPORT, toReportJson } from "@call-media/handover";
import type { ExportFolder } from "../folder/export-folder.ts";
import { parseJson } from "../folder/read.ts";
import { writeDurably } from "../folder/write.ts";

export interface WrittenReport {
  readonly report: Report;
  /** SHA-256 of report.json, hexadecimal: the seal. */
  readonly sha256: string;
}

/** Keeps the existing file if only its exporter and its time would change, so that its seal stays valid. */
export async function writeReport(folder: ExportFolder, report: Report): Promise<WrittenReport> {
  const path = folder.toPath(REPORT);
  const there = await readFile(path, "utf8").catch(() => ""); // an unreadable report is written again
  const written = Object(parseJson(there)) as Partial<Report>;
  const { finishedAt = report.finishedAt } = written;
  const exportedBy = isExporter(written.exportedBy) ? written.exportedBy : report.exportedBy;
  const again = { ...report, exportedBy, finishedAt };
  const isThere = there === toReportJson(again);
  const text = isThere ? there : toReportJson(report);
  if (!isThere) await writeDurably(path, text);
  return { report: isThere ? again : report, sha256: hash("sha256", text) };
}
