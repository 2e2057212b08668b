// Finds the calls of a page, or all calls, starting with the newest segment. Calls before the page are counted, not listed.
import { PAGE_SIZE } from "../../values/page-size.ts";
import {
  type TimeRange,
  cutTimeRange,
  type IdRange,
  type SegmentRange,
  toTimeRanges,
} from "./ranges.ts";
import type { Segment } from "./segment-list.ts";
import type { SegmentReader } from "./segment-reader.ts";
import { ordinalsDown } from "./posting-lists.ts";
import type { Matcher } from "./matcher.ts";

interface Wanted {
  readonly matcher: Matcher;
  /** The calls of the pages before. */
  readonly skipped: number;
}

export function createIdFinder(reader: SegmentReader) {
  let known:
    | { readonly of: readonly Segment[]; readonly timeRanges: readonly TimeRange[] }
    | undefined;
  const timeRangesOf = (segments: readonly Segment[]): readonly TimeRange[] => {
    if (known?.of !== segments)
      known = { of: segments, timeRanges: toTimeRanges(reader, segments) };
    return known.timeRanges;
  };
  function* rangesOf(segments: readonly Segment[], range: IdRange) {
    for (const timeRange of timeRangesOf(segments)) {
      if (timeRange.untilId <= range.fromId) break;
      if (timeRange.fromId < range.untilId) yield cutTimeRange(reader, timeRange, range);
    }
  }
  /** The ids of a page, newest first, and one more if there is one. */
  const page = (segments: readonly Segment[], range: IdRange, { matcher, skipped }: Wanted) => {
    const ids: bigint[] = [];
    let left = skipped;
    for (const ranges of rangesOf(segments, range)) {
      const matching = left === 0 ? 0 : sumMatching(ranges, matcher);
      if (left > 0 && matching <= left) {
        left -= matching;
        continue;
      }
      for (const id of idsDown(reader, ranges, { matcher, skipped: left })) {
        ids.push(id);
        if (ids.length > PAGE_SIZE) return ids;
      }
      left = 0;
    }
    return ids;
  };
  function* all(segments: readonly Segment[], range: IdRange, matcher: Matcher) {
    for (const ranges of rangesOf(segments, range))
      yield* idsDown(reader, ranges, { matcher, skipped: 0 });
  }
  return { page, all };
}

function sumMatching(ranges: readonly SegmentRange[], matcher: Matcher): number {
  return ranges.reduce((sum, range) => sum + matcher.count(range), 0);
}

function* idsDown(
  reader: SegmentReader,
  ranges: readonly SegmentRange[],
  { matcher, skipped }: Wanted,
): Generator<bigint, void> {
  const [only] = ranges;
  if (only === undefined) return;
  if (ranges.length === 1) {
    yield* idsOfRange(reader, only, { matcher, skipped });
    return;
  }
  const heads = ranges.map((range) => {
    const ids = idsOfRange(reader, range, { matcher, skipped: 0 });
    return { ids, next: ids.next().value };
  });
  for (let left = skipped; ; left -= 1) {
    const greatest = heads.reduce((best, head) =>
      (head.next ?? -Infinity) > (best.next ?? -Infinity) ? head : best,
    );
    if (greatest.next === undefined) return;
    if (left <= 0) yield greatest.next;
    greatest.next = greatest.ids.next().value;
  }
}

function* idsOfRange(
  reader: SegmentReader,
  range: SegmentRange,
  { matcher, skipped }: Wanted,
): Generator<bigint, void> {
  const ordinals = matcher.ordinals(range.segment);
  if (ordinals === undefined) return;
  for (const ordinal of ordinalsDown(ordinals, range, skipped))
    yield reader.idOf(range.segment, ordinal);
}
