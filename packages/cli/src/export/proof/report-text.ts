// The report of an export for people.
import { MANIFEST, type ManifestEntry, type Report, toExporterWords } from "@call-media/handover";
import { toCounted } from "../../terminal/counted.ts";
import { toPrintable } from "../../terminal/paint.ts";

/** What a screen has room for. */
const MAX_LISTED = 20;

/** Of files with one reason so many are named. */
const MAX_NAMED = 3;

/** Files that could not be had for one reason. */
export interface FailureGroup {
  readonly first: ManifestEntry;
  /** What the first of them are called. */
  readonly names: readonly string[];
  readonly count: number;
}

/** Lines of the manifest for files that could not be had, those of one reason together. */
export function createFailureList() {
  const groups = new Map<string, { first: ManifestEntry; names: string[]; count: number }>();
  return {
    groups: () => [...groups.values()] as readonly FailureGroup[],
    add(entry: ManifestEntry): void {
      if (entry.file !== null) return;
      const key = JSON.stringify([entry.kind, entry.status, entry.error]);
      const group = groups.get(key) ?? { first: entry, names: [], count: 0 };
      if (group.count === 0 && groups.size === MAX_LISTED) return;
      groups.set(key, group);
      group.count++;
      if (group.names.length < MAX_NAMED) group.names.push(toName(entry));
    },
  };
}

/** `failures`: as a failure list has them. */
export function toReportText(
  { verdict, records, files, redacted, ...report }: Report,
  failures: readonly FailureGroup[],
): string {
  const of = (count: number | null) => count?.toLocaleString("en") ?? "an unknown number";
  const { verified } = files;
  const listed = failures.reduce((total, { count }) => total + count, 0);
  const unlisted = files.expected - files.complete - listed;
  const lines = [
    `${verdict}: ${report.from} to ${report.to} of ${report.baseUrl}`,
    `by       ${toExporterWords(report.exportedBy)}`,
    `records  ${of(records.announced)} announced, ${of(records.came)} came, ${of(records.excluded)} left out by --where, ${of(records.added)} added, ${of(records.written)} in ${report.metadata.file}`,
    `files    ${of(files.expected)} expected, ${of(files.complete)} complete (${of(files.bytes)} bytes), ${of(files.missing)} missing, ${of(files.refused)} refused, ${of(files.damaged)} damaged, ${of(files.failed)} failed`,
    `verified ${toCounted(verified.digest, "recording")} by SHA-256, ${of(verified.length)} by length, ${of(verified.nothing)} by nothing`,
    redacted.length > 0 && `redacted ${redacted.join(", ")}`,
    records.gone > 0 &&
      `gone     ${of(records.gone)} of those in ${report.metadata.file} did not come again as they were: changed since, or no longer there`,
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

function toName({ kind, part, call_id, ref_id }: ManifestEntry): string {
  const what = kind === "recording" ? `recording ${part}` : kind;
  const named = call_id === null ? `reference ${ref_id}` : `call ${call_id}`;
  const whose = call_id === null && ref_id === null ? "a record" : named;
  return `${what} of ${whose}`;
}
