// Splits time into ranges in which the same segments have calls: a page merges ids only where segments overlap.
import type { Segment } from "./segment-list.ts";
import type { SegmentReader } from "./segment-reader.ts";

/** The ordinals of a segment from `from` up to, but not including, `until`. */
export interface SegmentRange {
  readonly segment: Segment;
  readonly from: number;
  readonly until: number;
}

/** Ids from `fromId` up to, but not including, `untilId`, and the ranges of the segments that have any of them. */
export interface TimeRange {
  readonly fromId: bigint;
  readonly untilId: bigint;
  readonly ranges: readonly SegmentRange[];
}

/** Newest first. The segments must be in the order of their last ids, newest first. */
export function toTimeRanges(
  reader: SegmentReader,
  segments: readonly Segment[],
): readonly TimeRange[] {
  const ends = new Set(segments.flatMap(({ firstId, lastId }) => [firstId, lastId + 1n]));
  const borders = BigInt64Array.from(ends).toSorted().toReversed();
  const timeRanges: TimeRange[] = [];
  let active: readonly Segment[] = [];
  let next = 0;
  for (const [index, untilId] of borders.entries()) {
    const coming: Segment[] = [];
    for (
      let segment = segments[next];
      segment && segment.lastId + 1n >= untilId;
      segment = segments[next]
    ) {
      coming.push(segment);
      next += 1;
    }
    active = [...active.filter(({ firstId }) => firstId < untilId), ...coming];
    const fromId = borders[index + 1];
    if (fromId === undefined) break;
    timeRanges.push({ fromId, untilId, ranges: toRanges(reader, active, { fromId, untilId }) });
  }
  return timeRanges;
}

export interface IdRange {
  readonly fromId: bigint;
  readonly untilId: bigint;
}

/** The ranges of the segments of `timeRange`, cut to `range`. */
export function cutTimeRange(
  reader: SegmentReader,
  timeRange: TimeRange,
  range: IdRange,
): readonly SegmentRange[] {
  if (range.fromId <= timeRange.fromId && range.untilId >= timeRange.untilId)
    return timeRange.ranges;
  const segments = timeRange.ranges.map(({ segment }) => segment);
  return toRanges(reader, segments, {
    fromId: range.fromId > timeRange.fromId ? range.fromId : timeRange.fromId,
    untilId: range.untilId < timeRange.untilId ? range.untilId : timeRange.untilId,
  });
}

/** The ordinals of each segment within the ids; segments without any are left out. */
export function toRanges(
  reader: SegmentReader,
  segments: readonly Segment[],
  { fromId, untilId }: IdRange,
): readonly SegmentRange[] {
  return segments
    .map((segment) => ({
      segment,
      from: reader.ordinalOf(segment, fromId),
      until: untilId > segment.lastId ? segment.calls : reader.ordinalOf(segment, untilId),
    }))
    .filter(({ from, until }) => from < until);
}
