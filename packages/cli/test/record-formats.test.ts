// What a file is written as: by --format, else by its ending; the README names the same formats.
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { RECORD_FORMATS } from "../src/search/formats/formats.ts";
import { BASE_URL, expectRefusal, KEY } from "./support/refusals.ts";

const DAYS = ["--from", "2026-03-01", "--to", "2026-03-02"];

test.each([
  [["search", ...DAYS], "calls.tsv", ".tsv", ".txt, .json, .jsonl, .csv, .xlsx"],
  [
    ["transcript", "1"],
    "call.SRT",
    ".SRT",
    ".txt, .vtt, .vcon.json, .vcon, .vcon.jsonl, .json, .csv",
  ],
])("%j: a file of an unknown ending is not begun", (args, file, ending, known) =>
  expectRefusal(
    [...args, ...BASE_URL, "--out", file],
    `--out: no format has files that end in ${ending}, only in ${known}: give --format`,
    KEY,
  ),
);

test("the README has the formats of records", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const [line = ""] = /^- \*\*Formats\*\*: .*, by /m.exec(readme) ?? [];
  expect([...line.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(
    Object.keys(RECORD_FORMATS),
  );
});
