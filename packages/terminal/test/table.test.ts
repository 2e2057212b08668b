// Lists fit the terminal, whatever letters are in them: what a row is asked for by stays whole, what nobody asked for is left out.
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { runWith } from "../src/io.ts";
import { cut, fit, printTable } from "../src/table.ts";

const ROW = { ID: "key_0123456789", NAME: "maximilian.example", DAY: "2026-11-23" };

/** `columns`: of the terminal; 0 where the output goes elsewhere. */
async function show(columns: number, row: typeof ROW = ROW): Promise<string> {
  const stdout = Object.assign(new PassThrough(), { isTTY: columns > 0, columns });
  const given = { stdin: new PassThrough(), stdout, stderr: new PassThrough(), env: {} };
  await runWith(given, async () => printTable([row], ["ID", "NAME", "DAY"], ["ID"]));
  return String(stdout.read());
}

test.each([
  [46, "key_0123456789  maximilian.example  2026-11-23\n"],
  [40, "key_0123456789  maximilian.…  2026-11-23\n"],
  [30, "key_0123456789  maximilian.ex…\nnot shown at this width: DAY\n"],
])("a table in %i columns", async (width, lines) => {
  expect((await show(width)).replace(/^.*\n/, "")).toBe(lines);
});

test("outside a terminal nothing is shortened, and control characters are escaped", async () => {
  expect(await show(0)).toContain("key_0123456789  maximilian.example  2026-11-23\n");
  expect(await show(0, { ...ROW, NAME: "\u001b[2J" })).not.toContain("\u001b");
});

test.each([
  ["abc", 5, "abc  "],
  ["abcdef", 5, "abcd…"],
  ["山田太郎", 5, "山田…"],
  ["山田太郎", 6, "山田… "],
  ["👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 5, "👩‍👩‍👧👩‍👩‍👧…"],
  ["e\u0301e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301…"],
])("%s in %i columns", (text, width, shown) => {
  expect(fit(text, width)).toBe(shown);
});

test("no letter is cut from its accent", () => {
  const text = "a\u0301\u0323".repeat(9);
  for (let width = 1; width < 9; width += 1)
    expect(cut(text, width)).toMatch(/^(?:a\u0301\u0323)*…$/);
});
