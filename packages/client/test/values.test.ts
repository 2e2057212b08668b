// Datetimes and durations as services write them.
import { expect, test } from "vitest";

import { toDatetime, toSeconds } from "../src/index.ts";

const noon = "2026-03-01T12:00:00.000Z";

test.each([
  ["2026-03-01T12:00:00Z", noon],
  ["2026-03-01T14:00:00+02:00", noon],
  ["2026-03-01T14:00:00+0200", noon],
  ["2026-03-01 06:30:00-05:30", noon],
  ["2026-03-01T12:00Z", noon],
  ["2026-03-01T14:00:00+02", noon],
  ["2026-03-01 12:00:00-00", noon],
  ["2026-03-01T12:00:00,5Z", "2026-03-01T12:00:00.500Z"],
  ["2026-03-01T12:00:00.1234567Z", "2026-03-01T12:00:00.123Z"],
  ["2026-03-01 14:00:00 +02", noon],
  ["2026-03-01t12:00:00z", noon],
  ["2026-03-01 12:00 Z", noon],
  ["2026-03-01T17:30:00,0 +0530", noon],
  ["2026-03-01Z", "2026-03-01T00:00:00.000Z"],
  // A leap second, as the archive has it.
  ["2026-06-30T23:59:60Z", "2026-07-01T00:00:00.000Z"],
  ["2026-07-01T01:59:60.5+02:00", "2026-07-01T00:00:00.500Z"],
])("%s is a known moment", (raw, moment) => {
  const datetime = toDatetime(raw);
  expect(datetime).toEqual({ raw, instant: new Date(moment), zoneKnown: true });
});

test.each([
  "2026-03-01T12:00:00",
  "2026-03-01",
  "2026-13-01T12:00:00Z",
  "2026-02-30T12:00:00Z",
  "2026-03-01T12:00:61Z",
  "2026-03-01T12:00:00 Europe/Berlin",
  "2026-03-01T12:00:00+2",
  "2026-03-01T12:00:00+02:",
  "2026-03-01,12:00:00Z",
  "2026-03-01T12:00:00  Z",
  "2026-03-01 ",
  "2026-03",
  "12",
  "yesterday",
  "",
])("%j has no known time, and stays unchanged", (raw) => {
  expect(toDatetime(raw)).toEqual({ raw, instant: undefined, zoneKnown: false });
});

test("null and undefined are not datetimes", () => {
  expect([toDatetime(null), toDatetime(undefined)]).toEqual([undefined, undefined]);
});

test.each([
  [95, 95],
  ["95", 95],
  ["0095", 95],
  [0, 0],
  [null, undefined],
  [undefined, undefined],
  ["", undefined],
  [" 5", undefined],
  ["1:35", undefined],
  ["5.5", undefined],
  [5.5, undefined],
  [Number.NaN, undefined],
  ["9".repeat(30), undefined],
  [true, undefined],
])("%j in seconds is %j", (value, seconds) => {
  expect(toSeconds(value)).toBe(seconds);
});
