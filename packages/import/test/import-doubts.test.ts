// What is in doubt stops an import before anything is written, says which rows, what to do, and how to go on all the same.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Allowance, importFiles, type ImportOptions, ImportStopped } from "../src/index.ts";
import { createDayOrderProbe } from "../src/doubts/day-order.ts";
import { createArchiveInFolder, createArchive, writeLines } from "./support/archives.ts";

const MAPPING = {
  fields: {
    call_id: "{id}",
    datetime: { from: "{at}", format: "MM/dd/yyyy HH:mm:ss" },
    ani: "{from}",
    talk_time: "{length}",
  },
};
const HEADER = "id,at,from,length";

type Change = Partial<ImportOptions> & {
  readonly mapping?: object;
  readonly table?: readonly string[];
};

const FIVE9 = ["CALL ID,TIMESTAMP,CAMPAIGN", '1,"Fri, 21 Aug 2026 09:00:06",Care'];
const ADDITION = { fields: { custom_field_1: "{Skill}" } };

/** An import of a table into an archive that its first row makes. */
async function bring(
  lines: readonly string[],
  { mapping = MAPPING, table = [HEADER, ...lines], ...options }: Change = {},
) {
  const mappingFile = await writeLines("map.json", [mapping]);
  const paths = [await writeLines("log.csv", table)];
  let made = 0;
  const create = async () => {
    made += 1;
    return createArchive();
  };
  const store = { timeZone: "UTC", create };
  return await importFiles({ store, paths, mappingFile, ...options }).then(
    ({ imported, doubts = [] }) => ({ imported, doubts, made }),
    (error: unknown) => {
      if (!(error instanceof ImportStopped)) throw error;
      return { imported: 0, doubts: error.doubts, made };
    },
  );
}

const toNames = ({ doubts }: Awaited<ReturnType<typeof bring>>) =>
  doubts.map(({ name, effect, count }) => [name, effect, count]);

const row = (id: number, { at = "08/21/2026 09:00:00", from = "5551230001", length = "95" } = {}) =>
  [id, at, from, length].join(",");
const list = (count: number, toRow: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => toRow(index));

const DESTROYED = [
  "3E+14,08/05/2026 09:00:00,5.55123E+09,95",
  "3E+14,08/05/2026 09:10:00,5.55123E+09,95",
];
const MS = { length: "95123" };

test.each<[doubt: Allowance, what: string, lines: readonly string[], rows: number]>([
  ["ids", "a spreadsheet made powers of ten of identifiers", DESTROYED, 2],
  ["ids", "a spreadsheet shows no number", [row(1), row(2, { from: "#####" })], 1],
  ["ids", "a spreadsheet had a fault in a cell", [row(1), "#N/A,08/05/2026 09:00:00,1,95"], 1],
  ["dates", "before telephony", list(3, (id) => row(id, { at: "08/21/1926 09:00:00" })), 3],
  ["dates", "days to come", list(3, (id) => row(id, { at: "08/21/2096 09:00:00" })), 3],
  ["durations", "milliseconds", list(3, (id) => row(id, MS)), 3],
  ["durations", "seconds that are ms", list(12, (id) => row(id, { length: "15000" })), 12],
  ["shared-id", "two legs", [row(7), row(7, { from: "2001" })], 1],
])("%s: %s", async (name, _, lines, rows) => {
  const stopped = await bring(lines);
  expect(stopped).toMatchObject({ imported: 0, made: 0 });
  expect(toNames(stopped)).toContainEqual([name, "stop", rows]);

  const allowed = await bring(lines, { allow: [name] });
  expect(allowed.imported).toBeGreaterThan(0);
  expect(toNames(allowed)).toContainEqual([name, "warn", rows]);
});

test("it says which rows, their values, and what to do", async () => {
  const { doubts } = await bring([...DESTROYED, ...DESTROYED]);
  expect(doubts).toMatchObject([
    { name: "shared-id" },
    {
      name: "ids",
      first: [2, 3, 4].map((line) =>
        expect.stringMatching(`log\\.csv:${line}: call_id "3E\\+14"$`),
      ),
      advice: expect.stringContaining("Export the calls again"),
    },
    { name: "dates", effect: "warn" },
    { name: "identical" },
  ]);
});

test.each<[what: string, lines: readonly string[], doubts: readonly unknown[]]>([
  ["calls as they are", list(30, (id) => row(id)), []],
  ["one long call among others", [row(1), row(2), row(3, { length: "20000" })], []],
  [
    "one of more than a day",
    [row(1), row(2), row(3, { length: "90000" })],
    [["durations", "warn", 1]],
  ],
  ["one alone of five hours", [row(1, { length: "18000" })], [["durations", "warn", 1]]],
  [
    "a clock that was wrong once",
    [...list(150, (id) => row(id)), row(999, { at: "01/01/1970 00:00:07" })],
    [["dates", "warn", 1]],
  ],
  ["the same row twice", [row(1), row(2), row(1)], [["identical", "warn", 1]]],
  ["legs that began at other times", [row(1), row(1, { at: "08/21/2026 09:01:00" })], []],
  ["identifiers of letters", [row(1).replace("1", "12E5"), row(2).replace("2", "#7")], []],
])("no stop: %s", async (_, lines, doubts) => {
  const done = await bring(lines);
  expect(toNames(done)).toEqual(doubts);
  expect(done.imported).toBeGreaterThan(0);
});

test("long identifiers that mostly end in 0 are noticed", async () => {
  const rounded = list(30, (id) => row(id).replace(/^\d+/, `${100 + id}0000000000000000`));
  expect(toNames(await bring(rounded))).toEqual([["ids", "warn", 30]]);
  const whole = list(30, (id) => row(id).replace(/^\d+/, String(1_000_000_000_000_001 + id * 7)));
  expect(toNames(await bring(whole))).toEqual([]);
});

test("what shows only after the first thousand rows is said at the end; everything is written", async () => {
  const late = await bring([...list(1_000, (id) => row(id + 10)), ...DESTROYED]);
  expect(late).toMatchObject({ imported: 1_002 });
  expect(toNames(late)).toEqual([["ids", "stop", 2]]);
});

test("a time without an offset stops it where nothing says its zone", async () => {
  const unsaid = { timeZone: undefined, create: async () => createArchive() };
  const bringTo = (options: Change) => bring([row(1)], { store: unsaid, ...options });
  expect(toNames(await bringTo({}))).toEqual([["zone", "stop", 1]]);
  const { doubts } = await bringTo({});
  expect(doubts).toMatchObject([
    { first: [expect.stringContaining('log.csv:2: datetime "2026-08-21T09:00:00"')] },
  ]);
  expect(toNames(await bringTo({ allow: ["zone"] }))).toEqual([["zone", "warn", 1]]);

  const { fields } = MAPPING;
  const datetime = { ...fields.datetime, zone: "America/New_York" };
  const mapping = { ...MAPPING, fields: { ...fields, datetime } };
  for (const known of [{ timeZone: "UTC" }, { store: createArchive("UTC") }])
    expect(toNames(await bringTo(known))).toEqual([]);
  expect(toNames(await bringTo({ mapping }))).toEqual([["zone", "warn", 1]]);
});

test("so does a message", async () => {
  const message = {
    kind: "chat",
    call_id: "1",
    room_id: "1",
    datetime: "2026-08-21T09:00:00",
    party_type: "agent",
    label: null,
    transcript: "hi",
  };
  const toPaths = async (one: object) => [await writeLines("chats.jsonl", [one])];
  const store = { timeZone: undefined, create: async () => createArchive() };
  await expect(importFiles({ store, paths: await toPaths(message) })).rejects.toThrow("zone: ");
  const zoned = { ...message, datetime: "2026-08-21T09:00:00+02:00" };
  expect(await importFiles({ store, paths: await toPaths(zoned) })).not.toHaveProperty("doubts");
});

test("transcripts alone are judged too, before there is an archive", async () => {
  const at = "2026-08-21T09:00:01";
  const said = { AbsoluteTime: at, ParticipantRole: "CUSTOMER", Type: "MESSAGE", Content: "Hi" };
  const transcript = { ContactId: "4711", Transcript: [{ ...said, DisplayName: "Ann" }] };
  let made = 0;
  const create = async () => {
    made += 1;
    return createArchive();
  };
  const paths = [await writeLines("4711.json", [transcript])];
  const attempt = importFiles({ store: { timeZone: undefined, create }, paths });
  await expect(attempt).rejects.toThrow("zone: ");
  expect(made).toBe(0);
});

test.each<[doubt: Allowance, what: string, change: Change]>([
  ["empty", "a column that no file has", { mapping: { ...MAPPING, media: ["{file}"] } }],
  [
    "empty",
    "a column that an addition lacks",
    { format: "five9", mapping: ADDITION, table: FIVE9 },
  ],
])("%s: %s", async (name, _, change) => {
  const stopped = await bring([row(1)], change);
  expect(stopped).toMatchObject({ made: 0 });
  expect(toNames(stopped)).toEqual([[name, "stop", 1]]);
  const allowed = await bring([row(1)], { ...change, allow: [name] });
  expect(allowed).toMatchObject({ imported: 1 });
  expect(toNames(allowed)).toContainEqual([name, "warn", 1]);
});

const toOrder = (format: string) => {
  const { fields } = MAPPING;
  return { ...MAPPING, fields: { ...fields, datetime: { from: "{at}", format } } };
};
const onDays = (days: readonly string[]) =>
  days.map((day, id) => row(id + 1, { at: `${day} 09:00:00` }));
// Of one week in August, month first.
const WEEK = ["08/03/2026", "08/04/2026", "08/05/2026", "08/06/2026", "08/08/2026"];

test.each<[what: string, format: string, days: readonly string[], doubts: readonly unknown[]]>([
  ["the wrong order", "dd/MM/yyyy HH:mm:ss", WEEK, [["dates", "stop", 4]]],
  ["the right order", "MM/dd/yyyy HH:mm:ss", WEEK, []],
  ["of a day nothing tells", "MM/dd/yyyy HH:mm:ss", ["08/03/2026"], [["dates", "warn", 1]]],
  ["two that lie far apart", "dd/MM/yyyy HH:mm:ss", WEEK.slice(0, 2), [["dates", "warn", 2]]],
  ["a day above 12", "dd/MM/yyyy HH:mm:ss", [...WEEK, "31/05/2026"], []],
  ["the year first", "yyyy/MM/dd HH:mm:ss", ["2026/08/03"], []],
])("day and month, %s", async (_, format, days, doubts) => {
  expect(toNames(await bring(onDays(days), { mapping: toOrder(format) }))).toEqual(doubts);
});

test("day and month are settled by a day that would lie ahead in the other order", () => {
  const judge = (datetime: string) => {
    const probe = createDayOrderProbe(Date.UTC(2026, 5, 1));
    const from = {
      file: "log.csv",
      line: 2,
      raw: "",
      isMapped: true,
      isForeign: true,
      isLeg: false,
    };
    probe.see({ ...from, isOrderOpen: true, entry: { datetime } });
    return probe.judge();
  };
  expect(judge("2026-01-12T09:00:00")).toEqual([]);
  expect(judge("2026-01-05T09:00:00")).toMatchObject([{ name: "dates", effect: "warn" }]);
});

test("no-rows: a path that leads to no record", async () => {
  const fields = { call_id: "{id}" };
  const mappingFile = await writeLines("map.json", [{ records: "cals.*", fields }]);
  const toPaths = async (document: object) => [await writeLines("calls.json", [document])];
  let made = 0;
  const create = async () => {
    made += 1;
    return createArchive();
  };
  const store = { timeZone: "UTC", create };
  const paths = await toPaths({ calls: [{ id: "1" }] });
  const attempt = importFiles({ store, paths, mappingFile });
  await expect(attempt).rejects.toThrow(ImportStopped);
  await expect(attempt).rejects.toThrow("no-rows: ");
  expect(made).toBe(0);
  expect(await importFiles({ store, paths, mappingFile, allow: ["no-rows"] })).toMatchObject({
    read: 0,
    doubts: [{ name: "no-rows", effect: "warn", count: 1, unit: "file" }],
  });
  const quiet = await importFiles({ store, paths: await toPaths({ cals: [] }), mappingFile });
  expect(quiet.doubts).toMatchObject([{ name: "no-rows", text: "there are no rows in the file" }]);
});

test("an archive in a folder stays as it is, byte for byte", async () => {
  const store = await createArchiveInFolder("UTC");
  const digest = async () => {
    const files = (await readdir(store.directory, { recursive: true, withFileTypes: true }))
      .filter((file) => file.isFile() && !/-(?:shm|wal)$/.test(file.name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .toSorted();
    return await Promise.all(
      files.map(async (path) => [path, (await readFile(path)).toString("base64")]),
    );
  };
  const before = await digest();
  expect(await bring(DESTROYED, { store })).toMatchObject({ imported: 0 });
  expect(await digest()).toEqual(before);
});
