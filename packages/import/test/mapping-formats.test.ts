// Mapping files of an operator: formats beside those of the package, which their samples prove before a row is read.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { checkMappingFile, importFiles, listAllFormats } from "../src/index.ts";
import { createArchive, createFolder, writeLines } from "./support/archives.ts";

const ACME = {
  mapping: 2,
  name: "acme",
  title: "Acme dialler",
  when: { columns: ["Call", "Start", "Way"] },
  zone: "Europe/Berlin",
  let: { who: { from: "{Agent}", match: "^(?<last>[^,]+), (?<first>.+)$" } },
  fields: {
    call_id: "{Call}",
    datetime: { from: "{Start}", format: ["dd.MM.yyyy HH:mm:ss", "dd.MM.yyyy HH:mm:ss z"] },
    call_type: [{ from: "Outbound", when: { "{Way}": "O" } }, "Inbound"],
    agent_name: ["{who.first} {who.last}", "{Agent}"],
    talk_time: { from: "{End}", minus: "{Answer}", format: "HH:mm:ss dd.MM.yyyy" },
    custom_field_1: "{$stem}",
  },
  samples: [
    {
      file: "export.csv",
      text: [
        "Call;Start;Way;Agent;Answer;End",
        '77;21.08.2026 14:03:00;I;"Doe, Jane";14:03:10 21.08.2026;14:04:00 21.08.2026',
        "78;21.08.2026 14:09:30 EST;O;bob;;",
      ],
      expect: [
        {
          call_id: "77",
          datetime: "2026-08-21T14:03:00+02:00",
          call_type: "Inbound",
          agent_name: "Jane Doe",
          talk_time: 50,
          custom_field_1: "export",
        },
        { datetime: "2026-08-21T14:09:30-05:00", call_type: "Outbound", agent_name: "bob" },
      ],
    },
  ],
};

async function writeMaps(...mappings: readonly object[]): Promise<string> {
  const folder = join(await createFolder(), "maps");
  await mkdir(folder);
  for (const [index, mapping] of mappings.entries())
    await writeFile(join(folder, `${index}.json`), JSON.stringify(mapping));
  return folder;
}

const EXPORT = ["Call;Start;Way;Agent;Answer;End", "1;01.02.2026 09:00:00;O;ann;;"];

test("a file of such a format is recognised, and its format can be named", async () => {
  const mapsDirectory = await writeMaps(ACME);
  expect((await listAllFormats(mapsDirectory)).map(({ name }) => name)).toContain("acme");
  for (const format of ["auto", "acme"]) {
    const store = createArchive();
    const paths = [await writeLines("log.csv", EXPORT)];
    await importFiles({ store, paths, format, mapsDirectory });
    expect(await store.calls.byCallId("1", "everything")).toMatchObject([
      { datetime: "2026-02-01T09:00:00+01:00", call_type: "Outbound", custom_field_1: "log" },
    ]);
  }
});

test.each<[what: string, change: object, fault: string]>([
  ["a name that exists", { name: "aircall" }, 'name: a format is called "aircall" already'],
  ["no samples", { samples: undefined }, "samples: missing"],
  ["no title", { title: undefined }, "title: missing"],
  ["nothing that shows it", { when: undefined }, "when: must have columns"],
  [
    "another order of day and month",
    { fields: { ...ACME.fields, datetime: { from: "{Start}", format: "MM.dd.yyyy HH:mm:ss" } } },
    'export.csv:2: datetime: "21.08.2026 14:03:00" is not a date',
  ],
  [
    "a misspelt column",
    { fields: { ...ACME.fields, agent_name: "{Agnt}" } },
    'export.csv: record 1, agent_name: null, expected "Jane Doe"',
  ],
  [
    "a misspelt capture",
    { fields: { ...ACME.fields, agent_name: "{who.frist}" } },
    'the pattern of let.who has no capture "frist"; it has last, first',
  ],
  ["a value that needs itself", { let: { ...ACME.let, a: "{b}", b: "{a}" } }, "needs itself"],
])("%s stops the import before it begins", async (_, change, fault) => {
  const mapsDirectory = await writeMaps({ ...ACME, ...change });
  const paths = [await writeLines("log.csv", EXPORT)];
  const create = async () => expect.unreachable();
  const store = { timeZone: "UTC", create };
  await expect(importFiles({ store, paths, mapsDirectory })).rejects.toThrow(fault);
});

test("a field that no sample expects is a fault of the file: nobody has looked what it is", async () => {
  const fields = { ...ACME.fields, agent: "{Call}" };
  const path = join(await writeMaps({ ...ACME, fields }), "0.json");
  expect(await checkMappingFile(path)).toEqual([
    'fields.agent: "expect" of no sample says what it is',
  ]);
});

test("what no sample proves is a fault of the file", async () => {
  const fields = { ...ACME.fields, skill: "{Queue}", ani: { from: "{Way}", match: "^(\\d+)$" } };
  const path = join(await writeMaps({ ...ACME, fields }), "0.json");
  expect(await checkMappingFile(path)).toEqual([
    expect.stringMatching(/^Queue: gives no value in any sample/),
    expect.stringMatching(/^fields\.ani\.match: gives no value/),
  ]);
  expect(await checkMappingFile(join(await writeMaps(ACME), "0.json"))).toEqual([]);
});

test("a mapping of --map proves its names by its samples, else by the rows", async () => {
  const { name: _, title: __, when: ___, ...own } = ACME;
  const bring = async (mapping: object, lines: readonly string[]) => {
    const store = createArchive();
    const mappingFile = await writeLines("map.json", [mapping]);
    const paths = [await writeLines("log.csv", lines)];
    return await importFiles({ store, paths, mappingFile });
  };
  const without = EXPORT.map((line) => line.split(";").slice(0, 3).join(";"));
  const renamed = EXPORT.map((line) => line.replace("Agent", "Clerk"));
  expect(await bring(own, renamed)).toMatchObject({ doubts: LACKS_AGENT });
  // An export leaves out what it has no values for, every day.
  expect((await bring(own, without)).doubts?.map(({ name }) => name)).toEqual(["dates"]);
  await expect(bring({ ...own, samples: undefined }, without)).rejects.toThrow(
    'the file has no column "Agent"',
  );
  const [sample] = ACME.samples;
  const samples = [{ ...sample, expect: [{ call_id: "77" }, { call_id: "79" }] }];
  await expect(bring({ ...own, samples }, EXPORT)).rejects.toThrow(
    'its sample is read otherwise: export.csv: record 2, call_id: "78", expected "79"',
  );
});

const LACKS_AGENT = expect.arrayContaining([
  expect.objectContaining({
    name: "empty",
    effect: "warn",
    first: expect.arrayContaining([expect.stringMatching(/log\.csv: .*no column "Agent"/)]),
  }),
]);

test("a column of a format that a file lacks is in doubt, with the column that it may be", async () => {
  const mapsDirectory = await writeMaps(ACME);
  const bring = async (...lines: readonly string[]) => {
    const paths = [await writeLines("log.csv", lines)];
    return await importFiles({ store: createArchive(), paths, mapsDirectory });
  };
  expect(await bring(...EXPORT)).not.toHaveProperty("doubts");
  const [header = "", ...rows] = EXPORT;
  expect(await bring(header.replace("Agent", "Agents"), ...rows)).toMatchObject({
    imported: 1,
    doubts: [
      {
        name: "empty",
        effect: "warn",
        first: [expect.stringMatching(/log\.csv: .*no column "Agent", but "Agents"$/)],
      },
    ],
  });
});

test("so is a member that no record has", async () => {
  const { columns: _, ...when } = { ...ACME.when, keys: ["Call", "Start", "Way"] };
  const record = { Call: "77", Start: "2026-08-21T14:03:00Z", Way: "I", Sound: "a.wav" };
  const expected = { call_id: "77", datetime: record.Start, call_type: "I", media: ["a.wav"] };
  const sample = { file: "export.json", json: [record], expect: [expected] };
  const fields = { call_id: "{Call}", datetime: "{Start}", call_type: "{Way}" };
  const mapsDirectory = await writeMaps({
    mapping: 2,
    name: "acme",
    title: "Acme",
    when,
    fields,
    media: ["{Sound}"],
    samples: [sample],
  });
  const { Sound, ...others } = record;
  const paths = [await writeLines("log.json", [[{ ...others, Sounds: Sound }]])];
  expect(await importFiles({ store: createArchive(), paths, mapsDirectory })).toMatchObject({
    imported: 1,
    doubts: [{ name: "empty", effect: "warn", first: [expect.stringContaining('"Sounds"')] }],
  });
});

test("a pattern that fits no text stops the import; names without a value and texts beside a table of values warn", async () => {
  const bring = async (fields: object) => {
    const mapping = { mapping: 2, fields: { call_id: "{Call}", ...fields } };
    const mappingFile = await writeLines("map.json", [mapping]);
    const paths = [await writeLines("log.csv", EXPORT)];
    return await importFiles({ store: createArchive(), paths, mappingFile });
  };
  const call_type = { from: "{Way}", values: { I: "Inbound" } };
  expect((await bring({ call_type, notes: "{Answer}" })).doubts).toMatchObject([
    { name: "empty", effect: "warn", first: ["fields.notes: {Answer}"] },
    { name: "values", effect: "warn", count: 1, first: ['fields.call_type: "O" (1)'] },
  ]);
  await expect(
    bring({ call_type: { from: "{Way}", values: { OO: "Outbound", o: "x" } } }),
  ).resolves.toMatchObject({ imported: 1 });
  await expect(bring({ agent: { from: "{Agent}", match: "^\\d+$" } })).rejects.toThrow(
    'fields.agent.match: not "ann"',
  );
});

test("recordings are found by their path, by their name and by the last part of a link", async () => {
  const mapping = { mapping: 2, fields: { call_id: "{id}" }, media: ["{file}"] };
  const mappingFile = await writeLines("map.json", [mapping]);
  const link = "https://recordings.example.com/x/c.mp3?signature=secret";
  const path = await writeLines("log.csv", [
    "id,file",
    "1,in/a.wav",
    "2,b",
    `3,${link}`,
    "4,d.wav",
  ]);
  await mkdir(join(dirname(path), "in"));
  for (const file of ["a.wav", "b.wav", "c.mp3"])
    await writeFile(join(dirname(path), "in", file), file);
  const store = createArchive();
  const report = await importFiles({ store, paths: [path], mappingFile });
  expect(report).toMatchObject({
    imported: 3,
    firstRejections: [{ line: 5, reason: 'media: "d.wav" does not exist' }],
  });
  const calls = await Promise.all(
    ["1", "2", "3"].map((callId) => store.calls.recordings({ callId }, "everything")),
  );
  expect(calls.flat().map(({ filename }) => filename)).toEqual(["a.wav", "b.wav", "c.mp3"]);
});

test("a text of a condition or of a table of values that is nearly one of the rows stops the import", async () => {
  const bring = async (fields: object, nulls: readonly string[] = []) => {
    const mapping = { mapping: 2, nulls, fields: { call_id: "{id}", ...fields } };
    const mappingFile = await writeLines("map.json", [mapping]);
    const paths = [await writeLines("log.csv", ["id,way", "1,inbound", "2,outbound"])];
    return await importFiles({ store: createArchive(), paths, mappingFile });
  };
  const toRule = (text: string) => ({ call_type: { from: "Outbound", when: { "{way}": text } } });
  await expect(bring(toRule("outbond"))).rejects.toThrow(
    'fields.call_type.when {way}: "outbond"; there is "outbound"',
  );
  expect((await bring(toRule("outbound"))).doubts).toMatchObject([
    { name: "values", effect: "warn", first: ["fields.call_type: 1 row"] },
  ]);
  expect((await bring(toRule("internal"))).doubts).toMatchObject([
    { name: "empty", effect: "warn" },
    { name: "values", first: ["fields.call_type: 2 rows"] },
    { name: "samples", first: ['fields.call_type: "Outbound" when {way} is "internal"'] },
  ]);
  const values = { inbond: "Inbound", outbound: "Outbound" };
  await expect(bring({ call_type: { from: "{way}", values } })).rejects.toThrow(
    'fields.call_type: "inbound" (1), but "inbond"',
  );
  expect((await bring({ custom_field_1: "{way}" }, ["[None]"])).doubts).toMatchObject([
    { name: "empty", effect: "warn", first: ['nulls: "[None]"'] },
  ]);
});

test("a mapping without samples: what its rows cannot prove is said, and what is nearly right stops", async () => {
  const bring = async (fields: object, others: object = {}) => {
    const mapping = { mapping: 2, fields: { call_id: "{id}", ...fields }, ...others };
    const mappingFile = await writeLines("map.json", [mapping]);
    const calls = ["a", "b", "c", "d", "e", "f"].map((id, n) => ({ id, took: 80 + n, way: "in" }));
    const paths = [await writeLines("log.jsonl", calls)];
    return (await importFiles({ store: createArchive(), paths, mappingFile })).doubts;
  };
  await expect(bring({ call_type: "Inbuond" })).rejects.toThrow('"Inbuond", for "Inbound"');
  expect(await bring({ call_type: "Inbound", talk_time: "{took}" })).toMatchObject([
    { name: "samples", first: ['fields.call_type: "Inbound" for every call'] },
  ]);
  expect(await bring({ campaign: "Spring sale" })).toMatchObject([
    { name: "samples", effect: "warn", first: ['fields.campaign: "Spring sale"'] },
  ]);
  expect(await bring({ custom_field_1: { from: "{id}", when: { "{way}": true } } })).toMatchObject([
    { name: "samples", first: ["fields.custom_field_1: {id} when {way}"] },
  ]);
  await expect(bring({ talk_time: { from: "{took}", unit: "ms" } })).rejects.toThrow("durations");
  await expect(bring({ talk_time: { from: "{took}", unit: "min" } })).rejects.toThrow("durations");
  const values = { inn: "Inbound", "*": "Outbound" };
  await expect(bring({ call_type: { from: "{way}", values } })).rejects.toThrow('but "inn"');
  expect(await bring({}, { nulls: ["-"] })).toMatchObject([{ name: "empty", effect: "warn" }]);
});

test("a text log: the captures of a line are its columns, and lines that are no rows are counted", async () => {
  const mapping = {
    mapping: 2,
    zone: "Europe/London",
    lines:
      "^.(?<day>\\d\\d)/(?<month>\\d\\d) (?<time>\\d\\d:\\d\\d) (?<length>[\\d:]{8}) (?<from>\\S+) +(?<to>\\d+)$",
    skip: ["^-+$", "^ DATE "],
    let: { year: { from: "{$stem}", match: "(20\\d\\d)" } },
    fields: {
      call_id: "{$stem}-{$line}",
      datetime: { from: "{year}-{month}-{day} {time}", format: "yyyy-MM-dd HH:mm" },
      ani: "{from}",
      dnis: "{to}",
      talk_time: "{length}",
    },
  };
  const bring = async (change: object) => {
    const mappingFile = await writeLines("map.json", [{ ...mapping, ...change }]);
    const lines = [" DATE  TIME", "-----", " 21/08 09:00 00:01:29 T101  200", "", "total 1"];
    const paths = [await writeLines("smdr-2026.csv", lines)];
    const store = createArchive();
    return { report: await importFiles({ store, paths, mappingFile }), store };
  };
  const { report, store } = await bring({});
  expect(report).toMatchObject({
    imported: 1,
    firstRejections: [{ line: 5, reason: 'the line does not have the form of "lines"' }],
    doubts: [
      { name: "zone", effect: "warn" },
      { name: "samples", effect: "warn", first: ["lines: 6 names that the file does not have"] },
      { name: "skipped", effect: "warn", count: 2, unit: "line" },
    ],
  });
  expect(await store.calls.byCallId("smdr-2026-3", "everything")).toMatchObject([
    { datetime: "2026-08-21T09:00:00+01:00", ani: "T101", dnis: "200", talk_time: 89 },
  ]);
  await expect(bring({ fields: { call_id: "{form}" } })).rejects.toThrow(
    'fields.call_id: the file has no column "form", but "from"',
  );
  await expect(bring({ lines: "^(.+)$" })).rejects.toThrow("lines: must have captures with names");
});

test("a table without quotes, and the type line below its header", async () => {
  const mapping = {
    mapping: 2,
    table: { quoteChar: null },
    skip: ["^INTEGER,"],
    fields: { call_id: "{id}", notes: "{text}" },
  };
  const mappingFile = await writeLines("map.json", [mapping]);
  const paths = [
    await writeLines("log.csv", ["id,text", "INTEGER,VARCHAR", '1,1 Main "Old" St', '2,"']),
  ];
  const store = createArchive();
  expect(await importFiles({ store, paths, mappingFile })).toMatchObject({
    imported: 2,
    doubts: [{ name: "skipped", count: 1 }],
  });
  expect(await store.calls.byCallId("1", "everything")).toMatchObject([
    { notes: '1 Main "Old" St' },
  ]);
});
