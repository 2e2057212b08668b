// What a journal says, a line each: records as they were listed, the account of that, and what became of their files.
import { fieldsOf } from "@call-media/api";
import type { CallRecord } from "@call-media/client";
import type { Verified } from "@call-media/client/node";

/** A record and where its files belong. Most records have none: its text is parsed for what needs it alone. */
export interface Row {
  /** Which record of the journal, from 0. */
  readonly index: number;
  /** How many recordings the service named. */
  readonly parts: number;
  /** Whose folder its files are in. */
  readonly day: string;
  /** The record as it is exported, that is redacted where it is to be: JSON. */
  readonly json: string;
}

const NOTHING = Object.fromEntries(fieldsOf("MetadataRecord").map((field) => [field, null]));

/** Of a row that this program has listed. A service may leave out what is null. */
export const toRecord = ({ json }: Row) => ({ ...NOTHING, ...JSON.parse(json) }) as CallRecord;

/** What listing the days of a journal came to. */
export interface Listed {
  readonly from: string;
  readonly to: string;
  /** From 0: which round of the plan. */
  readonly round: number;
  /** How many records the service announced; null where it does not. */
  readonly announced: number | null;
  /** How many came, each counted once. */
  readonly came: number;
  /** How many came again and were left out. */
  readonly duplicates: number;
  /** How many of them another round has. */
  readonly known: number;
  /** How many another round has, that did not come any more. */
  readonly gone: number;
  /** How many `--where` left out. */
  readonly excluded: number;
  /** How many are in the journal. */
  readonly rows: number;
  /** As the client tells it. */
  readonly verdict: "complete" | "unproved" | "drifted";
}

export const ITEM_KINDS = ["recording", "transcript"] as const;

/** One file that a record should have. */
export interface Item {
  /** Which record of the journal, from 0. */
  readonly row: number;
  readonly kind: (typeof ITEM_KINDS)[number];
  /** From 1. */
  readonly part: number;
}

/**
 * Why a file is not there. `missing`: the service names it but has it not. `refused`: it may not be had. `damaged`: its bytes
 * are not those that were announced, and were not kept. `failed`: it did not come, for the time being.
 */
export const FAILURES = ["missing", "refused", "damaged", "failed"] as const;
export type Failure = (typeof FAILURES)[number];

/** What became of it. */
export interface Outcome {
  /** `complete`: it is there. `none`: there is no such thing, and none was announced. */
  readonly status: "complete" | "none" | Failure;
  /** Path within the folder; null where nothing was kept. */
  readonly file: string | null;
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly content_type: string | null;
  /**
   * What the service announced and the bytes of a recording were held against. Of a transcript null, or `nothing` where the
   * service does not know a chat of the call, so that there may be one.
   */
  readonly verified: Verified | null;
  /** Requests that it took in the run that ended with this. */
  readonly attempts: number;
  readonly error: string | null;
}

/** Of what has no file. */
export const NO_FILE = {
  file: null,
  bytes: null,
  sha256: null,
  content_type: null,
  verified: null,
} as const;

/** A download of which enough came to be worth keeping for the next run. */
export interface Begun {
  /** As the service counts the recordings of the call. */
  readonly part: number;
  readonly sha256: string;
  readonly content_type: string;
  /** Of the name that the service gives it; the name itself may be of a number that is masked. */
  readonly extension: string;
}

export interface Seal {
  readonly rows: number;
  readonly files: number;
  readonly bytes: number;
  readonly failures: number;
}

/** With what others ask of a search, so that they need not read all of its journal. */
export interface Sealed extends Seal, Pick<Listed, "came" | "verdict"> {}

/** A line that is no row has one of these. */
export type Line = Partial<{
  readonly listed: Listed;
  readonly item: Item;
  readonly outcome: Outcome;
  readonly begun: Begun;
  readonly sealed: Sealed;
}>;

export const toItemKey = ({ row, kind, part }: Item) => `${row} ${kind} ${part}`;

/** As it stands in the journal. */
export const toLine = (line: Line) => `${JSON.stringify(line)}\n`;

/** JSON as well, in which the text of the record stands as it is. */
export const toRowLine = ({ parts, day, json }: Row) =>
  `{"parts":${parts},"day":"${day}","record":${json}}\n`;

const ROW_HEAD = /^\{"parts":(?<parts>\d+),"day":"(?<day>[\d-]+)","record":(?=\{)/;

/** Undefined where the line is no row. */
export function parseRowLine(text: string, index: number): Row | undefined {
  const head = ROW_HEAD.exec(text);
  const { parts, day } = head?.groups ?? {};
  if (head === null || day === undefined || !text.endsWith("}}")) return undefined;
  return { index, parts: Number(parts), day, json: text.slice(head[0].length, -1) };
}
