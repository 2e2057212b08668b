// Checks that report, manifest and metadata of an export agree, to detect changes of one of them.
import { isDay } from "@call-media/client";
import { isDeepStrictEqual } from "node:util";
import {
  FAILURES,
  MANIFEST,
  type ManifestEntry,
  REPORT,
  type Report,
  toFindings,
  toGaps,
  type WindowSummary,
  type Written,
} from "@call-media/handover";
import { toCounted } from "@call-media/terminal";
import type { Difference } from "./compare-file.ts";

/** The counts and digests of the files in the folder. */
export interface Found {
  readonly files: Report["files"];
  readonly manifest: Written;
  /** Undefined if the manifest has no metadata. */
  readonly metadata: Metadata | undefined;
}

export interface Metadata {
  /** The entry of the manifest. */
  readonly written: Written;
  readonly redacted: ManifestEntry["redacted"];
  /** Number of records; undefined if the file differs from the manifest. */
  readonly rows: number | undefined;
}

/** True if the value has the fields that a comparison needs. */
export function isReport(value: unknown): value is Report {
  const { windows, manifest, records, files, exportedBy, faults, unproved, kinds, ids, ...rest } =
    Object(value) as Partial<Report>;
  const { mute, ...days } = rest;
  const missing = [ids, mute].map((asked) => (asked === undefined ? [] : Object(asked).missing));
  return (
    [windows, faults, unproved, kinds, ...missing].every(Array.isArray) &&
    [manifest, records, files, exportedBy].every(isObject) &&
    (windows ?? []).every((one) => isObject(one) && isObject(one["files"]) && areDays(one)) &&
    areDays(days)
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const areDays = ({ from, to }: Readonly<Record<string, unknown>>) =>
  isDay(String(from)) && isDay(String(to));

export function findMisfits(report: Report, found: Found): readonly Difference[] {
  const { windows, manifest, metadata, redacted, files, records, from, to, ids, mute } = report;
  const findings = toFindings({ from, to, ids, mute }, windows, found.files);
  const rows = found.metadata?.rows;
  const follows = (field: Derived) =>
    isDeepStrictEqual(toFacts(report[field]), toFacts(findings[field]));
  if (!isDeepStrictEqual(manifest, found.manifest))
    return [
      {
        file: MANIFEST,
        what: `does not match its SHA-256 in ${REPORT}: one of the two was changed`,
      },
    ];
  const faults = [
    !isDeepStrictEqual(metadata, found.metadata?.written) && `has other metadata than ${MANIFEST}`,
    !isDeepStrictEqual(redacted, found.metadata?.redacted) &&
      `has other masked fields than ${MANIFEST}`,
    !isDeepStrictEqual(files, found.files) && `counts other files than ${MANIFEST} has`,
    !areOfSearches(found.files, windows) && `has searches with other files than ${MANIFEST} has`,
    rows !== undefined &&
      rows !== records.written &&
      `counts ${toCounted(records.written, "record")}, and the metadata has ${rows.toLocaleString("en")}`,
    ...Object.entries(DERIVED).map(([field, what]) => !follows(field as Derived) && what),
    !windows.every(addsUp) && "has a search whose numbers do not add up",
    ...toGaps({ from, to }, windows).map((gap) => `has no search of ${gap.from} to ${gap.to}`),
  ];
  return faults.filter((what) => what !== false).map((what) => ({ file: REPORT, what }));
}

const DERIVED = {
  records: "counts other records than its searches found",
  verdict: "has a verdict that does not follow from the rest",
  faults: "has faults that do not follow from the rest",
  unproved: "lists as unproved what does not follow from the rest",
  asOf: "has another time than its searches",
} as const;
type Derived = keyof typeof DERIVED;

/** Compares sentences by their numbers, because another version of this program may phrase them differently. */
const toFacts = (value: Report[Derived]) =>
  Array.isArray(value) ? value.map((sentence) => String(sentence).match(/\d+/g)) : value;

const areOfSearches = (files: Report["files"], windows: readonly WindowSummary[]) =>
  (["complete", ...FAILURES] as const).every(
    (status) => windows.reduce((sum, window) => sum + window.files[status], 0) === files[status],
  );

/** Each received record is known, excluded or written. */
const addsUp = ({ came, known, excluded, rows }: WindowSummary) => came === known + excluded + rows;
