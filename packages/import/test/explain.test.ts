// What an import would make of files, told without an archive: fields, moments, rows that are none, and what is in doubt.
import { expect, test } from "vitest";
import { type Allowance, explainFiles, ImportError } from "../src/index.ts";
import { writeLines } from "./support/archives.ts";

const MAPPING = {
  fields: {
    call_id: "{id}",
    datetime: { from: "{at}", format: "MM/dd/yyyy HH:mm:ss" },
    agent: ["{agent}", "{owner}"],
    talk_time: "{length}",
  },
  media: ["{file}.wav"],
  optional: ["owner"],
};
const HEADER = "id,at,agent,length,file,notes";

async function explain(
  lines: readonly string[],
  options: { timeZone?: string; allow?: Allowance[] } = { timeZone: "UTC" },
) {
  const mappingFile = await writeLines("map.json", [MAPPING]);
  const paths = [await writeLines("log.csv", [HEADER, ...lines])];
  return await explainFiles({ paths, mappingFile, ...options });
}

const row = (id: number | string, { at = "08/21/2026 09:00:00", length = "95" } = {}) =>
  [id, at, "ann", length, `u${id}`, "x"].join(",");

test("a table: its fields with templates and first values, columns that are not read, and moments", async () => {
  const last = row(3, { at: "08/22/2026 10:00:00" });
  const { files, doubts, isStopped } = await explain([row(1), row(2), last]);
  expect({ doubts, isStopped }).toEqual({ doubts: [], isStopped: false });
  expect(files).toEqual([
    {
      file: expect.stringMatching(/log\.csv$/),
      fields: [
        { field: "call_id", values: ["1", "2"], template: "{id}" },
        {
          field: "datetime",
          values: ["2026-08-21T09:00:00", "2026-08-21T09:00:00"],
          template: "{at}",
        },
        { field: "agent", values: ["ann", "ann"], template: "{agent} or {owner}" },
        { field: "talk_time", values: ["95", "95"], template: "{length}" },
        { field: "media", values: ["u1.wav", "u2.wav"], template: "{file}.wav" },
      ],
      unread: ["notes"],
      rows: 3,
      unfit: 0,
      firstUnfit: [],
      from: "2026-08-21T09:00:00Z",
      to: "2026-08-22T10:00:00Z",
    },
  ]);
});

test("JSON: members of the first record that are not read, and rows that are no records of an archive", async () => {
  const fields = { call_id: "{id}", datetime: "{at}", talk_time: "{time.talk}" };
  const mappingFile = await writeLines("map.json", [{ records: "calls.*", fields }]);
  const calls = [
    { id: "1", at: "2026-08-21T09:00:00Z", time: { talk: 95, ring: 3 }, notes: "x" },
    { id: "2", at: "2026-08-21T09:00:00Z", time: { talk: "long" } },
    { id: "3", at: "soon", time: {} },
  ];
  const paths = [await writeLines("calls.json", [{ calls }])];
  const { files } = await explainFiles({ paths, mappingFile });
  expect(files).toMatchObject([
    {
      unread: ["notes"],
      rows: 3,
      unfit: 2,
      firstUnfit: [
        expect.stringMatching(/calls\.json:\d+: talk_time: "long" is not a duration/),
        expect.stringMatching(/calls\.json:\d+: datetime: "soon"/),
      ],
      to: "2026-08-21T09:00:00Z",
    },
  ]);
});

test("a time without an offset only warns: an archive may know its zone", async () => {
  const { doubts, isStopped } = await explain([row(1)], {});
  expect(doubts).toMatchObject([{ name: "zone", effect: "warn", count: 1 }]);
  expect(isStopped).toBe(false);
});

const many = (count: number, toRow: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => toRow(index + 10));

test.each<[what: string, lines: readonly string[], isStopped: boolean]>([
  ["is in the first rows", [row("3E+14"), row(2)], true],
  ["comes after them", [...many(1_000, (id) => row(id)), row("3E+14")], false],
  [
    "is in the first rows, and rare in all",
    [
      ...many(20, (id) => row(id, { at: "01/01/1970 00:00:07" })),
      ...many(2_500, (id) => row(id + 100)),
    ],
    true,
  ],
])("what %s stops an import as it says", async (_, lines, isStopped) => {
  const explained = await explain(lines);
  expect(explained.isStopped).toBe(isStopped);
  expect(explained.doubts).toMatchObject([{ effect: "stop" }, ...explained.doubts.slice(1)]);
  expect(await explain(lines, { timeZone: "UTC", allow: ["ids", "dates"] })).toMatchObject({
    isStopped: false,
  });
});

test("what cannot begin is refused as an import refuses it", async () => {
  const paths = [await writeLines("log.csv", ["id", "1"])];
  await expect(explainFiles({ paths })).rejects.toThrow(ImportError);
});
