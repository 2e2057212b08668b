// The patterns of dates in mappings: every letter that the README names, and what each reads.
import { expect, test } from "vitest";
import { createArchive } from "./support/archives.ts";
import { importCsv } from "./support/csv.ts";

const AT = "2026-08-07T09:07:06";

test.each<[pattern: string, text: string, value: string]>([
  ["yyyy-MM-dd HH:mm:ss", "2026-08-07 09:07:06", AT],
  ["yy-M-d H:m:s", "26-8-7 9:7:6", AT],
  ["yy-M-d H:m:s", "2026-08-07 09:07:06", AT],
  ["y/M/d H:m", "2026/12/31 23:59", "2026-12-31T23:59:00"],
  ["dd.MM.yy", "07.08.60", "2060-08-07T00:00:00"],
  ["dd.MM.yy", "07.08.61", "1961-08-07T00:00:00"],
  ["dd MMM yyyy", "07 Aug 2026", "2026-08-07T00:00:00"],
  ["dd-MMM-yyyy", "07-AUG-2026", "2026-08-07T00:00:00"],
  ["MMMM d, yyyy", "august 7, 2026", "2026-08-07T00:00:00"],
  ["EEE, dd MMM yyyy HH:mm:ss", "Fri, 07 Aug 2026 09:07:06", AT],
  ["EEEE dd.MM.yyyy", "FRIDAY 07.08.2026", "2026-08-07T00:00:00"],
  ["MM/dd/yyyy hh:mm a", "08/07/2026 12:10 AM", "2026-08-07T00:10:00"],
  ["MM/dd/yyyy hh:mm a", "08/07/2026 12:10 pm", "2026-08-07T12:10:00"],
  ["MM/dd/yyyy h:mma", "08/07/2026 9:07PM", "2026-08-07T21:07:00"],
  ["MM/dd/yyyy hh:mm a", "08/07/2026 21:07 PM", "2026-08-07T21:07:00"],
  ["yyyy-MM-dd HH:mm:ss.SSS", "2026-08-07 09:07:06.045", `${AT}.045`],
  ["yyyy-MM-dd HH:mm:ss.SSS", "2026-08-07 09:07:06.000", AT],
  ["yyyy-MM-dd HH:mm:ss.S", "2026-08-07 09:07:06.45", `${AT}.045`],
  ["yyyy-MM-dd HH:mm:ss.u", "2026-08-07 09:07:06.45", `${AT}.450`],
  ["yyyy-MM-dd HH:mm:ss.u", "2026-08-07 09:07:06.123456789", `${AT}.123`],
  ["yyyy-MM-dd HH:mm:ss ZZ", "2026-08-07 09:07:06 +02:00", `${AT}+02:00`],
  ["yyyy-MM-dd HH:mm:ss Z", "2026-08-07 09:07:06 -3", `${AT}-03:00`],
  ["yyyy-MM-dd HH:mm:ssZZZ", "2026-08-07 09:07:06-0330", `${AT}-03:30`],
  ["yyyy-MM-dd HH:mm:ss ZZ", "2026-08-07 09:07:06 +00:00", `${AT}Z`],
  ["yyyyMMddHHmmss", "20260807090706", AT],
  ["yyyy-MM-dd'T'HH:mm:ssZZ", "2026-08-07T09:07:06Z", `${AT}Z`],
  ["yyyy-MM-dd'T'HH:mm:ssZZZ", "2026-08-07T09:07:06-0500", `${AT}-05:00`],
  ["HH'h'mm 'Uhr' d.M.yyyy", "09h07 Uhr 7.8.2026", "2026-08-07T09:07:00"],
  ["'on' d.M.yyyy 'at' HH 'o''clock'", "on 7.8.2026 at 09 oclock", "2026-08-07T09:00:00"],
  ["(dd|MM|yyyy) HH.mm*", "(07|08|2026) 09.07*", "2026-08-07T09:07:00"],
  ["dd.MM.yyyy HH:mm", " 29.02.2024 24:00 ", "2024-03-01T00:00:00"],
])("%j reads %j", async (pattern, text, value) => {
  expect(await read(pattern, text)).toEqual({ value });
});

test.each<[pattern: string, text: string]>([
  ["yyyy-MM-dd HH:mm", "2026-08-07 9:07"],
  ["yyyy-MM-dd HH:mm", "2026-08-07T09:07"],
  ["yyyy-MM-dd HH:mm", "2026-08-07 09:07:06"],
  ["yyyy-MM-dd HH:mm", "2026-08-07  09:07"],
  ["yyyy-MM-dd HH:mm", "2026-13-07 09:07"],
  ["yyyy-MM-dd HH:mm", "2026-08-00 09:07"],
  ["yyyy-MM-dd HH:mm", "2026-08-07 24:01"],
  ["yyyy-MM-dd HH:mm", "2026-08-07 25:00"],
  ["yyyy-MM-dd HH:mm", "2026-08-07 09:60"],
  ["yyyy-MM-dd HH:mm", "0026-08-07 09:07"],
  ["dd.MM.yyyy", "30.02.2026"],
  ["dd.MM.yyyy", "29.02.2025"],
  ["dd MMM yyyy", "07 Okt 2026"],
  ["dd MMM yyyy", "07 August 2026"],
  ["EEE dd.MM.yyyy", "Thu 07.08.2026"],
  ["yyyy-MM-dd hh:mm a", "2026-08-07 09:07 Uhr"],
  ["yyyy-MM-dd HH:mm ZZ", "2026-08-07 09:07 +24:00"],
])("%j does not read %j", async (pattern, text) => {
  const fault = `"${text}" is not a date and time of the form "${pattern}"`;
  expect(await read(pattern, text)).toEqual({ fault: `custom_field_1: ${fault}` });
});

test("in the hour that autumn repeats a time is the first of the two; one that spring skips is none", async () => {
  const zone = { zone: "Europe/Berlin" };
  const autumn = await read("dd.MM.yyyy HH:mm", "26.10.2025 02:30", zone);
  expect(autumn).toEqual({ value: "2025-10-26T02:30:00+02:00" });
  const spring = await read("dd.MM.yyyy HH:mm", "30.03.2025 02:30", zone);
  expect(spring).toEqual({
    fault:
      'custom_field_1: "2025-03-30T02:30:00" is a time that no clock in Europe/Berlin shows: they are put forward then',
  });
});

test.each<[pattern: string, fault: string]>([
  ["HH:mm", "is not a date pattern: write it with yyyy"],
  ["dd.MM HH:mm", "is not a date pattern: write it with yyyy"],
  ["yyyy-MM-ddTHH:mm", 'is not a date pattern, "T" stands for nothing: write it with yyyy'],
  ["DD.MM.yyyy", 'is not a date pattern, "DD" stands for nothing'],
  ["yyyyy-MM-dd", 'is not a date pattern, "yyyyy" stands for nothing'],
  ["dd.MM.yyyy hh:mm", "does not say which half of the day: add a (AM or PM)"],
  ["dd.MM.yyyy HH:mm a", "has hours up to 23 (HH), and AM or PM (a): write hh"],
  ["dd.MM.yyyy MMM", "has the month twice"],
])("%j is refused: it %s", async (pattern, fault) => {
  await expect(read(pattern, "")).rejects.toThrow(
    `fields.custom_field_1.format: "${pattern}" ${fault}`,
  );
});

test.each<[pattern: string, zone: string, advice: string]>([
  ["yyyy-MM-dd'T'HH:mm:ss'Z'", "Z", "write ZZ for it"],
  ["yyyy-MM-dd HH:mm:ss 'UTC'", "UTC", 'say the zone beside the format, as "zone": "UTC"'],
  ["yyyy-MM-dd HH:mm:ss' gmt'", "gmt", "say the zone"],
  ["'EST' HH:mm dd MMM yyyy", "EST", "say the zone"],
  ["dd.MM.yyyy HH:mm 'CEST'", "CEST", "say the zone"],
  ["dd.MM.yyyy HH:mm 'MESZ'", "MESZ", "say the zone"],
  ["dd.MM.yyyy HH:mm 'Europe/Berlin'", "Europe/Berlin", "say the zone"],
  ["yyyy-MM-dd HH:mm:ss +0000", "+0000", "write ZZ for it"],
  ["yyyy-MM-dd HH:mm:ss '-05:00'", "-05:00", "write ZZ for it"],
])("%j is refused: %s would not be read", async (format, zone, advice) => {
  const said = `"${format}": ${zone} is a time zone, which stands for itself here and is not read`;
  await expect(read(format, "")).rejects.toThrow(
    `fields.custom_field_1.format: ${said}: ${advice}`,
  );
});

test("a time zone in words is right where the mapping says it as well", async () => {
  const at = await read("yyyy-MM-dd HH:mm 'UTC'", "2026-08-07 09:07 UTC", { zone: "UTC" });
  expect(at).toEqual({ value: "2026-08-07T09:07:00+00:00" });
});

/** What a mapping of that format makes of the text. */
async function read(format: string, text: string, others: object = {}) {
  const store = createArchive();
  const rule = { from: "{A}", as: "datetime", format, ...others };
  const mapping = { fields: { call_id: "A", custom_field_1: rule } };
  const report = await importCsv(store, mapping, ["A", `"${text}"`]);
  const [call] = await store.calls.byCallId("A", "everything");
  return call === undefined
    ? { fault: report.firstRejections[0]?.reason }
    : { value: call.custom_field_1 };
}
