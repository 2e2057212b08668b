// What a journal says, a line each: records as they were listed, the account of that, and what became of their files.
import { fieldsOf } from "@call-media/api";
import type { CallRecord } from "@call-media/client";
import type { Item, Listed, Outcome } from "@call-media/handover";

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
