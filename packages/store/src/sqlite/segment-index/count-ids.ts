// Counts the calls in a range of ids that match a query.
import { countBits } from "./bitmap.ts";
import type { Matcher, Query } from "./matcher.ts";
import { type IdRange, type SegmentRange, toRanges } from "./ranges.ts";
import type { Segment } from "./segment-list.ts";
import type { SegmentReader } from "./segment-reader.ts";

export interface Wanted {
  readonly query: Query;
  readonly matcher: Matcher;
  readonly range: IdRange;
}

export function countIds(
  reader: SegmentReader,
  segments: readonly Segment[],
  { query, matcher, range: { fromId, untilId } }: Wanted,
): number {
  const within = segments.filter(({ firstId, lastId }) => lastId >= fromId && firstId < untilId);
  return toRanges(reader, within, { fromId, untilId })
    .map((range) => countRange(reader, range, { query, matcher }))
    .reduce((sum, count) => sum + count, 0);
}

// The index stores how many calls of a segment have a term, so a query of one term needs no bitmap.
function countRange(
  reader: SegmentReader,
  range: SegmentRange,
  { query: { terms, rights, words }, matcher }: Pick<Wanted, "query" | "matcher">,
): number {
  const { segment, from, until } = range;
  const isWhole = from === 0 && until === segment.calls;
  const [term] = terms;
  if (rights.length > 0 || terms.length > 1 || words !== undefined) return matcher.count(range);
  if (term === undefined)
    return until - from - (segment.removed ? countBits(segment.removed, from, until) : 0);
  if (isWhole && segment.removed === undefined) return reader.find(segment, term)?.count ?? 0;
  return matcher.count(range);
}
