// What a mapping makes of the text in a column: numbers, durations, datetimes, and what it refuses.
import { expect, test } from "vitest";
import type { MetadataRecord } from "@call-media/store";
import { createArchive } from "./support/archives.ts";
import { importCsv } from "./support/csv.ts";

test.each<[as: object, text: string, value: string | number]>([
  [{ as: "integer" }, " 007 ", 7],
  [{ as: "duration" }, "187", 187],
  [{ as: "duration" }, "187.5", 188],
  [{ as: "duration" }, "02:03", 123],
  [{ as: "duration" }, "1:02:03", 3_723],
  [{ as: "duration" }, "100:00:00", 360_000],
  [{ as: "duration" }, "90:00", 5_400],
])("%j reads %j as a number", async (as, text, value) => {
  expect(await convert("talk_time", as, text)).toBe(value);
});

test.each<[as: object, text: string, value: string]>([
  [{}, "2025-05-01 10:00", "2025-05-01 10:00"],
  [{ as: "datetime", format: "iso" }, " 2025-05-01T10:00:00+02:00 ", "2025-05-01T10:00:00+02:00"],
  [{ format: "unix" }, "1746093600", "2025-05-01T10:00:00Z"],
  [{ format: "unix" }, "1746093600.25", "2025-05-01T10:00:00.250Z"],
  [{ format: "unix" }, "-86400", "1969-12-31T00:00:00Z"],
  [{ format: "unix-ms" }, "1746093600001", "2025-05-01T10:00:00.001Z"],
  [{ format: "unix", epoch: "2026-01-05T00:00:00Z" }, "184", "2026-01-05T00:03:04Z"],
  [{ format: "unix", epoch: "2026-01-05" }, "184", "2026-01-04T23:03:04Z"],
  [{ format: "MM/dd/yyyy hh:mm:ss a" }, "05/01/2025 10:00:00 PM", "2025-05-01T22:00:00"],
  [{ format: "MM/dd/yyyy hh:mm a" }, "05/01/2025 12:10 AM", "2025-05-01T00:10:00"],
  [{ format: "MM/dd/yyyy hh:mm a" }, "05/01/2025 13:10 PM", "2025-05-01T13:10:00"],
  [{ format: "d.M.yyyy H:mm" }, "1.5.2025 9:05", "2025-05-01T09:05:00"],
  [
    { format: "dd/MMM/yyyy:HH:mm:ss ZZZ" },
    "01/May/2025:10:00:00 -0700",
    "2025-05-01T10:00:00-07:00",
  ],
  [{ format: "yyyyMMdd'T'HHmmss" }, "20250501T100000", "2025-05-01T10:00:00"],
  [{ format: "yyyy-MM-dd HH:mm:ss.SSS" }, "2025-05-01 10:00:00.120", "2025-05-01T10:00:00.120"],
])("%j reads %j as a datetime", async (as, text, value) => {
  expect(await convert("datetime", as, text)).toBe(value);
});

test.each<[field: string, as: object, text: string, reason: string]>([
  ["talk_time", { as: "integer" }, "1.5", 'talk_time: "1.5" is not a whole number of 0 or more'],
  ["talk_time", { as: "integer" }, "-1", 'talk_time: "-1" is not a whole number of 0 or more'],
  ["talk_time", { as: "duration", unit: "min" }, "1,5", toCommaFault("1,5")],
  ["talk_time", { as: "duration" }, "1,500", toCommaFault("1,500")],
  ["talk_time", { as: "duration" }, "1,5 min", toCommaFault("1,5 min")],
  [
    "talk_time",
    { as: "duration" },
    "1:75",
    'talk_time: "1:75" is not a duration: give seconds, MM:SS or HH:MM:SS',
  ],
  [
    "talk_time",
    { as: "duration" },
    "soon",
    'talk_time: "soon" is not a duration: give seconds, MM:SS or HH:MM:SS',
  ],
  ["datetime", {}, "01/05/2025", 'datetime: "01/05/2025" is not an ISO 8601 date and time'],
  ["datetime", { format: "unix" }, "now", 'datetime: "now" is not a number of seconds'],
  [
    "datetime",
    { format: "unix-ms" },
    "99999999999999999",
    'datetime: "99999999999999999" is not a number of milliseconds',
  ],
  [
    "datetime",
    { format: "dd.MM.yyyy" },
    "30.02.2025",
    'datetime: "30.02.2025" is not a date and time of the form "dd.MM.yyyy"',
  ],
  [
    "datetime",
    { format: "EEE dd.MM.yyyy" },
    "Mon 01.05.2025",
    'datetime: "Mon 01.05.2025" is not a date and time of the form "EEE dd.MM.yyyy"',
  ],
  ["agent", {}, "a\0b", "agent: has a NUL character"],
])("%s as %j refuses %j", async (field, as, text, reason) => {
  const store = createArchive();
  const report = await importCsv(store, toMapping(field, as), ["A", `"${text}"`]);

  expect(report).toMatchObject({ read: 1, rejected: 1, firstRejections: [{ line: 2, reason }] });
});

function toCommaFault(text: string): string {
  return `talk_time: "${text}" is not a duration: it has a comma; write decimals with a point, as 1.5, and thousands without a separator, as 1500`;
}

function toMapping(field: string, as: object): object {
  return {
    fields: {
      call_id: "A",
      [field]: { from: "{A}", ...("format" in as ? { as: "datetime" } : {}), ...as },
    },
  };
}

async function convert(field: keyof MetadataRecord, as: object, text: string): Promise<unknown> {
  const store = createArchive("Europe/Paris");
  const allow = ["dates", "durations"] as const; // of a row alone
  const report = await importCsv(store, toMapping(field, as), ["A", `"${text}"`], { allow });
  expect(report.firstRejections).toEqual([]);
  return (await store.calls.byCallId("A", "everything"))[0]?.[field];
}
