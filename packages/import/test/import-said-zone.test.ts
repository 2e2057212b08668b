// A zone that a mapping says, and columns that contradict it.
import { expect, test } from "vitest";
import { bring } from "./support/bring-doubts.ts";

const ZONED = { call_id: "{id}", datetime: { from: "{start}", zone: "Asia/Tokyo" } };
const zone = (lines: readonly string[], fields: object = ZONED, options = {}) =>
  bring({ fields }, lines, options);

test("a zone that the mapping says and no row tells is said; a sample proves it", async () => {
  const lines = ["id,start", "1,2026-08-21T09:00:00"];
  expect(await zone(lines)).toEqual(["warn zone: {start}"]);
  const samples = [
    { file: "log.csv", text: lines, expect: [{ datetime: "2026-08-21T09:00:00+09:00" }] },
  ];
  expect(await bring({ fields: ZONED, samples }, lines)).toEqual([]);
  expect(await zone(["id,start", "1,2026-08-21T09:00:00Z"])).toEqual([]);
});

test.each([
  ["a column of zones", "id,start,Time zone", "Asia/Tokyo", "Europe/Berlin"],
  ["the same time in UTC", "id,start,t_utc", "2026-08-21T00:00:00", "2026-08-21T07:00:00"],
])("%s tells the zone", async (_, header, right, wrong) => {
  const toLines = (value: string) => [
    header,
    `1,2026-08-21T09:00:00,${value}`,
    `2,2026-08-21T09:00:00,${value}`,
  ];
  expect(await zone(toLines(right))).toEqual([]);
  expect(await zone(toLines(wrong))).toEqual([
    expect.stringMatching(/^stop zone: \{(?:Time zone|t_utc)\} has/),
  ]);
});

test("a column that is called UTC is not read in another zone, whoever said that", async () => {
  const fields = { call_id: "{id}", datetime: "{Start (UTC)}" };
  const lines = ["id,Start (UTC)", "1,2026-08-21T09:00:00"];
  expect(await zone(lines, fields, { timeZone: "UTC" })).toEqual([]);
  expect(await zone(lines, fields)).toEqual(["stop zone: {Start (UTC)} is of UTC by its name"]);
});

test.each([
  ["identifiers of ten digits tell no zone", [1000014151, 1000014152], ["warn zone: {start}"]],
  ["seconds since 1970 of the calls do", [1787270400, 1787356800], []],
])("%s", async (_, [one, other], doubts) => {
  const rows = [`1,2026-08-21T09:00:00,${one}`, `2,2026-08-22T09:00:00,${other}`];
  expect(await zone(["id,start,ref", ...rows])).toEqual(doubts);
  const split = { call_id: "{id}", datetime: { from: "{day}T{time}", zone: "Asia/Tokyo" } };
  const header = "id,day,time,ref";
  const parts = rows.map((row) => row.replace("T", ","));
  const named = doubts.map((text) => text.replace("{start}", "{day}, {time}"));
  expect(await zone([header, ...parts], split)).toEqual(named);
});
