// What a requirement is: something a service must do, and where that is written.
import type { OperationId } from "@call-media/api";

export interface Requirement {
  readonly operations: readonly OperationId[];
  readonly source: Source;
  /** What must hold, in one sentence. */
  readonly says: string;
}

/**
 * `line` is quoted from the interface as it stands there. `decision` is an id of the project's
 * register. `document` is a place in the OpenAPI document that no decision stands behind.
 */
export type Source =
  | { readonly line: string }
  | { readonly decision: Decision }
  | { readonly document: string };

export type Decision = `D${0 | 1 | 2}${number}`;

export type Requirements = Readonly<Record<string, Requirement>>;

export const ALL = [
  "createToken",
  "getMetadataByReference",
  "getMetadataByCallId",
  "searchMetadataByCustomFields",
  "searchMetadata",
  "listUsers",
  "getUserAddresses",
  "getUserSecurityRights",
  "getRecordingByReference",
  "getRecordingByCallId",
  "streamRecordingByReference",
  "streamRecordingByCallId",
  "listPublicFlags",
  "listPrivateFlags",
  "getChatByCallId",
] as const satisfies readonly OperationId[];

export const WITH_TOKEN = ALL.slice(1);
/** One of the metadata, the users, the recordings, the flags and the chats each. */
export const ONE_OF_EACH = [
  "getMetadataByReference",
  "listUsers",
  "getRecordingByReference",
  "listPublicFlags",
  "getChatByCallId",
] as const satisfies readonly OperationId[];
/** All but the streams. */
export const WITH_JSON = [...ALL.slice(0, 10), ...ALL.slice(12)];
export const WITH_INPUT = ALL.filter((operation) => operation !== "listPublicFlags");
export const METADATA = ALL.slice(1, 5);
export const SEARCHES = ALL.slice(3, 5);
export const BASE64 = ALL.slice(8, 10);
export const STREAMS = ALL.slice(10, 12);
export const RECORDINGS = ALL.slice(8, 12);
/** Where an Accept that nothing fits is tried: each form of answer once. */
export const NOT_ACCEPTABLE = [...ONE_OF_EACH, ...STREAMS];
