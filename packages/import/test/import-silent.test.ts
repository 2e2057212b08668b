// Mappings that reject no row and are wrong: each stops before a row is written, or says what is in doubt.
import { utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importFiles, type ImportOptions, ImportStopped } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";

async function bring(
  mapping: object,
  lines: readonly string[],
  { file = "log.csv", ...options }: Partial<ImportOptions> & { readonly file?: string } = {},
) {
  const mappingFile = await writeLines("map.json", [{ mapping: 2, ...mapping }]);
  const paths = [await writeLines(file, lines)];
  const { store = createArchive("Europe/London") } = options;
  const outcome = await importFiles({ store, paths, mappingFile, ...options }).then(
    ({ imported, doubts = [] }) => ({ imported, doubts }),
    (error: unknown) => {
      if (!(error instanceof ImportStopped)) throw error;
      return { imported: 0, doubts: error.doubts };
    },
  );
  const doubts = outcome.doubts.map(({ name, effect, text }) => `${effect} ${name}: ${text}`);
  return { imported: outcome.imported, doubts };
}

const hours = (count: number, toRow: (hour: string, index: number) => string) =>
  Array.from({ length: count }, (_, index) => toRow(String(index + 1).padStart(2, "0"), index));

const CALLS = [
  "id,at,direction,result,agent",
  "1,2026-08-21T09:00:00,inbound,answered,ann",
  "2,2026-08-22T10:00:00,outbound,missed,bob",
];
const FIELDS = { call_id: "{id}", datetime: "{at}" };

test.each([
  ["are right", "{direction}", "{result}", []],
  ["are exchanged", "{result}", "{direction}", [expect.stringMatching(/^stop empty: .*condition/)]],
])("two columns of conditions %s", async (_, way, result, doubts) => {
  const fields = {
    ...FIELDS,
    call_type: [{ from: "Inbound", when: { [way]: "inbound" } }, "Outbound"],
    agent: { from: "{agent}", when: { [result]: "answered" } },
  };
  const found = (await bring({ fields }, CALLS)).doubts;
  expect(found.filter((doubt) => doubt.startsWith("stop"))).toEqual(doubts);
});

test("a condition of which some rows have the text, and others are not asked, is in no doubt", async () => {
  const when = { "{direction}": "outbound", "{result}": "answered" };
  const fields = { ...FIELDS, agent: { from: "{agent}", when } };
  const { imported, doubts } = await bring({ fields }, CALLS);
  expect([imported, doubts.filter((doubt) => doubt.startsWith("stop"))]).toEqual([2, []]);
});

test("a table of values on the wrong column stops, also with a word for all others", async () => {
  const lines = [
    "id,at,way,result",
    ...hours(6, (hour) => `${hour},2026-08-21T${hour}:00:00,O,answered`),
  ];
  const bringOf = (values: object, from = "{way}") =>
    bring({ fields: { ...FIELDS, call_type: { from, values } } }, lines);
  const astray = expect.stringMatching(/^stop values: no row has a text of the table/);
  expect((await bringOf({ I: "Inbound", O: "Outbound" })).doubts).not.toContainEqual(astray);
  // Of another file, perhaps.
  expect((await bringOf({ I: "Inbound", "*": "Outbound" })).doubts).not.toContainEqual(astray);
  expect((await bringOf({ answered: "Answered", "*": "Other" })).doubts).toContainEqual(astray);
});

test("a file of which all lines are skipped is no empty one", async () => {
  const { imported, doubts } = await bring({ skip: ["^\\d"], fields: FIELDS }, CALLS);
  expect(imported).toBe(0);
  expect(doubts).toContainEqual(expect.stringMatching(/^stop no-rows: .*not read/));
});

test.each([
  ["a line of types", ["id,at,way,agent", "INTEGER,DATE,TEXT,TEXT"]],
  ["it twice", ["id,at,way,agent", "INTEGER,DATE,TEXT,TEXT", "INTEGER,DATE,TEXT,TEXT"]],
  ["a title", ["Written, for all, on 1 September, by ann", "", "id;at;way;agent"]],
  ["a total and a note", ["id,at,way,agent", "Total,,,0", "Written,2026-08-21,,"]],
])("a file of a quiet hour that has %s does not stop", async (_, lines) => {
  const mapping = { skip: ["^(?:INTEGER|Total|Written)"], fields: FIELDS };
  const { doubts } = await bring(mapping, lines);
  expect(doubts).toContainEqual("warn no-rows: there are no rows in the file");
  expect(doubts.filter((doubt) => doubt.startsWith("stop"))).toEqual([]);
});

test("nor does one of a text log, unless skipped lines have the form of others", async () => {
  const mapping = {
    lines: "^(?<id>\\d+) (?<at>\\S+)$",
    skip: ["^-+$", "^ ID", "^9"],
    fields: FIELDS,
  };
  const bringLog = async (...lines: string[]) =>
    (await bring(mapping, [" ID AT", "-----", "---", ...lines])).doubts;
  expect(await bringLog()).toContainEqual(expect.stringMatching(/^warn no-rows/));
  expect(await bringLog("91 2026-08-21T09:00:00", "92 2026-08-21T09:00:00")).toContainEqual(
    expect.stringMatching(/^stop no-rows/),
  );
});

const ROWS = ["id,at,end,length", ...hours(8, (hour) => toTimedRow(`2026-08-21T${hour}`, hour))];
function toTimedRow(day: string, id: string) {
  const end = new Date(`${day}:01:10Z`);
  return `${id},${day}:00:00,${end.toISOString()},70`;
}
const TIMED = { ...FIELDS, talk_time: "{length}" };
const LATER = expect.stringMatching(/^stop zone: another time of its row.* 4 h earlier$/);

test("times that a wrong zone moves are told by others of the row that have an offset", async () => {
  const mapping = { fields: TIMED };
  expect(await bring(mapping, ROWS, { timeZone: "UTC" })).toEqual({ imported: 8, doubts: [] });
  const moved = await bring(mapping, ROWS, { timeZone: "America/New_York" });
  expect(moved).toEqual({ imported: 0, doubts: [LATER] });
  // Six rows of one hour may have been written later.
  const batch = ROWS.slice(1).map((row) => row.replace(/T\d\d:00:00/, "T09:00:00"));
  const written = batch.map((row) => row.replace(/T\d\d:01:10/, "T13:01:10"));
  expect((await bring(mapping, [ROWS[0] ?? "", ...written])).doubts).toEqual([]);
});

test("when the recordings were written only warns: files that were unzipped may have other times", async () => {
  const rows = hours(8, (hour) => `${hour},2026-08-21T${hour}:00:00,70,${hour}.wav`);
  const table = await writeLines("log.csv", ["id,at,length,file", ...rows]);
  for (const [index, hour] of hours(8, (one) => one).entries()) {
    const path = join(dirname(table), `${hour}.wav`);
    const wave = Buffer.from(
      `RIFF\x28\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x04\0\0\0\x80\x81\x80${String.fromCharCode(index)}`,
      "latin1",
    );
    await writeFile(path, wave);
    const end = new Date(`2026-08-21T${hour}:01:12Z`);
    await utimes(path, end, end);
  }
  const mapping = { fields: TIMED, media: ["{file}"] };
  const options = { paths: [table] };
  expect(await bring(mapping, [], { ...options, timeZone: "UTC" })).toEqual({
    imported: 8,
    doubts: [],
  });
  expect((await bring(mapping, [], { ...options, timeZone: "Asia/Tokyo" })).doubts).toEqual([
    expect.stringMatching(/^warn zone: its recording was written 9 h later$/),
  ]);
});

test("a call in the future stops, and one of a few minutes ahead does not", async () => {
  const rows = (minutes: number) => [
    "id,at",
    `1,${new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 19)}`,
  ];
  const options = { timeZone: "UTC" };
  expect((await bring({ fields: FIELDS }, rows(2), options)).doubts).toEqual([]);
  expect((await bring({ fields: FIELDS }, rows(90), options)).doubts).toEqual([
    expect.stringMatching(/^stop zone: the call lies in the future/),
  ]);
});

test("an abbreviation that is read far from the zone of the import is named", async () => {
  const datetime = { from: "{at}", format: "yyyy-MM-dd HH:mm:ss z" };
  const rows = ["id,at", "1,2026-08-21 09:00:00 CST"];
  const bringIn = (timeZone: string) =>
    bring({ fields: { ...FIELDS, datetime } }, rows, { timeZone });
  expect((await bringIn("America/New_York")).doubts).toEqual([]);
  expect((await bringIn("Asia/Shanghai")).doubts).toEqual([
    expect.stringMatching(/^warn zone-names: .*far from Asia\/Shanghai/),
  ]);
});

test("calls that the archive has at another time: one is said, all by one distance stop", async () => {
  const store = createArchive("Europe/London");
  const rows = hours(5, (hour) => `${hour},2026-08-21T${hour}:00:00`);
  const mapping = { fields: FIELDS };
  await bring(mapping, ["id,at", ...rows], { store });
  const one = rows.with(0, "01,2026-08-21T01:07:30");
  expect(await bring(mapping, ["id,at", ...one], { store })).toEqual({
    imported: 1,
    doubts: [expect.stringMatching(/^warn moved/)],
  });
  const all = await bring(mapping, ["id,at", ...rows], { store, timeZone: "Asia/Tokyo" });
  expect(all.doubts).toEqual([expect.stringMatching(/^stop moved: .*by as many hours/)]);
  const allowed = { store, timeZone: "Asia/Tokyo", allow: ["moved"] as const };
  expect((await bring(mapping, ["id,at", ...rows], allowed)).doubts).toEqual([
    expect.stringMatching(/^warn moved/),
  ]);
});

test.each([
  ["dates without a time", "2026-08-21", (_: string, day: number) => `2026-08-${day}`],
  [
    "identifiers that are used again",
    "2026-08-21",
    (hour: string, day: number) => `2026-08-${day}T${hour}:00:00`,
  ],
])("%s lie whole days apart, which is no matter of zones", async (_, __, toTime) => {
  const store = createArchive("Europe/London");
  const bringDay = (day: number) =>
    bring({ fields: FIELDS }, ["id,at", ...hours(5, (hour) => `${hour},${toTime(hour, day)}`)], {
      store,
    });
  await bringDay(20);
  expect((await bringDay(21)).doubts).toEqual([expect.stringMatching(/^warn moved/)]);
});

test("a zone that is no half hour from the right one stops", async () => {
  const zoned = ROWS.map((row) => row.replace(/:01:10\.000Z/, ":16:10.000Z"));
  const mapping = { fields: TIMED };
  expect((await bring(mapping, zoned, { timeZone: "Asia/Kathmandu" })).doubts).toEqual([
    expect.stringMatching(/^stop zone: another time of its row.* 6 h later$/),
  ]);
  expect((await bring(mapping, ROWS, { timeZone: "Asia/Kathmandu" })).doubts).toEqual([
    expect.stringMatching(/^stop zone: another time of its row.* 5\.75 h later$/),
  ]);
  // An end that has its offset may be as late as that.
  expect((await bring(mapping, zoned, { timeZone: "UTC" })).doubts).toEqual([]);
});

test("recordings of which most are pages stop, by a mapping", async () => {
  const rows = hours(12, (hour) => `${hour},2026-08-21T${hour}:00:00,${hour}.wav`);
  const table = await writeLines("log.csv", ["id,at,file", ...rows]);
  for (const hour of hours(12, (one) => one))
    await writeFile(join(dirname(table), `${hour}.wav`), "<html><body>Sign in</body></html>");
  const mapping = { fields: FIELDS, media: ["{file}"] };
  expect((await bring(mapping, [], { paths: [table] })).doubts).toEqual([
    expect.stringMatching(/^stop media: the file of a recording is not audio/),
  ]);
  const allowed = await bring(mapping, [], { paths: [table], allow: ["media"] });
  expect(allowed).toMatchObject({ imported: 12, doubts: [expect.stringMatching(/^warn media/)] });
  const kept = await bring(mapping, [], { paths: [table], notSound: "keep" });
  expect(kept).toEqual(allowed);
});

test("XML: an element that is called as JavaScript calls a prototype keeps its value", async () => {
  const store = createArchive();
  const lines = [
    "<calls><call><id>1</id><__proto__>a1</__proto__></call>",
    "<call><id>2</id><__proto__><who>a2</who></__proto__></call></calls>",
  ];
  const recognised: string[] = [];
  await bring(
    { records: "call", fields: { call_id: "{id}", agent: ["{__proto__.who}", "{__proto__}"] } },
    lines,
    {
      store,
      file: "a.xml",
      onRecognised: (found) => found.forEach(({ title }) => recognised.push(title)),
    },
  );
  expect(await store.calls.byCallId("1", "everything")).toMatchObject([{ agent: "a1" }]);
  expect(await store.calls.byCallId("2", "everything")).toMatchObject([{ agent: "a2" }]);
  expect(recognised).toEqual(["any XML"]);
});

test("XML: an index finds the only element of its name, too", async () => {
  const store = createArchive();
  const lines = [
    "<calls><call><id>1</id><leg><to>7</to></leg><leg><to>8</to></leg></call>",
    "<call><id>2</id><leg><to>9</to></leg></call></calls>",
  ];
  const fields = { call_id: "{id}", dnis: "{leg[0].to}", custom_field_1: "{leg[1].to}" };
  await bring({ records: "call", fields, optional: ["leg[1].to"] }, lines, {
    store,
    file: "a.xml",
  });
  expect(await store.calls.byCallId("1", "everything")).toMatchObject([
    { dnis: "7", custom_field_1: "8" },
  ]);
  expect(await store.calls.byCallId("2", "everything")).toMatchObject([
    { dnis: "9", custom_field_1: null },
  ]);
});

test.each([
  ["with NUL", "a\0.wav"],
  ["too long", `${"a".repeat(5_000)}.wav`],
])("a name that no file can have, %s, rejects its row alone", async (_, file) => {
  const calls = ["1", "2"].map((call_id) => ({
    kind: "call",
    call_id,
    datetime: "2026-08-21T09:00:00Z",
    ...(call_id === "1" && { media: [{ file }] }),
  }));
  const paths = [await writeLines("calls.jsonl", calls)];
  const report = await importFiles({ store: createArchive(), paths });
  expect(report).toMatchObject({ imported: 1, rejected: 1 });
});
