// Makes the report of an export: its searches and files determine the verdict, the faults, and the missing proofs.
import { type Days, toGaps } from "./days.ts";
import type { Exporter } from "./exporter.ts";
import { toCounted } from "./found.ts";
import { SUPERSEDED } from "./layout.ts";
import { type Failure, FAILURES } from "./manifest.ts";
import type { Report, WindowSummary } from "./report.ts";

/** The search of an export, and the masked fields. */
export type Searched = Pick<
  Report,
  | "baseUrl"
  | "archiveTimeZone"
  | "from"
  | "to"
  | "filter"
  | "words"
  | "where"
  | "ids"
  | "mute"
  | "kinds"
  | "redacted"
  | "purpose"
>;

export function toReport(
  search: Searched,
  exportedBy: Exporter,
  outputs: Pick<
    Report,
    "metadata" | "manifest" | "windows" | "files" | "found" | "beganAt" | "finishedAt"
  >,
): Report {
  const { baseUrl, archiveTimeZone, from, to, filter, words, where, ids, mute } = search;
  const { kinds, redacted, purpose } = search;
  const { windows, files, found, metadata, manifest } = outputs;
  const { records, asOf, ...findings } = toFindings({ from, to, ids, mute }, windows, files);
  return {
    ...findings,
    baseUrl,
    archiveTimeZone,
    exportedBy,
    ...(purpose !== undefined && { purpose }),
    from,
    to,
    filter,
    ...(words !== undefined && { words }),
    where,
    ...(ids !== undefined && { ids }),
    ...(mute !== undefined && { mute }),
    kinds,
    redacted,
    ...(redacted.length > 0 && { left: toLeft(windows, files) }),
    ...(found !== undefined && { found }),
    records,
    files,
    metadata,
    manifest,
    asOf,
    beganAt: outputs.beganAt,
    finishedAt: outputs.finishedAt,
    windows,
  };
}

/** The conclusions from the searches of these days and from the files. */
export function toFindings(
  { ids, mute, ...days }: Days & Pick<Report, "ids" | "mute">,
  windows: readonly WindowSummary[],
  files: Report["files"],
): Pick<Report, "verdict" | "unproved" | "faults" | "records" | "asOf"> {
  const faults = [
    ...toMissingFaults(ids),
    ...toUnmutedFaults(mute),
    ...toGapFaults(days, windows),
    ...toDriftFaults(findLatest(windows)),
    ...toFileFaults(files),
  ];
  const records = toRecords(windows);
  const whole = records.written === 0 ? "empty" : "complete";
  return {
    verdict: faults.length === 0 ? whole : "incomplete",
    unproved: toUnproved(windows, files),
    faults,
    records,
    asOf: findLatest(windows)
      .map(({ asOf }) => asOf)
      .toSorted()[0],
  };
}

/** If several rounds listed a day, the last listing counts; each added its own records. */
function toRecords(windows: readonly WindowSummary[]): Report["records"] {
  const latest = findLatest(windows);
  const sum = (of: readonly WindowSummary[], read: (window: WindowSummary) => number | null) =>
    of.reduce((total, window) => total + (read(window) ?? 0), 0);
  const superseded = sum(latest, (window) => window.superseded);
  const lastRound = Math.max(0, ...windows.map(({ round }) => round));
  return {
    announced: latest.some(isUncounted) ? null : sum(latest, ({ announced }) => announced),
    came: sum(latest, ({ came }) => came),
    duplicates: sum(latest, ({ duplicates }) => duplicates),
    excluded: sum(latest, ({ excluded }) => excluded),
    added: sum(windows, ({ round, rows }) => (round === lastRound ? rows : 0)),
    written: sum(windows, ({ rows }) => rows) - superseded,
    gone: sum(latest, ({ gone }) => gone),
    superseded,
  };
}

/** An empty page announces no number. That is fine if other pages announce one. */
const isUncounted = ({ announced, came }: WindowSummary) => announced === null && came > 0;

/** Each round searches the same windows again, so windows with the same first day are the same window. */
export function findLatest<Window extends Days & { readonly round: number }>(
  windows: readonly Window[],
): readonly Window[] {
  const byRound = windows.toSorted((one, other) => one.round - other.round);
  return [...new Map(byRound.map((window) => [window.from, window])).values()];
}

const toDaysText = ({ from, to }: Days) => (from === to ? from : `${from} to ${to}`);

function toMissingFaults(ids: Report["ids"]): readonly string[] {
  const { asked = 0, missing = [] } = ids ?? {};
  if (missing.length === 0) return [];
  const verb = missing.length === 1 ? "was" : "were";
  return [
    `${missing.length.toLocaleString("en")} of ${toCounted(asked, "call")} ${verb} not found in these days: ${missing.join(", ")}`,
  ];
}

function toUnmutedFaults(mute: Report["mute"]): readonly string[] {
  const { asked = 0, missing = [] } = mute ?? {};
  if (missing.length === 0) return [];
  const verb = missing.length === 1 ? "was" : "were";
  return [
    `${missing.length.toLocaleString("en")} of ${toCounted(asked, "span")} to mute ${verb} not found in these recordings: ${missing.join(", ")}`,
  ];
}

function toGapFaults(days: Days, windows: readonly WindowSummary[]): readonly string[] {
  return toGaps(days, windows).map(
    (gap) => `${toDaysText(gap)}: not searched; export --resume searches these days`,
  );
}

/** A later search of the same days resolves drift. */
function toDriftFaults(latest: readonly WindowSummary[]): readonly string[] {
  return latest
    .filter(({ verdict }) => verdict === "drifted")
    .map(
      (window) =>
        `${toDaysText(window)}: ${toDrift(window)}; export --resume and sync search these days again`,
    );
}

/** If two pages have equal records, one record may have moved, or both may exist. */
function toDrift({ announced, came, duplicates }: WindowSummary): string {
  const isOfEquals = duplicates > 0 && came + duplicates === (announced ?? came + duplicates);
  const why = isOfEquals
    ? "it has records that are wholly equal, or changed while it was read"
    : "the archive changed while it was read, or announces another number than it has";
  const equals = `${duplicates.toLocaleString("en")} more that ${duplicates === 1 ? "is" : "are"} wholly equal to one before`;
  const counts = `${toCounted(came, "record")} came, ${equals}`;
  return `${why}, three times: ${counts}, and ${toAnnounced(announced)}`;
}

const toAnnounced = (announced: number | null) =>
  announced === null
    ? "no number was announced"
    : `${announced.toLocaleString("en")} were announced`;

const FAULTS: Readonly<Record<Failure, string>> = {
  missing: "missing: a record names what the service does not have, or cannot be asked for",
  refused: "refused: the right to it is missing, or it was to be muted and cannot be",
  damaged: "damaged: the bytes are not those that were announced",
  failed: "failed: the service did not give it",
};

function toFileFaults(files: Report["files"]): readonly string[] {
  return FAILURES.filter((status) => files[status] > 0).map(
    (status) => `${files[status].toLocaleString("en")} ${FAULTS[status]}`,
  );
}

/** Masking changes only text, and leaves values unmasked that occur everywhere. */
function toLeft(windows: readonly WindowSummary[], { verified }: Report["files"]): string[] {
  const counts = new Map<string, number>();
  for (const { left = {} } of findLatest(windows))
    for (const [field, count] of Object.entries(left))
      counts.set(field, (counts.get(field) ?? 0) + count);
  const fields = Array.from(counts, ([field, count]) => {
    const why = field === "datetime" ? "it is never masked" : "the value is too short to be masked";
    return `${field} of ${toCounted(count, "record")} repeats a masked value: ${why}`;
  });
  const recordings = verified.digest + verified.length + verified.nothing;
  const isSynced = windows.some(({ round }) => round > 0);
  return [
    ...fields,
    recordings > 0 && `what is said in ${toCounted(recordings, "recording")} is not masked`,
    isSynced &&
      `what came before the latest sync, with ${SUPERSEDED}, files and journals, is masked by what its calls had then: legs that came later may have values that it repeats, which a new export masks`,
  ].filter((sentence) => sentence !== false);
}

function toUnproved(
  windows: readonly WindowSummary[],
  { verified, muted, unmeasured = 0 }: Report["files"],
): readonly string[] {
  const uncounted = windows.filter(isUncounted).length;
  const untold = windows.reduce((total, { untoldChats }) => total + untoldChats, 0);
  const of = `${uncounted.toLocaleString("en")} of ${toCounted(windows.length, "search", "searches")}`;
  return [
    uncounted > 0 &&
      `that all records came: the service does not announce how many there are (${of}); each was read to its end`,
    verified.length > 0 &&
      `that ${toCounted(verified.length, "recording is", "recordings are")} what the service has: it gives the length, but no SHA-256`,
    verified.nothing > 0 &&
      `that ${toCounted(verified.nothing, "recording is", "recordings are")} whole: the service gives neither the length nor a SHA-256`,
    unmeasured > 0 &&
      `that ${toCounted(unmeasured, "recording has", "recordings have")} sound: the format is none of those that are measured, and duration_ms in the manifest is null`,
    muted !== undefined &&
      `that ${toCounted(muted.recordings, "muted recording is", "muted recordings are")} otherwise unchanged: who has the originals runs call-media verify --originals FOLDER`,
    muted !== undefined &&
      "that all words of the muted spans are masked: their times are of the call, and a recording may have begun later",
    untold > 0 &&
      `that ${toCounted(untold, "call has", "calls have")} no chat: the service answers 404, as if it did not serve it`,
  ].filter((sentence) => sentence !== false);
}
