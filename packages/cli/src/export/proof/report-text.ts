// The report of an export for people.
import { toCounted } from "../../terminal/counted.ts";
import { toPrintable } from "../../terminal/paint.ts";
import { MANIFEST } from "../folder/files.ts";
import { toExporterWords } from "./exporter.ts";
import type { ManifestEntry } from "./manifest-entry.ts";
import type { Report } from "./report.ts";

/** What a screen has room for. */
const MAX_LISTED = 20;

/** Lines of the manifest for files that could not be had, the first of them. */
export function createFailureList() {
  const listed: ManifestEntry[] = [];
  return {
    listed: listed as readonly ManifestEntry[],
    add(entry: ManifestEntry): void {
      if (entry.file === null && listed.length < MAX_LISTED) listed.push(entry);
    },
  };
}

/** `failures`: as a failure list has them. */
export function toReportText(
  { verdict, records, files, redacted, ...report }: Report,
  failures: readonly ManifestEntry[],
): string {
  const of = (count: number | null) => count?.toLocaleString("en") ?? "an unknown number";
  const { verified } = files;
  const unlisted = files.expected - files.complete - failures.length;
  const lines = [
    `${verdict}: ${report.from} to ${report.to} of ${report.baseUrl}`,
    `by       ${toExporterWords(report.exportedBy)}`,
    `records  ${of(records.announced)} announced, ${of(records.came)} came, ${of(records.excluded)} left out by --where, ${of(records.added)} added, ${of(records.written)} in ${report.metadata.file}`,
    `files    ${of(files.expected)} expected, ${of(files.complete)} complete (${of(files.bytes)} bytes), ${of(files.missing)} missing, ${of(files.refused)} refused, ${of(files.damaged)} damaged, ${of(files.failed)} failed`,
    `verified ${toCounted(verified.digest, "recording")} by SHA-256, ${of(verified.length)} by length, ${of(verified.nothing)} by nothing`,
    redacted.length > 0 && `redacted ${redacted.join(", ")}`,
    records.gone > 0 &&
      `gone     ${of(records.gone)} of those in ${report.metadata.file} did not come again as they were: changed since, or no longer there`,
    ...report.unproved.map((sentence) => `unproved ${sentence}`),
    ...report.faults.map((sentence) => `fault    ${sentence}`),
    ...failures.map(toFailureLine),
    unlisted > 0 && `others   ${of(unlisted)} in ${MANIFEST}: its lines without a file`,
  ];
  return lines
    .filter((line) => line !== false)
    .map(toPrintable)
    .join("\n");
}

/** "missing  recording 2 of call 1001: the service has none" */
function toFailureLine({ kind, part, call_id, ref_id, status, error }: ManifestEntry): string {
  const what = kind === "recording" ? `recording ${part}` : kind;
  const named = call_id === null ? `reference ${ref_id}` : `call ${call_id}`;
  const whose = call_id === null && ref_id === null ? "a record" : named;
  return `${status.padEnd(8)} ${what} of ${whose}: ${error}`.replaceAll(/\s/g, " ");
}
