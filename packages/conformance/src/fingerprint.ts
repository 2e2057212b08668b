// Distinct faults: the same fault has the same fingerprint in every run, whatever records it was seen on.
import { createHash } from "node:crypto";

/** What is wrong, in one sentence; `at` where that sentence alone does not tell this fault from others of its requirement. */
export type Fault = string | PlacedFault;

export interface PlacedFault {
  /** The place in the response, as a JSON Pointer, or what was sent; stays the same from run to run. */
  readonly at: string;
  readonly fault: string;
  /** What a reader needs besides, such as the row: no part of what makes the fault itself. */
  readonly more?: string | undefined;
}

export interface Identified {
  readonly requirement: string;
  readonly operation: string | undefined;
  readonly fault: Fault;
}

const LENGTH = 16;

/** Hexadecimal; the position in a list and the values in the sentence have no part in it. */
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

// Which status a service answers tells one fault from another; other numbers, quoted texts, digests and identifiers do not.
const VALUES =
  /(?<=answer is |answered |status )(?<status>\d{3})\b|"(?:[^"\\]|\\.)*"|(?<![\p{L}\d_])[+-]?\d[\d.,:/+TZ-]*|[\w+/=-]{24,}/gu;

const toTemplate = (sentence: string): string =>
  sentence.replaceAll(VALUES, (_, status?: string) => status ?? "_");
