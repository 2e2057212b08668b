// Datetimes as they come (D03) and the instants they mean.
import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";
import { parseDatetime, toDay } from "../src/values/index.ts";

const isLong = process.env["CALL_MEDIA_TIER"] !== "test";

test.each<[text: string, instant: string, hasOffset: boolean]>([
  ["2025-05-01T10:00:00Z", "2025-05-01T10:00:00.000Z", true],
  ["2025-05-01T10:00:00.1239Z", "2025-05-01T10:00:00.123Z", true],
  ["2025-05-01t10:00:00,5z", "2025-05-01T10:00:00.500Z", true],
  ["2025-05-01 10:00", "2025-05-01T10:00:00.000Z", false],
  ["2025-05-01", "2025-05-01T00:00:00.000Z", false],
  ["2025-05-01T10:00:00+05:30", "2025-05-01T04:30:00.000Z", true],
  ["2025-05-01T10:00:00-0330", "2025-05-01T13:30:00.000Z", true],
  ["2025-05-01 10:00:00 +02", "2025-05-01T08:00:00.000Z", true],
  ["2024-02-29T23:59:60Z", "2024-03-01T00:00:00.000Z", true],
  ["1831-01-01T00:00:00Z", "1831-01-01T00:00:00.000Z", true],
  ["2247-12-31T23:59:59Z", "2247-12-31T23:59:59.000Z", true],
])("%s is read", (text, instant, hasOffset) => {
  expect(parseDatetime(text, "UTC")).toEqual({ instantMs: Date.parse(instant), hasOffset });
});

test.each<[text: string, fault: RegExp]>([
  ["", /not an ISO 8601/],
  ["2025-5-1", /not an ISO 8601/],
  ["05/01/2025 10:00", /not an ISO 8601/],
  ["2025-05-01T10", /not an ISO 8601/],
  ["2025-05-01T10:00:00 UTC", /not an ISO 8601/],
  ["+002025-05-01T10:00:00Z", /not an ISO 8601/],
  ["2025-05-01T10:00:00Z\n", /not an ISO 8601/],
  ["2025-02-29", /not a time that any calendar has/],
  ["2025-13-01", /not a time that any calendar has/],
  ["2025-00-10", /not a time that any calendar has/],
  ["2025-05-01T24:00:00Z", /not a time that any calendar has/],
  ["2025-05-01T10:60:00Z", /not a time that any calendar has/],
  ["2025-05-01T10:00:00+24:00", /offset that no clock has/],
  ["1830-12-31T23:59:59Z", /outside the years 1831 to 2247/],
  ["2248-01-01", /outside the years 1831 to 2247/],
])("%j is refused", (text, fault) => {
  expect(parseDatetime(text, "UTC")).toMatch(fault);
});

test("local times are those of the time zone, around every change of its clocks", () => {
  const zones = [
    "Europe/London",
    "America/New_York",
    "America/Havana",
    "Asia/Beirut",
    "Africa/Casablanca",
    "Australia/Lord_Howe",
    "Pacific/Apia",
  ];
  const local = fc.date({
    min: new Date("1970-01-02"),
    max: new Date("2037-12-30"),
    noInvalidDate: true,
  });

  fc.assert(
    fc.property(local, fc.constantFrom(...zones), (date, zone) => {
      const text = date.toISOString().slice(0, -1);
      const instantMs = Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds;
      expect(parseDatetime(text, zone)).toEqual({ instantMs, hasOffset: false });
    }),
    { numRuns: isLong ? 2_000 : 200 },
  );
  // Half an hour by half an hour through the changes of a year, each of them at another hour; in short by half days.
  const faults: string[] = [];
  for (const zone of zones) {
    for (
      let ms = Date.UTC(2024, 0, 1);
      ms < Date.UTC(2025, 0, 1);
      ms += isLong ? 1_800_000 : 41_400_000
    ) {
      const text = new Date(ms).toISOString().slice(0, -1);
      const expected = Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds;
      const parsed = parseDatetime(text, zone);
      if (typeof parsed === "string" || parsed.instantMs !== expected)
        faults.push(`${text} ${zone}`);
    }
  }
  expect(faults).toEqual([]);
});

test("an hour that comes twice is the first one, one that is skipped the time after the change", () => {
  const toIso = (text: string) => {
    const parsed = parseDatetime(text, "Europe/London");
    return typeof parsed === "string" ? parsed : new Date(parsed.instantMs).toISOString();
  };

  expect(toIso("2025-10-26T01:30:00")).toBe("2025-10-26T00:30:00.000Z");
  expect(toIso("2025-03-30T01:30:00")).toBe("2025-03-30T01:30:00.000Z");
});

test.each([
  ["2026-03-29T00:59:59Z", "Europe/Berlin", "2026-03-29"],
  ["2026-03-28T22:59:59.999Z", "Europe/Berlin", "2026-03-28"],
  ["2026-03-28T23:00:00Z", "Europe/Berlin", "2026-03-29"],
  ["2026-03-29T21:59:59Z", "Europe/Berlin", "2026-03-29"],
  ["2026-03-29T22:00:00Z", "Europe/Berlin", "2026-03-30"],
  ["2026-10-25T22:59:59Z", "Europe/Berlin", "2026-10-25"],
  ["2026-10-25T23:00:00Z", "Europe/Berlin", "2026-10-26"],
  ["2011-12-30T09:59:59Z", "Pacific/Apia", "2011-12-29"],
  ["2011-12-30T10:00:00Z", "Pacific/Apia", "2011-12-31"],
  ["1900-01-01T00:00:00Z", "Asia/Kathmandu", "1900-01-01"],
  ["2026-06-30T18:14:59Z", "Asia/Kathmandu", "2026-06-30"],
  ["2026-06-30T18:15:00Z", "Asia/Kathmandu", "2026-07-01"],
])("%s in %s is the day %s, however often it is asked", (text, timeZone, day) => {
  expect(toDay(Date.parse(text), timeZone)).toBe(day);
  expect(toDay(Date.parse(text), timeZone)).toBe(day);
});
