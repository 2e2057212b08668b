// A mutant: one way in which a service may break the contract.
import type { Mutate } from "../exchange.ts";
import type { Drift } from "../proxy.ts";

export type MutantClass =
  | "field missing"
  | "field renamed"
  | "field added"
  | "field retyped"
  | "null"
  | "field order"
  | "value"
  | "envelope"
  | "status"
  | "authentication"
  | "input"
  | "filter"
  | "dates"
  | "paging"
  | "count"
  | "order"
  | "rights"
  | "identity"
  | "media bytes"
  | "base64"
  | "range"
  | "digest and type"
  | "header"
  | "error body"
  | "token"
  | "encoding"
  | "words";

export interface Mutant extends Drift {
  readonly id: string;
  readonly class: MutantClass;
  /** `interface`: breaks a statement of the interface; `decision`: breaks only the document or the decisions. */
  readonly contract: "interface" | "decision";
  /** The behaviour of the service, as text. */
  readonly says: string;
}

/** Operations that return call records. */
export const METADATA = [
  "getMetadataByReference",
  "getMetadataByCallId",
  "searchMetadataByCustomFields",
  "searchMetadata",
] as const;
export const SEARCHES = ["searchMetadataByCustomFields", "searchMetadata"] as const;
export const BASE64 = ["getRecordingByReference", "getRecordingByCallId"] as const;
export const STREAMS = ["streamRecordingByReference", "streamRecordingByCallId"] as const;
export const RECORDINGS = [...BASE64, ...STREAMS] as const;

/** A fault that several operations may have; without `says` the id of the mutant describes it. */
export type Deviation = readonly [says: string, mutate: Mutate] | readonly [mutate: Mutate];

/** By id: the operation and its deviation. */
export type Rows = Readonly<Record<string, readonly [Drift["operation"], ...Deviation]>>;

export const toDrifts = <Kind>(kind: Kind, rows: Rows) =>
  Object.entries(rows).map(([id, [operation, ...deviation]]) => {
    const [says, mutate] =
      deviation.length === 1 ? [id.replaceAll("-", " "), deviation[0]] : deviation;
    return { id, ...kind, operation, says, mutate };
  });

/** The mutants of one class. */
export const toMutants = (
  kind: MutantClass,
  contract: Mutant["contract"],
  rows: Rows,
): readonly Mutant[] => toDrifts({ class: kind, contract }, rows);
