// The hash chain of an access log: how a row follows the one before, and the first place where a row does not.
import { hash as digest } from "node:crypto";
import type {
  AccessEntry,
  AccessQuery,
  ChainHead,
  ChainReport,
  ErasureEntry,
  LogRow,
  OperatorAct,
  OperatorEntry,
  SignInEntry,
} from "../port/access-log.ts";
import { toCovered, toShown } from "./asked-seal.ts";
import { ArchiveError } from "../port/faults.ts";

/**
 * The hash of a row. It covers the row before through `previous`, "" for the first row. See asked-seal.ts for the part of the entry that
 * it covers.
 */
export function toRowHash(previous: string, seq: number, entry: string): string {
  return digest("sha256", `${previous} ${seq} ${toCovered(entry)}`);
}

/** Throws `ArchiveError` for a row of another log that cannot follow `last` here. */
export function checkFollows(row: Follower, last: Pick<Follower, "seq" | "hash">): void {
  if (row.seq > last.seq && row.hash === toRowHash(last.hash, row.seq, row.entry)) return;
  throw new ArchiveError(
    `row ${row.seq} of the access log does not follow from row ${last.seq} in the archive that it goes to: "audit verify" says which of the two was altered`,
  );
}

interface Follower {
  readonly seq: number;
  readonly entry: string;
  readonly hash: string;
}

/** The entry of an operator's command, JSON. */
export function toOperatorEntry(act: OperatorAct): string {
  const entry: OperatorEntry = { timeMs: Date.now(), callIds: [], ...act };
  return JSON.stringify(entry);
}

type Entry = AccessEntry | SignInEntry | OperatorEntry | ErasureEntry;

/** Undefined for a text that is not an entry. */
export function parseEntry(text: string | null): Entry | undefined {
  try {
    const parsed: unknown = JSON.parse(text ?? "null");
    const given = isObject(parsed) ? toShown(parsed) : undefined;
    return given && isEntry(given) ? (given as object as Entry) : undefined; // the fields that are shown were checked
  } catch {
    return undefined;
  }
}

type Test = (value: unknown) => boolean;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText: Test = (value) => typeof value === "string";
const isNumber: Test = (value) => typeof value === "number";
const isFlag: Test = (value) => typeof value === "boolean";
const isTime: Test = (value) =>
  isNumber(value) && Number.isFinite(new Date(Number(value)).getTime());
const isCounts: Test = (value) => isObject(value) && Object.values(value).every(isNumber);

const REQUIRED: Readonly<Record<string, Test>> = {
  timeMs: isTime,
  operation: isText,
  asked: isObject,
  callIds: (value) => Array.isArray(value) && value.every(isText),
};

const OPTIONAL: Readonly<Record<string, Test>> = {
  ...Object.fromEntries(
    [
      "requestId",
      "address",
      "credential",
      "session",
      "operator",
      "outcome",
      "reason",
      "run",
      "use",
      "purpose",
    ].map((name) => [name, isText]),
  ),
  ...Object.fromEntries(["userId", "rows", "status"].map((name) => [name, isNumber])),
  ...Object.fromEntries(["found", "erased", "counts"].map((name) => [name, isCounts])),
  isCut: isFlag,
  isHandedOut: isFlag,
  recording: (value) =>
    isObject(value) &&
    isText(value["sha256"]) &&
    isNumber(value["first"]) &&
    isNumber(value["last"]),
};

const isEntry = (given: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(REQUIRED).every(([name, test]) => test(given[name])) &&
  Object.entries(OPTIONAL).every(([name, test]) => given[name] === undefined || test(given[name]));

export interface FollowingRow extends ChainRow {
  /** The hash of the row before, null for the first; undefined if the rows are not to be compared. */
  readonly before?: string | null;
}

/** SQL: the hash of the row before, for a SELECT from `access`. */
export const BEFORE =
  "(SELECT hash FROM access AS earlier WHERE earlier.seq < access.seq ORDER BY earlier.seq DESC LIMIT 1) AS before";

/** Throws `ArchiveError` for a row that is invalid, or does not follow the one before: a person or the disk has altered it. */
export function toLogRow({ seq, entry, hash, before }: FollowingRow): LogRow {
  const given = parseEntry(entry);
  if (
    given !== undefined &&
    (before === undefined || hash === toRowHash(before ?? "", seq, entry ?? ""))
  )
    return { seq, ...given, hash };
  throw new ArchiveError(
    `row ${seq} of the access log cannot be read: it was altered, see "audit verify". Rows after it are listed with --since`,
  );
}

/** The damaged rows, named for an operator: of two that do not match, the later one. */
export const listBroken = (rows: readonly FollowingRow[]): readonly string[] =>
  rows.flatMap(({ seq, entry, hash, before }) =>
    hash === toRowHash(before ?? "", seq, entry ?? "") ? [] : `row ${seq} of the access log`,
  );

export function isAsked(
  row: LogRow,
  { sinceMs, userId, callId, runs = [], hasOutcome }: AccessQuery,
): boolean {
  return (
    (sinceMs === undefined || row.timeMs >= sinceMs) &&
    (userId === undefined || row.userId === userId) &&
    (hasOutcome === undefined || row.outcome !== undefined) &&
    (callId === undefined ||
      row.callIds.some((one) => one === callId) ||
      (row.run !== undefined && runs.includes(row.run)))
  );
}

export interface ChainRow {
  readonly seq: number;
  /** Null if the file is damaged; nothing else makes it null. */
  readonly entry: string | null;
  readonly hash: string;
}

/** The rows of a log, and the number there should be. */
export interface Chain extends Iterable<ChainRow> {
  readonly expectedRows: number;
  /** True if a part of the file could not be read; known at the end. */
  readonly isDamaged: () => boolean;
}

/** See `AccessLog.verify`. */
export function followChain(chain: Chain, knownHash: string | undefined): ChainReport {
  const follower = createChainFollower(chain, knownHash);
  for (const row of chain) {
    const broken = follower.follow(row);
    if (broken !== undefined) return broken;
  }
  return follower.end();
}

/** The same, for an adapter that reads its rows page by page: `follow` returns a report at the first fault. */
export function createChainFollower(
  chain: Pick<Chain, "expectedRows" | "isDamaged">,
  knownHash: string | undefined,
) {
  const decisions: ChainReport["decisions"][number][] = [];
  let [rows, lastSeq, last] = [0, 0, ""];
  let isKnownSeen = knownHash === undefined;
  const report = (fault?: string): ChainReport => ({
    rows,
    lastHash: rows === 0 ? undefined : last,
    fault,
    decisions,
  });
  const gone = (until: number) =>
    `${toRowNames(lastSeq + 1, until)} ${chain.isDamaged() ? "unreadable, as the file is damaged" : "missing"}`;
  return {
    follow: (row: ChainRow): ChainReport | undefined => {
      const { seq, entry, hash } = row;
      const decision = findDecision(row);
      const isAccepted = decision?.operation === "audit accept-loss";
      if (seq !== lastSeq + 1 && !isAccepted) return report(gone(seq - 1));
      if (hash !== toRowHash(last, seq, entry ?? "")) return report(toBreak(seq));
      [rows, lastSeq, last] = [rows + 1, seq, hash];
      isKnownSeen ||= hash === knownHash;
      if (decision !== undefined) decisions.push(decision);
      return undefined;
    },
    end: (): ChainReport => {
      if (lastSeq < chain.expectedRows) return report(gone(chain.expectedRows));
      return report(
        isKnownSeen ? undefined : "the hash that was noted earlier is no longer in the log",
      );
    },
  };
}

// A caller may have sent such a text in a request.
function findDecision(row: ChainRow): ChainReport["decisions"][number] | undefined {
  if (row.entry?.includes('"operation":"audit ') !== true) return undefined;
  const given = parseEntry(row.entry);
  if (given?.operation !== "audit accept-loss" && given?.operation !== "audit begin-anew")
    return undefined;
  return { seq: row.seq, ...given, hash: row.hash };
}

export const NOTHING_LOST = "nothing was done: the access log has every row that is known of it";

/** The rows up to `known` that a log lacks, as the end of a sentence; undefined if it has that row. */
export function describeLoss(
  known: ChainHead | undefined,
  found: { readonly hash: string | undefined; readonly lastSeq: number },
): string | undefined {
  if (known === undefined || found.hash === known.hash) return undefined;
  const { seq, timeMs } = known;
  if (found.lastSeq >= seq)
    return `row ${seq} is not the one of ${toTimeName(timeMs)} that was there: rows were altered, or written after an older log was put back`;
  const end = found.lastSeq === 0 ? "it is empty" : `it ends with row ${found.lastSeq}`;
  return `${toRowNames(found.lastSeq + 1, seq)} missing: ${end}, and row ${seq} of ${toTimeName(timeMs)} was there`;
}

/** ISO 8601; "an unknown time" for a row without a time, or with an impossible one. */
export function toTimeName(ms: number): string {
  return isTime(ms) ? new Date(ms).toISOString() : "an unknown time";
}

/** With the verb, in the singular or plural. */
export function toRowNames(first: number, last: number): string {
  return first === last ? `row ${first} is` : `rows ${first} to ${last} are`;
}

// An attacker who alters a row may compute its hash again, but then the next row no longer matches.
function toBreak(seq: number): string {
  return seq === 1
    ? "row 1 was altered"
    : `row ${seq} does not follow from row ${seq - 1}: one of them was altered`;
}
