// What a mutant is: one way in which a service may part from the contract.
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
  | "encoding";

export interface Mutant extends Drift {
  readonly id: string;
  readonly class: MutantClass;
  /** `interface`: goes against what the interface states; `decision`: against the document or the decisions alone. */
  readonly contract: "interface" | "decision";
  /** What the service does, in words. */
  readonly says: string;
}

/** Operations that answer call records. */
export const METADATA = [
  "getMetadataByReference",
  "getMetadataByCallId",
  "searchMetadataByCustomFields",
  "searchMetadata",
] as const;
export const SEARCHES = ["searchMetadataByCustomFields", "searchMetadata"] as const;
export const BASE64 = ["getRecordingByReference", "getRecordingByCallId"] as const;
export const STREAMS = ["streamRecordingByReference", "streamRecordingByCallId"] as const;
