// The report of an export as text.
import {
  type FailureGroup,
  MANIFEST,
  type Report,
  SUPERSEDED,
  toExporterWords,
  toFoundText,
} from "@call-media/handover";
import { FAULT_KINDS, type FindingKind } from "@call-media/sound";
import { toCounted, toPrintable } from "@call-media/terminal";

export function toReportText(report: Report, failures: readonly FailureGroup[]): string {
  const { verdict, records, files, redacted } = report;
  const of = (count: number | null) => count?.toLocaleString("en") ?? "an unknown number";
  const { verified } = files;
  const listed = failures.reduce((total, { count }) => total + count, 0);
  const unlisted = files.expected - files.complete - listed;
  const lines = [
    `${verdict}: ${report.from} to ${report.to} of ${report.baseUrl}`,
    verdict !== "empty" && `found    ${toFoundText(report)}`,
    `by       ${toExporterWords(report.exportedBy)}`,
    report.purpose !== undefined && `for      ${report.purpose}`,
    `run      ${toRunWords(report)}`,
    `records  ${of(records.announced)} announced, ${of(records.came)} came, ${of(records.excluded)} left out by the condition, ${of(records.added)} added, ${of(records.written)} in ${report.metadata.file}`,
    `files    ${of(files.expected)} expected, ${of(files.complete)} complete (${of(files.bytes)} bytes), ${of(files.missing)} missing, ${of(files.refused)} refused, ${of(files.damaged)} damaged, ${of(files.failed)} failed`,
    `verified ${toCounted(verified.digest, "recording")} by SHA-256, ${of(verified.length)} by length, ${of(verified.nothing)} by nothing`,
    files.muted !== undefined &&
      `muted    ${toCounted(files.muted.recordings, "recording")}: ${toCounted(files.muted.spans, "span")} of ${toCounted(files.muted.seconds, "second")}`,
    ...toSoundLines(files),
    redacted.length > 0 && `redacted ${redacted.join(", ")}`,
    ...(report.left ?? []).map((sentence) => `left     ${sentence}`),
    records.gone > 0 &&
      `gone     ${of(records.gone)} of those in ${report.metadata.file} were not found again: removed, or changed in call_id, ref_id, datetime or agent`,
    records.superseded > 0 &&
      `edited   ${toCounted(records.superseded, "earlier version of a record is", "earlier versions of records are")} in ${SUPERSEDED}, not in ${report.metadata.file}`,
    verdict === "empty" && `reason   ${toEmptyReason(records)}`,
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

/** "2026-03-08T01:00:00.000Z to 2026-03-08T01:20:07.120Z with call-media 1.2.0" */
export const toRunWords = ({ beganAt, finishedAt, exportedBy }: Report): string =>
  `${beganAt} to ${finishedAt} with ${exportedBy.program}`;

const FAULTS: Partial<Readonly<Record<FindingKind, string>>> = {
  truncated: "cut short",
  malformed: "not readable as sound",
  "no-samples": "a header alone",
  silent: "silent from beginning to end",
  "channel-silent": "silent in one channel",
  "not-sound": "not audio",
};

/** The hints are in the manifest alone. */
function toSoundLines({ findings = {} }: Report["files"]): readonly string[] {
  const faults = FAULT_KINDS.flatMap((kind) => {
    const count = findings[kind] ?? 0;
    return count === 0 ? [] : [`${count.toLocaleString("en")} ${FAULTS[kind] ?? kind}`];
  });
  return faults.length === 0 ? [] : [`sound    ${faults.join(", ")}: named in ${MANIFEST}`];
}

function toEmptyReason({ came }: Report["records"]): string {
  if (came === 0) return "the search found no record: see the days and the values searched for";
  return `${toCounted(came, "record")} came, and --where left out every one`;
}

/** "missing  recording 2 of call 1001: the service has none" */
function toFailureLine({ first, names, count }: FailureGroup): string {
  const { status, error } = first;
  const rest =
    count > names.length ? ` and ${(count - names.length).toLocaleString("en")} more` : "";
  return `${status.padEnd(8)} ${names.join(", ")}${rest}: ${error}`.replaceAll(/\s/g, " ");
}
