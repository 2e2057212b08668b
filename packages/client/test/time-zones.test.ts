// Days and times of time zones, and searches by the days of another zone than the archive's.
import { createFakeService } from "@call-media/testing";
import { describe, expect, test } from "vitest";

import { createClient, daysAgo, toDatetime, toOffset, toOffsetMs } from "../src/index.ts";
import { listOf } from "./service.ts";
import { idsOf } from "./support/deployment.ts";

test.each([
  // In winter, in summer, and without daylight saving.
  ["2026-01-15T12:00:00", "Europe/Berlin", "2026-01-15T11:00:00.000Z"],
  ["2026-07-15T12:00:00", "Europe/Berlin", "2026-07-15T10:00:00.000Z"],
  ["2026-07-15 12:00", "Asia/Kathmandu", "2026-07-15T06:15:00.000Z"],
  ["2026-07-15", "America/St_Johns", "2026-07-15T02:30:00.000Z"],
  // On the days when clocks are changed: before, in the skipped or repeated hour (D03), and after.
  ["2026-03-29T01:59:00", "Europe/Berlin", "2026-03-29T00:59:00.000Z"],
  ["2026-03-29T02:30:00", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
  ["2026-03-29T03:00:00", "Europe/Berlin", "2026-03-29T01:00:00.000Z"],
  ["2026-10-25T02:30:00", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
  ["2026-10-25T03:00:00", "Europe/Berlin", "2026-10-25T02:00:00.000Z"],
])("%s in %s is %s", (raw, timeZone, instant) => {
  expect(toDatetime(raw, { timeZone })).toEqual({
    raw,
    instant: new Date(instant),
    zoneKnown: false,
  });
});

test.each([
  ["Asia/Kathmandu", "+05:45"],
  ["America/St_Johns", "-03:30"],
  ["UTC", "+00:00"],
  ["-00:30", "-00:30"],
])("%s is %s ahead of UTC", (timeZone, offset) => {
  expect(toOffset(toOffsetMs(Date.UTC(2026, 0), timeZone))).toBe(offset);
});

test("an offset of the text counts, and not the zone of the archive", () => {
  const raw = "2026-03-01T12:00:00+02:00";
  expect(toDatetime(raw, { timeZone: "Asia/Tokyo" })).toEqual(toDatetime(raw));
  expect(toDatetime("soon", { timeZone: "UTC" })?.instant).toBeUndefined();
});

test.each([
  // Half past midnight, on the day after one of 23 hours and after one of 25.
  ["2026-03-29T22:30:00Z", "Europe/Berlin", 1, "2026-03-29"],
  ["2026-10-25T23:30:00Z", "Europe/Berlin", 1, "2026-10-25"],
  ["2026-03-01T11:00:00Z", "Pacific/Kiritimati", 0, "2026-03-02"],
  ["2026-03-01T11:00:00Z", "Pacific/Pago_Pago", 0, "2026-03-01"],
  ["2026-03-01T10:00:00Z", "Pacific/Pago_Pago", 1, "2026-02-27"],
  ["2024-03-01T12:00:00Z", "UTC", 1, "2024-02-29"],
])("seen at %s in %s, %i days ago is %s", (now, timeZone, days, day) => {
  expect(daysAgo(days, timeZone, new Date(now))).toBe(day);
});

test("a zone that does not exist is refused, and nothing is sent", () => {
  const service = createFakeService();
  const { calls } = createClient(service.clientOptions);
  const named = expect.objectContaining({
    name: "TypeError",
    message: expect.stringContaining("Mars/Phobos"),
  });
  expect(() => daysAgo(0, "Mars/Phobos")).toThrow(named);
  const wanted = { startDate: "2026-03-01", endDate: "2026-03-01", filter: {} };
  expect(() => calls.byCustomFields({ ...wanted, timeZone: "Mars/Phobos" })).toThrow(named);
  expect(service.requests).toEqual([]);
});

describe("a day of a zone", () => {
  const hours = [
    "2026-03-01T21:59",
    "2026-03-01T22:00",
    "2026-03-02T00:00",
    "2026-03-02T21:59",
    "2026-03-02T22:00",
  ];
  const calls = hours.map((time) => ({ call_id: time, datetime: `${time}:00Z` }));
  const wanted = { startDate: "2026-03-02", endDate: "2026-03-02", filter: {} };
  const mine = hours.slice(1, 4).toReversed();

  test.each([
    ["with days of a zone that it names", {}],
    ["with days of another zone", { utcOffsetMinutes: { from: 780, to: 780 } }],
  ])("in an archive %s", async (_, profile) => {
    const client = createClient(createFakeService({ calls, profile }).clientOptions);
    const search = client.calls.byCustomFields({ ...wanted, timeZone: "Africa/Cairo" });
    expect(search.report.verdict).toBe("unfinished");
    expect(idsOf(await listOf(search))).toEqual(mine);
    const { rows, outside, verdict, reason } = search.report;
    expect({ verdict, returned: rows - outside }).toEqual({ verdict: "complete", returned: 3 });
    expect(reason).toContain("as many records as");
  });

  test("in an archive that does not name its zone, and after a break by cursor", async () => {
    const service = createFakeService({ calls });
    const fetch = async (url: string, init: RequestInit) => {
      const response = await service.fetch(url, init);
      const headers = new Headers(response.headers);
      headers.delete("Archive-Time-Zone");
      return new Response(response.body, { status: response.status, headers });
    };
    const client = createClient({ ...service.clientOptions, fetch });
    const zoned = { ...wanted, timeZone: "Africa/Cairo" };
    const first = client.calls.byCustomFields(zoned);
    for await (const { call_id } of first) {
      expect(call_id).toBe(mine[0]);
      break;
    }
    const second = client.calls.byCustomFields({ ...zoned, cursor: first.cursor });
    expect(idsOf(await listOf(second))).toEqual(mine.slice(1));
    expect(second.report).toMatchObject({ rows: 5, outside: 2, verdict: "complete" });
  });

  test("that is the archive's is searched alone", async () => {
    const service = createFakeService({ calls });
    const { calls: searches } = createClient(service.clientOptions);
    await listOf(searches.byCustomFields({ ...wanted, timeZone: "UTC" }));
    const days = service.requests.map(({ url }) => new URL(url).searchParams.get("startDate"));
    expect(new Set(days)).toEqual(new Set([null, "2026-03-02"]));
  });
});
