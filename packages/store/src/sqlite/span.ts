// The spans of time that the indexes by reference are divided into.

/**
 * SQL: the span of time of a call, 2^34 ms or 199 days; calls without a datetime share one. References are in random order,
 * so their indexes are divided by span. An import then changes only the pages of its own days, at the
 * price of one more lookup for each half year. `call_span` has the spans with calls.
 */
export const SPAN = "id >> 54";

export function toSpan(id: bigint): bigint {
  return id >> 54n;
}
