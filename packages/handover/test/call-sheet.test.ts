// A spreadsheet of calls holds what the calls hold: to the letter, and in cells of the right kind.
import { fieldsOf } from "@call-media/api";
import type { CallRecord } from "@call-media/client";
import { read, utils } from "@e965/xlsx";
import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { createCallCount, createCallSheet, MAX_CELL_CHARACTERS } from "../src/index.ts";
import { createWorkbook } from "../src/spreadsheet/workbook.ts";
import { call, toCall, toLineFeeds, toSheet, TRAPS } from "./support/calls.ts";

/** By another library: what stands in the second row, by header, with the kind of the cell. */
function readRow(bytes: Buffer): Readonly<Record<string, { t: string; v: unknown }>> {
  const { Sheets } = read(bytes, { cellDates: false });
  const rows = utils.sheet_to_json<string[]>(Sheets["Calls"] ?? {}, { header: 1 });
  const headers = rows[0] ?? [];
  return Object.fromEntries(
    headers.flatMap((header, index) => {
      const cell = Sheets["Calls"]?.[`${utils.encode_col(index)}2`];
      return cell === undefined ? [] : [[header, { t: cell.t, v: cell.v }]];
    }),
  );
}

const readSheetXml = (bytes: Buffer) =>
  strFromU8(unzipSync(bytes)["xl/worksheets/sheet1.xml"] ?? new Uint8Array());

test("text is text to the letter, durations are numbers, the date is a date", () => {
  const row = readRow(toSheet([call]));
  for (const [field, value] of Object.entries(TRAPS))
    expect(row[field], field).toEqual({ t: "s", v: toLineFeeds(String(value)) });
  expect(row["datetime"]).toEqual({ t: "s", v: "2026-03-05T10:00:01+00:00" });
  expect(row["talk_time"]).toEqual({ t: "n", v: 61 });
  const day = Date.UTC(2026, 2, 5, 10, 0, 1) / 86_400_000 + 25_569;
  expect(row["Date (UTC)"]).toEqual({ t: "n", v: day });
  expect(Object.keys(row)).toHaveLength(Object.keys(TRAPS).length + 3);
});

test("a carriage return is kept, which readers of XML leave out where it is not escaped", () => {
  expect(readSheetXml(toSheet([call]))).toContain(">line 1&#13;\nline 2\n");
});

test("columns are in the order asked for; the date stands after the datetime", () => {
  const fields = ["call_id", "datetime", "talk_time"] as const;
  expect(Object.keys(readRow(toSheet([call], { fields, timeZone: "Asia/Tokyo" })))).toEqual([
    "call_id",
    "datetime",
    "Date (Asia/Tokyo)",
    "talk_time",
  ]);
});

test.each([
  ["2026-03-05T10:00:01+00:00", "Europe/Berlin", undefined, "2026-03-05 11:00:01"],
  ["2026-07-05T23:30:00.5-05:00", "Asia/Kolkata", undefined, "2026-07-06 10:00:00.500"],
  ["2026-06-30T23:59:60Z", "UTC", undefined, "2026-07-01 00:00:00"],
  // Without an offset, in the archive's zone or in none.
  ["2026-03-05T10:00:01", "UTC", undefined, undefined],
  ["2026-03-05T10:00:01", undefined, "Europe/Berlin", "2026-03-05 10:00:01"],
  ["2026-03-05T10:00:01", "UTC", "Europe/Berlin", "2026-03-05 09:00:01"],
  ["2026-03-05T10:00:01", "UTC", "+05:30", "2026-03-05 04:30:01"],
  // When clocks go back an hour is there twice, and when they go forward one is not.
  ["2026-10-25T02:30:00", "UTC", "Europe/Berlin", "2026-10-25 00:30:00"],
  ["2026-03-29T02:30:00", "UTC", "Europe/Berlin", "2026-03-29 01:30:00"],
  ["2026-11-01T01:30:00", "UTC", "America/New_York", "2026-11-01 05:30:00"],
  ["1899-12-31T00:00:00Z", "UTC", undefined, undefined],
  ["soon", "UTC", "UTC", undefined],
])("%s in %s, of an archive in %s, is %s", (datetime, timeZone, archiveTimeZone, shown) => {
  const bytes = toSheet([toCall({ datetime })], { timeZone, archiveTimeZone });
  const row = readRow(bytes);
  const serial = row[`Date (${timeZone ?? archiveTimeZone})`]?.v;
  const date =
    serial === undefined ? undefined : new Date(Math.round((Number(serial) - 25_569) * 86_400_000));
  const text = date && date.toISOString();
  expect(text?.replace("T", " ").replace(/(\.000)?Z$/, "")).toBe(shown);
  expect(row["datetime"]?.v).toBe(datetime);
});

test("a text that is too long for a cell is truncated between characters, and counted", () => {
  const parts: Uint8Array[] = [];
  const fields = ["call_id", "transcript"] as const;
  const sheet = createCallSheet({ fields }, (bytes) => parts.push(bytes));
  const long = "x".repeat(MAX_CELL_CHARACTERS - 1) + "😀";
  sheet.add([
    toCall({ call_id: "1", transcript: "x".repeat(MAX_CELL_CHARACTERS) }),
    toCall({ call_id: "2", transcript: long }),
    toCall({ call_id: "3", transcript: long }),
  ]);
  sheet.end();
  expect(sheet.cut).toEqual({ count: 2, first: { field: "transcript", call_id: "2" } });
  const book = read(Buffer.concat(parts));
  const texts = ["B2", "B3"].map((at) => String(book.Sheets["Calls"]?.[at].v));
  expect(texts).toEqual(["x".repeat(MAX_CELL_CHARACTERS), "x".repeat(MAX_CELL_CHARACTERS - 1)]);
});

test("each character that XML forbids becomes one replacement character", () => {
  const row = readRow(toSheet([toCall({ notes: "a\u0000b\u001bc\ud800d\uffff" })]));
  expect(row["notes"]?.v).toBe("a\ufffdb\ufffdc\ufffdd\ufffd");
});

test("values outside the contract leave the file valid", () => {
  // What the contract does not have.
  const odd = {
    datetime: 7,
    talk_time: "62",
    handle_time: "long",
    zip: 12,
    media: [1],
    city: false,
  };
  const row = readRow(toSheet([{ ...call, ...odd } as unknown as CallRecord]));
  expect(row).toMatchObject({
    datetime: { t: "s", v: "7" },
    talk_time: { t: "n", v: 62 },
    handle_time: { t: "s", v: "long" },
    zip: { t: "s", v: "12" },
    media: { t: "s", v: "[1]" },
    city: { t: "s", v: "false" },
  });
});

test("the header stays in sight and filters all rows, and equal calls give equal bytes", () => {
  const bytes = toSheet([call, call]);
  const sheet = readSheetXml(bytes);
  expect(sheet).toContain(
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
  );
  const last = utils.encode_col(fieldsOf("MetadataRecord").length);
  expect(sheet).toContain(`<autoFilter ref="A1:${last}3"/>`);
  expect(toSheet([call, call]).equals(bytes)).toBe(true);
});

test("a workbook of more rows than a sheet holds has several, and its bytes come while it is written", () => {
  const parts: Uint8Array[] = [];
  const columns = [{ header: "n", width: 9, format: 0 }];
  const book = createWorkbook(columns, (bytes) => parts.push(bytes), 4001);
  for (let row = 1; row <= 10_000; row++) book.add([row * 7919]);
  const before = parts.reduce((sum, { length }) => sum + length, 0);
  book.end();
  expect(before).toBeGreaterThan(10_000);
  const bytes = Buffer.concat(parts);
  const { SheetNames, Sheets } = read(bytes);
  const count = createCallCount();
  for (let at = 0; at < bytes.length; at += 1009) count.add(bytes.subarray(at, at + 1009));
  expect(count.read()).toBe(10_000);
  expect(SheetNames).toEqual(["Calls", "Calls 2", "Calls 3"]);
  expect(SheetNames.map((name) => Sheets[name]?.["!ref"])).toEqual([
    "A1:A4001",
    "A1:A4001",
    "A1:A2001",
  ]);
  expect(Sheets["Calls 3"]?.["A2001"].v).toBe(10_000 * 7919);
});

test("a time zone that there is not is refused at once", () => {
  expect(() => toSheet([], { timeZone: "Europe/Nowhere" })).toThrow(TypeError);
});

test.each([
  ["nothing", ""],
  ["text", "call_id\r\n1\r\n"],
  ["half a file", ""],
])("%s counts as no calls", (what, text) => {
  const count = createCallCount();
  const bytes = what === "half a file" ? toSheet([call]).subarray(0, 400) : Buffer.from(text);
  count.add(bytes);
  expect(count.read() ?? 0).toBe(0);
});
