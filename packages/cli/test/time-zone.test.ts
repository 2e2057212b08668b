// Datetimes in a time zone of the reader's choice.
import { createShowDatetime } from "@call-media/conditions";
import { expect, test } from "vitest";
import { toArchiveZone } from "../src/search/time-zones.ts";

test.each([
  ["UTC", "2026-03-29T02:30:00+01:00", "2026-03-29T01:30:00+00:00"],
  ["America/New_York", "2026-01-01T04:59:59Z", "2025-12-31T23:59:59-05:00"],
  // The hour that summer time leaves out.
  ["Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29T03:00:00+02:00"],
  ["Asia/Kolkata", "2026-03-29T18:30:00Z", "2026-03-30T00:00:00+05:30"],
  ["UTC", "soon", "soon"],
])("in %s %s is %s", (zone, text, shown) => {
  expect(createShowDatetime(zone)(text)).toBe(shown);
});

test("without an offset it is in the archive's zone, if that is known", () => {
  const saved = (from: number, to: number) =>
    createShowDatetime("UTC", () => toArchiveZone(undefined, { utcOffsetMinutes: { from, to } }));
  expect(saved(-300, -300)("2026-01-01T20:00:00")).toBe("2026-01-02T01:00:00+00:00");
  expect(saved(0, 15)("2026-01-01T20:00:00")).toBe("2026-01-01T20:00:00");
});
