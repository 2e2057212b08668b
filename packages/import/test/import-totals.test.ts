// A row of sums at the end of a report is not a call. The import leaves it out and says so.
import { basename } from "node:path";
import { expect, test } from "vitest";
import { explainFiles, importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";

const HEADER = "Agent,ID,Start,Talk,Hold,Note";
const CALLS = [
  "ann,1,2026-08-21T09:00:00,0:05:10,3,",
  "bob,2,2026-08-21T09:10:00,0:01:43,,late",
  "ann,3,2026-08-21T09:20:00,0:10:00,4,",
];
const FIELDS = {
  agent: "{Agent}",
  call_id: "{ID}",
  datetime: "{Start}",
  talk_time: "{Talk}",
  notes: "{Note}",
};

async function bring(lines: readonly string[], fields: object = FIELDS) {
  const mappingFile = await writeLines("map.json", [{ mapping: 2, fields }]);
  const paths = [await writeLines("log.csv", lines)];
  const {
    imported,
    rejected,
    doubts = [],
  } = await importFiles({
    store: createArchive("UTC"),
    paths,
    mappingFile,
  });
  const said = doubts.filter(({ name }) => name === "skipped").flatMap(({ first }) => first);
  return [imported, rejected, ...said.map((one) => basename(one))];
}

test.each([
  ["a word", "Total,,,0:16:53,,"],
  ["a word and other sums", "Grand Total:,,,0:20:00,9,"],
  ["a word in the place of the identifier", ",Summe,,0:16:53,,"],
  ["sums alone", ",,,0:16:53,7,"],
  ["sums behind a word of another language", "Razem,,,0:16:53,7,"],
  ["an average", "Average,,,0:05:38,3.5,"],
  ["nothing at all", ",,,,,"],
])("a row of sums is left out: %s", async (_, total) => {
  expect(await bring([HEADER, ...CALLS, total])).toEqual([3, 0, "log.csv:5: left out"]);
});

test.each([
  ["with an identifier", "Total,4,,0:16:53,,", FIELDS],
  ["with a time", "Total,,2026-08-21T09:30:00,0:16:53,,", FIELDS],
  ["of which the mapping reads neither", "Total,,,0:01:00,,", { agent: "{Agent}" }],
])("a call is not a row of sums: %s", async (_, call, fields) => {
  expect(await bring([HEADER, ...CALLS, call], fields)).toEqual([4, 0]);
});

test.each([
  ["of another length", "ann,,,0:16:50,7,"],
  ["with more texts", "ann,,,0:16:53,7,late"],
  ["of a name that begins alike", "Totaliser,,,0:01:00,,"],
])("a row without identifier and time is rejected: %s", async (_, call) => {
  expect(await bring([HEADER, ...CALLS, call])).toEqual([3, 1]);
});

test("sums among records of JSON are rejected, and a record without a time is said", async () => {
  const sums = { total_talk: 700 };
  const named = { id: "Total", talk: 700 };
  const calls = [1, 2, 3].map((id) => ({ id, start: "2026-08-21T09:00:00", talk: 9 }));
  const fields = { call_id: "{id}", datetime: "{start}", talk_time: "{talk}" };
  const mappingFile = await writeLines("map.json", [{ mapping: 2, fields }]);
  const paths = [await writeLines("log.jsonl", [...calls, sums, named])];
  const store = createArchive("UTC");
  const report = await importFiles({ store, paths, mappingFile });
  expect(report).toMatchObject({ imported: 4, rejected: 1 });
  expect(report.firstRejections).toMatchObject([
    { line: 4, reason: "it has neither call_id nor datetime, and is no call" },
  ]);
  expect(report.doubts).toContainEqual(
    expect.objectContaining({
      name: "dates",
      effect: "warn",
      first: [expect.stringMatching(/log[.]jsonl:5: call_id "Total"$/)],
    }),
  );
});

test("sums of parts are left out, where files were joined and columns lie otherwise", async () => {
  const other = "ID,Agent,Start,Talk,Hold,Note";
  const lines = [HEADER, ...CALLS, "Subtotal,,,0:16:53,7,", other];
  const more = ["4,cyd,2026-08-21T10:00:00,0:00:07,1,", ",Total,,0:17:00,8,"];
  expect(await bring([...lines, ...more])).toEqual([
    4,
    0,
    "log.csv:5: left out",
    "log.csv:8: left out",
  ]);
});

test("an explanation says it, too", async () => {
  const mappingFile = await writeLines("map.json", [{ mapping: 2, fields: FIELDS }]);
  const paths = [await writeLines("log.csv", [HEADER, ...CALLS, "Total,,,0:16:53,,"])];
  const { files, doubts } = await explainFiles({ paths, mappingFile, timeZone: "UTC" });
  expect(files).toMatchObject([{ rows: 3 }]);
  expect(doubts).toContainEqual(expect.objectContaining({ name: "skipped", effect: "warn" }));
});
