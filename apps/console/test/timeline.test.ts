// The legs of a contact on one axis.
import type { CallRecord } from "@call-media/client";
import { array, assert, integer, property, record } from "fast-check";
import { expect, test } from "vitest";
import type { Leg } from "../src/call/load.ts";
import { secondsBetween, toContact, toSaid, toTimeline } from "../src/call/timeline.ts";
import { toCallRoute } from "../src/route.ts";

const START_MS = Date.parse("2026-03-05T10:00:00Z");

/** `at`: seconds after ten o'clock. */
const toLeg = (at: number | undefined, talk: number | null = 30, call = "1", place = 1): Leg => ({
  record: {
    call_id: call,
    datetime: at === undefined ? null : new Date(START_MS + at * 1000).toISOString(),
    talk_time: talk,
  } as CallRecord,
  route: toCallRoute("call_id", call, place),
  parts: [1],
  endMs: Infinity,
});

test("legs are as long as their talk; a long break takes a tenth of what was said, and has its length", () => {
  const { segments, breaks } = toTimeline([toLeg(0, 40), toLeg(3600, 60)]);
  expect(segments.map(({ from, to }) => [from * 110, to * 110].map(Math.round))).toEqual([
    [0, 40],
    [50, 110],
  ]);
  expect(breaks.map(({ seconds }) => seconds)).toEqual([3560]);
});

test("a consultation overlaps the leg in which it was asked for; a leg without a time comes last", () => {
  const legs = [toLeg(0, 60), toLeg(30, 10), toLeg(undefined, 20)];
  const { segments, breaks } = toTimeline(legs);
  expect(segments.map(({ from, to }) => [from * 80, to * 80].map(Math.round))).toEqual([
    [0, 60],
    [30, 40],
    [60, 80],
  ]);
  expect(segments.map(({ isUndated }) => isUndated)).toEqual([false, false, true]);
  expect(breaks).toEqual([]);
  expect(legs.slice(1).map((leg, index) => secondsBetween(legs[index] ?? leg, leg))).toEqual([
    -30,
    undefined,
  ]);
});

test("whatever the legs are, each is on the axis, and no break is where one goes on", () => {
  const legs = array(
    record({ at: integer({ min: 0, max: 90_000 }), talk: integer({ min: 0, max: 7200 }) }),
    { minLength: 1, maxLength: 8 },
  );
  assert(
    property(legs, (some) => {
      const sorted = some.toSorted((one, other) => one.at - other.at);
      const { segments, breaks } = toTimeline(sorted.map(({ at, talk }) => toLeg(at, talk)));
      expect(Math.max(...segments.map(({ to }) => to))).toBeCloseTo(1);
      for (const { from, to } of segments) {
        expect(from).toBeGreaterThanOrEqual(0);
        expect(to).toBeGreaterThan(from);
        for (const between of breaks)
          expect(to <= between.from + 1e-9 || from >= between.to - 1e-9).toBe(true);
      }
    }),
  );
});

test("a contact is its call, and the calls of its reference that begin within a day of one another", () => {
  const HOUR = 3600;
  const legs = [
    toLeg(0, 30, "old"),
    toLeg(48 * HOUR, 30, "chat"),
    toLeg(60 * HOUR, 30, "1"),
    toLeg(60 * HOUR + 60, 30, "1", 2),
    toLeg(80 * HOUR, 30, "back"),
    toLeg(undefined, 30, "undated"),
  ];
  const shown = legs[3] ?? toLeg(0);
  expect(toContact(legs, shown).map((leg) => leg.record.call_id)).toEqual([
    "chat",
    "1",
    "1",
    "back",
  ]);
});

test("what was said was said in the leg that had begun last", () => {
  const legs = [toLeg(0), toLeg(60, 30, "1", 2)];
  const said = (at: number) => toSaid(legs, new Date(START_MS + at * 1000).toISOString());
  expect(said(-1)).toBeUndefined();
  expect(said(59)).toEqual({ leg: legs[0], at: 59 });
  expect(said(61.5)).toEqual({ leg: legs[1], at: 1.5 });
  expect(toSaid(legs, "soon")).toBeUndefined();
});
