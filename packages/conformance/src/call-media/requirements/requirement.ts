// A requirement: what a service must do, and its source.
import { type OperationId, type Route, routes } from "@call-media/api";

export interface Requirement {
  readonly operations: readonly OperationId[];
  readonly source: Source;
  /** What must hold, in one sentence. */
  readonly says: string;
  /** True if a fault is the same at every operation. */
  readonly isOfService?: true;
}

/**
 * `line` quotes the interface verbatim. `decision` is an id of the project's register. `document` is a place in the OpenAPI document
 * without a decision behind it.
 */
export type Source =
  | { readonly line: string }
  | { readonly decision: Decision }
  | { readonly document: string };

export type Decision = `D${0 | 1 | 2 | 3}${number}`;

export type Requirements = Readonly<Record<string, Requirement>>;

/** Requirements of the same operations by one decision, or by one line of the interface: what must hold, by id. */
export const of = <Id extends string>(
  operations: readonly OperationId[],
  source: string,
  rows: Readonly<Record<Id, string>>,
) =>
  Object.fromEntries(
    Object.entries<string>(rows).map(([id, says]) => [
      id,
      { operations, source: isDecision(source) ? { decision: source } : { line: source }, says },
    ]),
  ) as Readonly<Record<Id, Requirement>>; // the same ids

const isDecision = (source: string): source is Decision => /^D\d\d$/.test(source);

const listIds = (holds: (route: Route) => boolean): readonly OperationId[] =>
  routes.filter(holds).map(({ operationId }) => operationId);

const isStream = ({ responses }: Route): boolean =>
  responses["200"]?.content?.["application/json"] === undefined;

// In the order of the document. Derived from it, so that a new operation gets the common checks.
export const ALL = listIds(() => true);
export const WITH_TOKEN = listIds(({ needsCredentials }) => needsCredentials);
/** All operations but the streams. */
export const WITH_JSON = listIds((route) => !isStream(route));
/** Operations with JSON in the envelope. */
export const WITH_ENVELOPE = WITH_JSON.filter((operation) => WITH_TOKEN.includes(operation));
export const WITH_INPUT = listIds(
  ({ parameters, body }) => parameters.length > 0 || body !== undefined,
);
export const METADATA = listIds(({ tag }) => tag === "Metadata");
export const SEARCHES = listIds(({ tag, body }) => tag === "Metadata" && body !== undefined);
/** Lookups of records by an identifier. */
export const LOOKUPS = METADATA.filter((operation) => !SEARCHES.includes(operation));
export const RECORDINGS = listIds(({ tag }) => tag === "Recordings");
export const STREAMS = listIds(isStream);
export const BASE64 = RECORDINGS.filter((operation) => !STREAMS.includes(operation));
/** One operation each for metadata, users, recordings, flags and chats. */
export const ONE_OF_EACH = [
  "getMetadataByReference",
  "listUsers",
  "getRecordingByReference",
  "listPublicFlags",
  "getChatByCallId",
] as const satisfies readonly OperationId[];
/** The operations tried with an unsatisfiable Accept: each form of response once. */
export const NOT_ACCEPTABLE = [...ONE_OF_EACH, ...STREAMS];
