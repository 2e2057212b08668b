// The legs of a contact on one axis: which belong together, where each is drawn, and how long nothing was heard between them.
import { writeRoute } from "../route.ts";
import { toInstantOf } from "../time.ts";
import type { Leg } from "./load.ts";

/** A leg on the axis. */
export interface Segment {
  /** From 0 to 1 of the axis. */
  readonly from: number;
  readonly to: number;
  readonly seconds: number;
  /** True if it is not recorded when it began: it stands last. */
  readonly isUndated: boolean;
}

/** A time in which no leg goes on. */
export interface Break {
  readonly from: number;
  readonly to: number;
  readonly seconds: number;
}

export interface Timeline {
  /** In the order of the legs. */
  readonly segments: readonly Segment[];
  readonly breaks: readonly Break[];
}

const DAY_MS = 86_400_000;

const startOf = ({ record }: Leg): number | undefined => toInstantOf(record.datetime);

export const isSameRoute = (one: Leg, other: Leg): boolean =>
  writeRoute(one.route) === writeRoute(other.route);

/** The legs of its call, and those of its reference that begin within 24 hours of another. `legs` are in the order of time. */
export function toContact(legs: readonly Leg[], shown: Leg): readonly Leg[] {
  const { call_id } = shown.record;
  const contact = new Set(legs.filter(({ record }) => record.call_id === call_id));
  const join = (leg: Leg, before: Leg | undefined) => {
    if (before === undefined || !contact.has(before)) return;
    const gap = (startOf(leg) ?? Infinity) - (startOf(before) ?? Infinity);
    if (Math.abs(gap) <= DAY_MS) contact.add(leg);
  };
  legs.forEach((leg, index) => join(leg, legs[index - 1]));
  legs.toReversed().forEach((leg, index, all) => join(leg, all[index - 1]));
  // Only the shown leg knows which of its recordings exist.
  return legs.flatMap((leg) => (contact.has(leg) ? [isSameRoute(leg, shown) ? shown : leg] : []));
}

/** As long as the service says that the talk was: nothing is read for it. */
const secondsOf = ({ record }: Leg): number =>
  Math.max(1, record.talk_time ?? record.handle_time ?? 0);

// A break is drawn in proportion, but takes at most this share of the length of the legs.
const MOST_BREAK = 0.1;

/** `legs` are in the order of time. */
export function toTimeline(legs: readonly Leg[]): Timeline {
  const spans = legs.map((leg) => ({ start: startOf(leg), seconds: secondsOf(leg) }));
  const most = MOST_BREAK * spans.reduce((sum, { seconds }) => sum + seconds, 0);
  const breaks: Break[] = [];
  // The end of all legs so far: on the clock, and on the axis.
  let [endMs, end] = [spans[0]?.start ?? 0, 0];
  const segments = spans.map(({ start, seconds }): Segment => {
    const gap = start === undefined ? 0 : (start - endMs) / 1000;
    const from = end + Math.min(gap, most);
    if (gap > 0) breaks.push({ from: end, to: from, seconds: gap });
    endMs = Math.max(endMs, (start ?? endMs) + seconds * 1000);
    end = Math.max(end, from + seconds);
    return { from: Math.max(0, from), to: from + seconds, seconds, isUndated: start === undefined };
  });
  const scale = <Ranged extends Pick<Break, "from" | "to">>(range: Ranged): Ranged => ({
    ...range,
    from: range.from / end,
    to: range.to / end,
  });
  return { segments: segments.map(scale), breaks: breaks.map(scale) };
}

/** From the end of a leg to the beginning of the next; negative where they overlap. */
export function secondsBetween(before: Leg, leg: Leg): number | undefined {
  const [ended, begins] = [startOf(before), startOf(leg)];
  if (ended === undefined || begins === undefined) return undefined;
  return (begins - ended) / 1000 - secondsOf(before);
}

/** Where something was said. */
export interface Said {
  readonly leg: Leg;
  /** Second of its only recording; undefined where it has none, or several. */
  readonly at: number | undefined;
}

/** The leg of the call that went on at that time; undefined before the first. */
export function toSaid(legs: readonly Leg[], datetime: string): Said | undefined {
  const ms = toInstantOf(datetime);
  if (ms === undefined) return undefined;
  const leg = legs.findLast((one) => (startOf(one) ?? Infinity) <= ms);
  if (leg === undefined) return undefined;
  const seconds = (ms - (startOf(leg) ?? ms)) / 1000;
  return { leg, at: leg.parts.length === 1 ? seconds : undefined };
}
