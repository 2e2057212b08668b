// Names of a mapping that give nothing stop an import before anything is written: their values would be lost in every row.
import { expect, test } from "vitest";
import { importFiles, type ImportOptions } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";

const MAPPING = {
  fields: {
    call_id: "{id}",
    datetime: { from: "{at}", zone: "{zone}" },
    agent: ["{agent.login}", "{offered[0].login}"],
  },
  media: ["{recording.file}"],
  identity: ["{leg}"],
};

const RECORD = {
  id: "1",
  at: "2026-08-21T09:00:00",
  zone: "UTC",
  agent: { login: "ann" },
  offered: [{ login: "ben" }],
  recording: { file: "" },
  leg: "1",
};

/** An import into an archive that is made by the first row. */
async function bring(
  mapping: object,
  files: readonly (readonly (string | object)[])[],
  options: Partial<ImportOptions> = {},
) {
  const mappingFile = await writeLines("map.json", [mapping]);
  const paths = await Promise.all(
    files.map((lines) => writeLines(typeof lines[0] === "string" ? "a.csv" : "a.json", lines)),
  );
  let made = 0;
  const create = async () => {
    made += 1;
    return createArchive();
  };
  const store = { timeZone: "UTC", create };
  const report = importFiles({ store, paths, mappingFile, ...options });
  return await report.then(
    ({ imported, rejected }) => ({ imported, rejected, made }),
    (error: Error) => ({ fault: error.message, made }),
  );
}

const DONE = { imported: 1, rejected: 0, made: 1 };

test("names that records have, in one of the files or empty on the way, are right", async () => {
  expect(await bring(MAPPING, [[RECORD]])).toEqual(DONE);
  const silent = { ...RECORD, agent: null, offered: [], recording: {}, zone: null, leg: "" };
  expect(await bring(MAPPING, [[silent]])).toEqual(DONE);
  expect(await bring(MAPPING, [[{ id: "1" }], [RECORD]])).toMatchObject({ imported: 2 });
});

test.each<[mapping: object, fault: string]>([
  [
    { fields: { ...MAPPING.fields, agent: "{agnt.login}" } },
    '{agnt.login}, for "agnt" there is "agent"',
  ],
  [
    { fields: { ...MAPPING.fields, agent: ["{agent.login}", "{offered[1].login}"] } },
    "fields.agent: {offered[1].login}",
  ],
  [
    { fields: { ...MAPPING.fields, datetime: { from: "{at}", zone: "{zoen}" } } },
    'fields.datetime.zone: {zoen}, for "zoen" there is "zone"',
  ],
  [{ media: ["{recording.file.name}"] }, "media[0]: {recording.file.name}"],
  [{ identity: ["{lag}"] }, 'identity[0]: {lag}, for "lag" there is "leg"'],
  [{ records: "calls.*" }, 'records: "calls.*" leads to no record of it'],
])("%j stops it: %s", async (change, fault) => {
  const stopped = await bring({ ...MAPPING, ...change }, [[[RECORD]]]);
  expect(stopped).toEqual({ fault: expect.stringContaining(fault), made: 0 });
});

test("a row that is rejected proves names all the same; a thousand rows are read ahead, and no more", async () => {
  const bad = { ...RECORD, at: "yesterday" };
  expect(await bring(MAPPING, [[bad]])).toMatchObject({ imported: 0, rejected: 1 });
  const late = [...Array.from({ length: 1_000 }, (_, id) => ({ id: String(id) })), RECORD];
  expect(await bring(MAPPING, [late])).toMatchObject({ fault: /{agent.login}/, made: 0 });
});

test("what other files have is optional, and only what a template names", async () => {
  const optional = ["at", "zone", "agent.login", "offered[0].login", "recording.file", "leg"];
  expect(await bring({ ...MAPPING, optional }, [[{ id: "1" }]])).toEqual(DONE);
  expect(await bring({ ...MAPPING, optional: ["legs"] }, [[RECORD]])).toMatchObject({
    fault: expect.stringContaining("optional: {legs} stands in no template of the mapping"),
  });
  const table = { fields: { call_id: "{id}", agent: "{agent}" } };
  expect(await bring({ ...table, optional: ["agent"] }, [["id", "1"]])).toEqual(DONE);
});

test("a mapping that adds to a format is judged by its records", async () => {
  const call = { id: "1", direct_link: "", started_at: 1_787_302_800, raw_digits: "1", cost: "0" };
  const toMapping = (name: string) => ({ fields: { custom_field_1: `{${name}}` } });
  const format = "aircall" as const;
  expect(await bring(toMapping("cost"), [[{ calls: [call] }]], { format })).toEqual(DONE);
  expect(await bring(toMapping("cots"), [[{ calls: [call] }]], { format })).toEqual({
    fault: expect.stringContaining('{cots}, for "cots" there is "cost"'),
    made: 0,
  });
});

test("of several tables the last may lack a column: nothing is written", async () => {
  const mapping = { fields: { call_id: "{id}", agent: "{agent}" } };
  const files = [
    ["id,agent", "1,ann"],
    ["id,agnt", "2,ben"],
  ];
  for (const format of ["auto", "csv"] as const)
    expect(await bring(mapping, files, { format })).toEqual({
      fault: expect.stringMatching(/a\.csv: fields\.agent: the file has no column "agent"/),
      made: 0,
    });
});

test("the name of the file without its sign is told apart from a misspelt one", async () => {
  const mapping = { mapping: 2, fields: { call_id: "{id}" }, media: ["{file}.wav"] };
  const hint = /\{file\}, for "file" there is "\$file"|no column "file", but "\$file"/;
  expect(await bring(mapping, [[{ id: "1" }]])).toMatchObject({
    fault: expect.stringMatching(hint),
  });
  expect(await bring(mapping, [["id", "1"]])).toMatchObject({ fault: expect.stringMatching(hint) });
});

test("an optional name that is nearly one that is there is said, in a table and in JSON", async () => {
  const mapping = {
    mapping: 2,
    fields: { call_id: "{id}", agent: "{handler.login}", notes: "{text}" },
    optional: ["handler.login", "text"],
  };
  const record = { id: "1", handler: { logon: "ann" }, texts: "x", other: "y" };
  const table = ["id,handlerlogin2,texts,other", "1,ann,x,y"];
  const [ofJson, ofTable] = [
    'fields.agent: {handler.login}, but "logon"',
    'fields.agent: {handler.login}, but "handlerlogin2"',
  ];
  const text = 'fields.notes: {text}, but "texts"';
  const readings = [
    [[record], [ofJson, text]],
    [table, [ofTable, text]],
    [[{ id: "1", text: "x", texts: "z" }], []],
  ] as const;
  for (const [lines, first] of readings) {
    const mappingFile = await writeLines("map.json", [mapping]);
    const name = typeof lines[0] === "string" ? "a.csv" : "a.json";
    const paths = [await writeLines(name, [...lines])];
    const { doubts = [] } = await importFiles({ store: createArchive(), paths, mappingFile });
    expect(doubts.flatMap((doubt) => (doubt.name === "empty" ? doubt.first : []))).toEqual(first);
  }
});
