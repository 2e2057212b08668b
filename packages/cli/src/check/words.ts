// Sentences about a run that all formats share: requests, responses and the summary.
import { STATUS_CODES } from "node:http";
import type {
  ApiCoverage,
  Left,
  DriftShare,
  SelfTest,
  SentRequest,
  Share,
} from "@call-media/conformance";
import { toCounted } from "@call-media/terminal";
import type { CheckedFinding, CheckedReport } from "./checked-report.ts";

// A record has 2 KB. The fault says what is wrong; the start of the body identifies the response.
const SHOWN_CHARACTERS = 400;

/** The source of a requirement, as text. */
export function toSourceWords({ source, place }: Pick<CheckedFinding, "source" | "place">): string {
  if (place !== undefined) return source;
  if (/^D\d\d$/.test(source)) return `decision ${source}`;
  return source.startsWith("spec: ") ? source : `interface: ${source}`;
}

/** An entry in a list of known differences. */
export interface Entry {
  readonly requirement: string;
  readonly operation?: string;
  readonly fault?: string;
}

/** "page.past, searchMetadata: the answer is 404" */
export function toEntryName({ requirement, operation, fault }: Entry): string {
  const place = operation === undefined ? requirement : `${requirement}, ${operation}`;
  return fault === undefined ? place : `${place}: ${fault}`;
}

export function toSentLines({ method, url, headers, body }: SentRequest): string[] {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${url}`, ...fields, ...(body ? [clip(body)] : [])];
}

/** Merges findings that differ only in their operation: the first one names the others. */
export function foldSame(findings: readonly CheckedFinding[]): readonly CheckedFinding[] {
  const told = new Set<string>();
  return findings.filter(({ fingerprint, alsoAt = [] }) => {
    if (told.has(fingerprint)) return false;
    for (const other of alsoAt) told.add(other.fingerprint);
    return true;
  });
}

/** "also at updateEvent (fingerprint 0f3c5a7e9b1d2468)" */
export const toAlsoLines = ({ alsoAt = [] }: CheckedFinding): string[] =>
  alsoAt.length === 0
    ? []
    : [
        `at ${alsoAt.map(({ operation, fingerprint }) => `${operation} (fingerprint ${fingerprint})`).join(", ")}`,
      ];

export function toCameLines({ came }: CheckedFinding): string[] {
  if (came === undefined) return ["no answer"];
  const status = `${came.status} ${STATUS_CODES[came.status] ?? ""}`.trimEnd();
  const type = came.headers["content-type"] ?? "no content type";
  const line = `${status}, ${type}, ${toCounted(came.bodyBytes, "byte")}`;
  return came.body === "" ? [line] : [line, clip(came.body)];
}

/** "in session.har, log.entries[12]" */
export const toRecordedLines = ({ recorded }: CheckedFinding): string[] =>
  recorded === undefined ? [] : [`in ${recorded.file}, ${recorded.entry}`];

/** The first line of a report: the verdict as a sentence. */
export function toVerdictLine(report: CheckedReport): string {
  const { verdict, reason, findings, against, stale, unseen, traffic } = report;
  const yardstick = YARDSTICKS[against] ?? against;
  if (verdict === "kept")
    return [
      `${traffic === undefined ? "The service keeps" : "The recorded responses keep"} ${yardstick}.`,
      ...toHeadline(report),
      // A recording shows a few operations, and the headline says how many.
      ...(traffic === undefined ? toExcusedLines(unseen) : []),
    ].join(" ");
  if (verdict === "unable") {
    const isUnseen = against in YARDSTICKS && unseen.some(({ isExcused }) => !isExcused);
    const advice = isUnseen ? ` ${ADVICE}` : "";
    return `Could not be checked: ${reason ?? "the check did not end"}.${advice}`;
  }
  const early = reason === undefined ? "" : ` Nor was all checked: ${reason}.`;
  const requirements = new Set(findings.map(({ requirement }) => requirement)).size;
  const differs = `${toCounted(findings.length, "difference")} from ${yardstick} in ${toCounted(requirements, "requirement")}.`;
  const gone = `${toCounted(stale.length, "expected difference")} not found any more.`;
  return (
    [...(findings.length > 0 ? [differs] : []), ...(stale.length > 0 ? [gone] : [])].join(" ") +
    early
  );
}

const YARDSTICKS: Readonly<Record<string, string>> = {
  interface: "the interface",
  decisions: "the interface and the decisions",
};

const toHeadline = ({ headline }: CheckedReport) => (headline === undefined ? [] : [headline]);

const ADVICE =
  "Name calls that have them under examples in the profile, or leave operations out with --only.";

/** Operations that "kept" does not cover, although the check was complete. */
function toExcusedLines(unseen: CheckedReport["unseen"]): string[] {
  const names = unseen.map(({ operation, why }) => `${operation} (${why})`);
  return names.length === 0 ? [] : [`Not one success was there to see of ${names.join(", ")}.`];
}

/** The last line of a report: requests and duration. */
export function toSummaryLine(report: CheckedReport): string {
  const { requests, durationMs, against, operations, expected, skipped, traffic } = report;
  const seen =
    traffic === undefined
      ? toCounted(requests, "request")
      : toCounted(traffic.exchanges, "recorded exchange");
  return [
    `${seen} in ${(durationMs / 1000).toFixed(1)} s.`,
    ...(against in YARDSTICKS && operations !== undefined
      ? [`Seen of the contract: ${operations.seen} of ${operations.of} operations.`]
      : []),
    ...(expected.length > 0 ? [`Expected: ${toCounted(expected.length, "difference")}.`] : []),
    ...(skipped.length > 0 ? [`Not checked: ${toCounted(skipped.length, "requirement")}.`] : []),
  ].join(" ");
}

/** Groups the skipped requirements by reason. Recorded traffic skips most of them, so the text only counts their operations. */
export function groupSkipped({ skipped, traffic }: Pick<CheckedReport, "skipped" | "traffic">) {
  const groups = Map.groupBy(skipped, ({ why }) => why);
  const join = traffic === undefined ? joinClauses : joinOperations;
  return [...groups].map(([why, group]) => {
    return { why, names: join(group.map(({ requirement }) => requirement)) };
  });
}

/** "lifecycle.update, lifecycle.delete (2 operations)" */
function joinOperations(names: readonly string[]): string {
  const pairs = names.map((name) => name.split(" of ", 2) as [string, string?]);
  const operations = Map.groupBy(pairs, ([clause]) => clause);
  const kinds = Map.groupBy(operations, ([clause]) => clause.replace(/\..*$/, ""));
  return [...kinds]
    .map(([kind, clauses]) => {
      const ids = new Set(clauses.flatMap(([, group]) => group.map(([, id]) => id)));
      const what = clauses.length === 1 ? (clauses[0]?.[0] ?? kind) : kind;
      return ids.size > 1 ? `${what} (${ids.size} operations)` : what;
    })
    .join(", ");
}

/** Clauses of one kind at one operation as one: "lifecycle of createEvent (11)". */
function joinClauses(names: readonly string[]): string {
  const groups = Map.groupBy(names, (name) => name.replace(/^(\w+)\.\S+ of /, "$1 of "));
  return [...groups]
    .map(([name, { length, 0: only }]) => (length === 1 ? only : `${name} (${length})`))
    .join(", ");
}

/** "2 by createEvent (DELETE is answered 403): /events/1, /events/2" */
export const toLeftWords = ({ operation, why, what }: Left): string =>
  `${what.length} by ${operation} (${why}): ${what.join(", ")}`;

/**
 * "Self-test: of 22 drifts put into the answers, this check finds 20. Not: two rows change places; ..."
 * "Self-test: of 61 fields that came wrong, this check finds 60. Not: listRows rows/*\/note. Out of reach: 23 of 84 fields
 * (listRows links, ...)."
 */
export function toSelfTestLines(selfTest: SelfTest | undefined): string[] {
  if (selfTest === undefined) return [];
  const { of, seen, missed, impossible, fields, parameters, operations } = selfTest;
  const none =
    impossible.length === 0 ? "" : ` No answer was there to put in: ${impossible.join("; ")}.`;
  return [
    `of ${toCounted(of, "drift")} put into the answers, this check finds ${seen.length}.${toMissed(missed, "; ")}${none}${toBeyond("operation", operations.of, operations.unreached)}`,
    toReachWords("field", "that came wrong", fields),
    toReachWords("parameter", "that were ignored", parameters),
  ].map((line) => `Self-test: ${line}`);
}

function toReachWords(what: string, how: string, { seen, missed, unreached }: DriftShare): string {
  const put = seen.length + missed.length;
  const beyond = toBeyond(what, put + unreached.length, unreached);
  return `of ${toCounted(put, what)} ${how}, this check finds ${seen.length}.${toMissed(missed.length === 0 ? [] : [toNames(missed)], "")}${beyond}`;
}

const toBeyond = (what: string, of: number, names: readonly string[]): string =>
  names.length === 0
    ? ""
    : ` Out of reach: ${names.length} of ${toCounted(of, what)} (${toNames(names)}).`;

const toMissed = (missed: readonly string[], between: string): string =>
  missed.length === 0 ? "" : ` Not: ${missed.join(between)}.`;

/** Maximum number of names in a report; JSON has all. */
const MOST_NAMES = 8;

function toNames(all: readonly string[]): string {
  const names = all.slice(0, MOST_NAMES);
  const more = all.length > names.length ? [`${all.length - names.length} more`] : [];
  return [...names, ...more].join(", ");
}

export interface SeenPart {
  readonly what: string;
  /** "75 of 84" */
  readonly share: string;
  readonly missing: string;
}

/** How much of the document was seen. */
export function toSeenParts(shown: ApiCoverage | undefined): readonly SeenPart[] {
  if (shown === undefined) return [];
  const { fields, parameters, statuses, values } = shown;
  const part = (
    what: string,
    { seen, of, missing }: Omit<Share, "missing"> & { readonly missing: readonly unknown[] },
  ): SeenPart => {
    const names = missing.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
    return { what, share: `${seen} of ${of}`, missing: toNames(names) };
  };
  return [
    part("fields with two values", fields),
    part("parameters with two effects", parameters),
    part("statuses", statuses),
    ...values
      .filter(({ missing }) => missing.length > 0)
      .map((one) => part(`values of ${one.place}`, one)),
  ];
}

function clip(text: string): string {
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}...`;
}
