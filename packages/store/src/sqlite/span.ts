// The spans of time by which the indexes by reference are kept apart.

/**
 * SQL: the span of time that a call lies in, 2^34 ms or 199 days; those without a datetime share one. The indexes by
 * reference are in random order, so they are kept by span: an import changes only the pages of its own days, at the
 * price of one more lookup for each half year. `call_span` has those that have calls.
 */
export const SPAN = "id >> 54";

export function toSpan(id: bigint): bigint {
  return id >> 54n;
}
