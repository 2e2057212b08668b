// The report of an export for people.
import { toCounted } from "../../terminal/counted.ts";
import { toPrintable } from "../../terminal/paint.ts";
import { toExporterWords } from "./exporter.ts";
import type { Report } from "./report.ts";

/** What the manifest lists is not repeated. */
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
