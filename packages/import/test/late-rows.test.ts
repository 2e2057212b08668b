// Rows that wait until all others are written are judged with all rows of their calls.
import { expect, test } from "vitest";
import { createLateRows } from "../src/late-rows.ts";
import type { ParsedRow } from "../src/prepare-row.ts";
import { message } from "./support/records.ts";

const toRow = (line: number, ...callIds: (string | null)[]): ParsedRow => ({
  file: "calls.jsonl",
  mediaDirectory: ".",
  line,
  raw: "{}",
  notices: [],
  taken: [],
  entries: callIds.map((call_id) => ({
    item: { kind: "chat", record: { ...message("", "Yes.", "2025-05-01T10:00:00Z"), call_id } },
    media: [],
  })),
});

function listGroups(rows: readonly ParsedRow[]) {
  using late = createLateRows();
  expect(late.isEmpty()).toBe(true);
  for (const row of rows) late.put(row);
  return Array.from(late.listGroups(), ({ rows: own, others }) => [
    own.map(({ line }) => line),
    others.map(({ line }) => line),
  ]);
}

test("a row of several calls is judged with the rows of each, and what is of no call alone", () => {
  const rows = [
    toRow(1, "A"),
    toRow(2, "B", "A"),
    toRow(3, null),
    toRow(4, "B"),
    toRow(5, "A"),
    toRow(6, null),
    toRow(7, "C"),
  ];
  expect(listGroups(rows)).toEqual([
    [[1, 5], [2]],
    [[2], [1, 4, 5]],
    [[3], []],
    [[4], [2]],
    [[6], []],
    [[7], []],
  ]);
  expect(listGroups([])).toEqual([]);
});

test("the later rows of its calls are waited for", () => {
  using late = createLateRows();
  expect(late.isWaitedFor(toRow(1, "A"))).toBe(false);
  late.put(toRow(1, "A", "B"));
  const rows = [toRow(2, "A"), toRow(3, "C", "B"), toRow(4, "C"), toRow(5, null)];
  expect(rows.map(late.isWaitedFor)).toEqual([true, true, false, false]);
});

test("the rows of a call that stands in very many come in parts, none twice and none lost", () => {
  const rows = Array.from({ length: 2_500 }, (_, index) => toRow(index + 1, "0"));
  const groups = listGroups(rows);
  expect(groups.length).toBe(3);
  expect(groups.flatMap(([own]) => own)).toEqual(rows.map(({ line }) => line));
});

test("a row comes back as it was put, with the bytes of a recording", () => {
  using late = createLateRows();
  const row = { ...toRow(1, "A"), notices: [{ text: "a notice" }] };
  const content = new Uint8Array([1, 0, 255]);
  late.put({ ...row, entries: row.entries.map((one) => ({ ...one, content })) });
  expect([...late.listGroups()][0]?.rows[0]).toMatchObject({
    ...row,
    entries: [{ content }],
  });
});
