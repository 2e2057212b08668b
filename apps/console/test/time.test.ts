// Times that were recorded without their offset: they are of the archive's zone, on the days when its clocks change too.
import { createClient } from "@call-media/client";
import { createFakeService } from "@call-media/testing";
import { afterEach, expect, test } from "vitest";
import { createFilter } from "../src/search/checking.ts";
import { en } from "../src/text/en.ts";
import { text as words } from "../src/text/text.ts";
import { archiveZone, nameRecorded, toInstantOf, toShown } from "../src/time.ts";

const before = archiveZone.value;
afterEach(() => {
  archiveZone.value = before;
});

test.each([
  ["Europe/Berlin", "2026-03-29T01:30:00", "2026-03-29T00:30:00Z"],
  ["Europe/Berlin", "2026-03-29T03:30:00", "2026-03-29T01:30:00Z"],
  ["America/New_York", "2026-11-01T03:30:00", "2026-11-01T08:30:00Z"],
  ["Asia/Kathmandu", "2026-06-01T00:00:00", "2026-05-31T18:15:00Z"],
  ["Asia/Kathmandu", "2026-06-01T00:00:00+02:00", "2026-05-31T22:00:00Z"],
])("in %s %s is %s", (zone, text, instant) => {
  archiveZone.value = zone;
  expect(toInstantOf(text)).toBe(Date.parse(instant));
});

test("conditions compare a moment in the archive's zone", async () => {
  archiveZone.value = "America/New_York";
  const service = createFakeService({
    calls: [{ call_id: "now", datetime: "2026-07-05T10:00:00" }],
  });
  const client = createClient(service.clientOptions);
  const { data } = (
    await client.GET("/metadata/by-call-id/{call_id}", { params: { path: { call_id: "now" } } })
  ).data;
  const find = async (value: string) => {
    const condition = { field: "datetime", comparison: "==", value } as const;
    return await createFilter(client, [condition], AbortSignal.any([])).filter(data);
  };
  expect(await find("2026-07-05T14:00:00Z")).toHaveLength(1);
  expect(await find("2026-07-05T10:00:00Z")).toEqual([]);
});

test.each([
  ["UTC", "2026-10-31T12:42:00-05:00", "31 Oct 2026", "17:42"],
  ["Europe/Berlin", "2026-10-31T23:42:00Z", "1 Nov 2026", "00:42"],
  ["Europe/Berlin", "2026-10-31T23:42:00", "31 Oct 2026", "23:42"],
  [undefined, "2026-10-31T23:42:00+05:45", "31 Oct 2026", "23:42"],
])("an archive of %s shows %s on %s at %s", (zone, text, date, time) => {
  archiveZone.value = zone;
  expect(toShown(text, "archive")).toMatchObject({ date, time });
});

test("the time as it was recorded says whether its zone was", () => {
  words.value = en;
  expect(nameRecorded("2026-10-31T12:42:00-05:00")).toBe("2026-10-31T12:42:00-05:00");
  expect(nameRecorded("2026-10-31T12:42:00")).toBe("2026-10-31T12:42:00 (no time zone recorded)");
});
