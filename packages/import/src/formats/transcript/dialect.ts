// A dialect of transcripts in JSON, and how its numbers are read.
import { RowFault } from "../../source-row.ts";
import type { JsonRecord } from "../json-format.ts";
import { readText } from "../json-value.ts";
import type { Conversation } from "./conversation.ts";

export interface Dialect {
  /** As in `JsonFormat`. */
  readonly records: readonly string[];
  readonly marks: readonly (readonly string[])[];
  /** Throws `RowFault`. */
  readonly read: (record: JsonRecord) => Conversation;
}

/** Throws `RowFault` for a value that is not a number of 0 or more. */
export function readNumber(object: JsonRecord, key: string): number | undefined {
  const text = readText(object, key);
  const value = Number(text ?? 0);
  if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER))
    throw new RowFault(`${key}: "${text}" is not a number of 0 or more`);
  return text === undefined ? undefined : value;
}

export function toStart(text: string | undefined, timeZone?: string): Conversation["start"] {
  return text === undefined ? undefined : { text, timeZone };
}
