// A mutant: one way in which a service may break the contract.
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

/** The mutants of one class by id: the operation, the deviation, and the mutation. */
export function toMutants(
  kind: MutantClass,
  contract: Mutant["contract"],
  rows: Readonly<Record<string, readonly [Mutant["operation"], says: string, Mutant["mutate"]]>>,
): readonly Mutant[] {
  return Object.entries(rows).map(([id, [operation, says, mutate]]) => ({
    id,
    class: kind,
    operation,
    contract,
    says,
    mutate,
  }));
}
