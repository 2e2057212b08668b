// The operations of Call Media, by what they have in common. Derived from the document, so that a new operation gets the common checks.
import { type OperationId, type Route, routes } from "@call-media/api";

const listIds = (holds: (route: Route) => boolean): readonly OperationId[] =>
  routes.filter(holds).map(({ operationId }) => operationId);

const isStream = ({ responses }: Route): boolean =>
  responses["200"]?.content?.["application/json"] === undefined;

// In the order of the document.
export const ALL = listIds(() => true);
export const METADATA = listIds(({ tag }) => tag === "Metadata");
export const SEARCHES = listIds(({ tag, body }) => tag === "Metadata" && body !== undefined);
/** Lookups of records by an identifier. */
export const LOOKUPS = METADATA.filter((operation) => !SEARCHES.includes(operation));
export const RECORDINGS = listIds(({ tag }) => tag === "Recordings");
export const STREAMS = listIds(isStream);
export const BASE64 = RECORDINGS.filter((operation) => !STREAMS.includes(operation));
