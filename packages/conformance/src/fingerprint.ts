// Distinct faults: a fault has the same fingerprint in every run, on any record.
import { createHash } from "node:crypto";

/** What is wrong, in one sentence; with `at` if the sentence does not distinguish the fault from others of its requirement. */
export type Fault = string | PlacedFault;

export interface PlacedFault {
  /** The place in the response as a JSON Pointer, or what was sent. Stable between runs. */
  readonly at: string;
  readonly fault: string;
  /** Additional information for the reader, such as the row. Not part of the fault's identity. */
  readonly more?: string | undefined;
}

export interface Identified {
  readonly requirement: string;
  readonly operation: string | undefined;
  readonly fault: Fault;
}

const LENGTH = 16;

/** Hexadecimal. Positions in lists and values in the sentence do not affect it. */
export function toFingerprint({ requirement, operation = "", fault }: Identified): string {
  const { at, fault: sentence } = typeof fault === "string" ? { at: "", fault } : fault;
  const place = at.replaceAll(/\/\d+(?=\/|$)/g, "/*");
  const parts = [requirement, operation, place, toTemplate(sentence)];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, LENGTH);
}

export function toSentence(fault: Fault): string {
  if (typeof fault === "string") return fault;
  return fault.more === undefined ? fault.fault : `${fault.fault} (${fault.more})`;
}

// The status of a response distinguishes faults. Other numbers, quoted texts, digests and identifiers do not.
const VALUES =
  /(?<=answer is |answered |status )(?<status>\d{3})\b|"(?:[^"\\]|\\.)*"|(?<![\p{L}\d_])[+-]?\d[\d.,:/+TZ-]*|[\w+/=-]{24,}/gu;

const toTemplate = (sentence: string): string =>
  sentence.replaceAll(VALUES, (_, status?: string) => status ?? "_");
