// What an import makes of an export does not depend on how it was cut into files, nor on their order (D32).
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { CallStore } from "@call-media/store";
import { importFiles, type ImportReport } from "../src/index.ts";
import { createArchive, createFolder, writeLines } from "./support/archives.ts";
import { toLines } from "./support/tables.ts";

const CASES = fileURLToPath(new URL("cases/", import.meta.url));

test.each([
  ["in one run", [["Master.csv.1", "Master.csv"]]],
  ["in two runs", [["Master.csv.1"], ["Master.csv"]]],
  [
    "in the other order, and again",
    [["Master.csv"], ["Master.csv.1"], ["Master.csv", "Master.csv.1"]],
  ],
])("two legs of an Asterisk ring group, %s", async (_, runs) => {
  const store = createArchive();
  for (const files of runs) {
    const paths = files.map((file) => join(CASES, "ring-group", file));
    await importFiles({ store, paths, format: "asterisk" });
  }
  const legs = await store.calls.byCallId("1787306400.10", "everything");
  expect(new Set(legs.map(({ disposition, talk_time }) => [disposition, talk_time]))).toEqual(
    new Set([
      ["ANSWERED", 105],
      ["NO ANSWER", 0],
    ]),
  );
});

test.each([[[["hour1.csv"], ["hour2.csv"]]], [[["both.csv"]]], [[["both.csv"], ["hour2.csv"]]]])(
  "two legs of FreePBX, from %j",
  async (runs) => {
    const store = createArchive();
    for (const [file = ""] of runs)
      await importFiles({ store, paths: [join(CASES, "freepbx-hours", file)] });
    const legs = await store.calls.byCallId("1787306400.10", "everything");
    expect(legs.map(({ recordings }) => String(recordings)).toSorted()).toEqual(["a.wav", "b.wav"]);
  },
);

test("legs that no identity tells apart: the second is refused, as it would drop a recording", async () => {
  const store = createArchive();
  const bring = (file: string, mappingFile: string) =>
    importFiles({ store, paths: [join(CASES, "legs", file)], format: "csv", mappingFile });
  await bring("h1.csv", join(CASES, "legs/m.json"));
  const { firstRejections, ...counts } = await bring("h2.csv", join(CASES, "legs/m.json"));

  expect(counts).toMatchObject({ read: 1, replaced: 0, rejected: 1 });
  expect(firstRejections[0]?.reason).toContain("leave its recording a.wav without one");
  expect(await listRecordings(store, "c1")).toEqual(["a.wav"]);

  const other = createArchive();
  const { default: mapping } = await import("./cases/legs/m.json", { with: { type: "json" } });
  const mappingFile = await writeLines("m.json", [{ ...mapping, identity: ["{f}"] }]);
  for (const file of ["h1.csv", "h2.csv", "h1.csv"])
    await importFiles({
      store: other,
      paths: [join(CASES, "legs", file)],
      format: "csv",
      mappingFile,
    });
  expect(await listRecordings(other, "c1")).toEqual(["a.wav", "b.wav"]);
});

test("what is replaced is counted and named", async () => {
  const store = createArchive();
  const bring = async (notes: string) => {
    const line = { kind: "call", call_id: "7", datetime: "2026-08-21T09:00:06Z", notes };
    return await importFiles({ store, paths: [await writeLines("calls.jsonl", [line])] });
  };
  await bring("first");
  expect(await bring("second")).toMatchObject({
    read: 1,
    imported: 0,
    replaced: 1,
    firstReplacements: [{ line: 1, record: "call 7 of 2026-08-21T09:00:06Z" }],
  });
});

test("a row that replaces another one of its file is noticed, as they may be two legs", async () => {
  const line = { kind: "call", call_id: "7", datetime: "2026-08-21T09:00:06Z", agent: "ann" };
  const bring = async (...lines: object[]) =>
    await importFiles({ store: createArchive(), paths: [await writeLines("calls.jsonl", lines)] });
  const toNotices = async (...lines: object[]) =>
    ((await bring(line, ...lines)).doubts ?? []).map(({ name, count }) => [name, count]);
  const noticed = [["shared-id", 1]];
  expect(await toNotices({ ...line, agent: "bob" })).toEqual(noticed);
  expect(await toNotices({ ...line, datetime: "2026-08-21T09:00:06.000Z" })).toEqual(noticed);
  expect(await toNotices(line)).toEqual([["identical", 1]]);
  for (const other of [
    { ...line, agent: "bob", identity: ["2"] },
    { ...line, agent: "bob", revised: "2026-08-22T09:00:06Z" },
    { ...line, agent: "bob", datetime: "2026-08-21T09:00:07Z" },
  ])
    expect(await toNotices(other)).toEqual([]);
});

test.each<[fault: string, identity: unknown]>([
  ["must be an array of strings or null, and not empty", "1"],
  ["must be an array of strings or null, and not empty", []],
  ["each value must be a string, not a number", [1]],
  ["must have at most 4096 characters in all", ["x".repeat(5_000)]],
])("identity: %s", async (fault, identity) => {
  const store = createArchive();
  const paths = [await writeLines("calls.jsonl", [{ kind: "call", call_id: "7", identity }])];
  expect(await importFiles({ store, paths })).toMatchObject({
    firstRejections: [{ reason: `identity: ${fault}` }],
  });
});

test("an identity needs a call_id to tell records of", async () => {
  const mappingFile = await writeLines("map.json", [
    { fields: { notes: "{a}" }, identity: ["{a}"] },
  ]);
  const paths = [await writeLines("table.csv", ["a", "1"])];
  await expect(
    importFiles({ store: createArchive(), paths, format: "csv", mappingFile }),
  ).rejects.toThrow("identity: it tells records of one call_id apart, and fields has no call_id");
});

test("a mapping that adds to a format may say what tells its legs apart", async () => {
  const store = createArchive();
  const mapping = { fields: { custom_field_1: "{Leg}" }, identity: ["{Leg}"] };
  const mappingFile = await writeLines("map.json", [mapping]);
  const header = "CALL ID,TIMESTAMP,CAMPAIGN,AGENT,Leg";
  for (const leg of ["1", "2", "1"]) {
    const row = `7,"Fri, 21 Aug 2026 09:00:06",Care,ann,${leg}`;
    const paths = [await writeLines("log.csv", [header, row])];
    await importFiles({ store, paths, format: "five9", mappingFile });
  }
  const legs = await store.calls.byCallId("7", "everything");
  expect(new Set(legs.map((one) => one.custom_field_1))).toEqual(new Set(["1", "2"]));
  expect(legs).toHaveLength(2);
});

// Exports with several legs of a call, none of which its source takes for another.
const leg = fc.record({
  call: fc.integer({ min: 1, max: 3 }),
  leg: fc.integer({ min: 1, max: 4 }),
  second: fc.integer({ min: 0, max: 2 }),
  talk: fc.integer({ min: 0, max: 2 }),
});
type Leg = typeof leg extends fc.Arbitrary<infer T> ? T : never;

const toTime = ({ second }: Leg) => `2026-08-21 10:00:0${second}`;
const toTable = (rows: readonly Record<string, string>[]) => toLines(rows);

interface Source {
  readonly name: string;
  readonly toText: (legs: readonly Leg[]) => readonly string[];
  readonly mapping?: object;
}

const SOURCES: readonly Source[] = [
  {
    name: "log.jsonl",
    toText: (legs) =>
      legs.map((one) =>
        JSON.stringify({
          kind: "call",
          call_id: `${one.call}`,
          // The moment alone tells legs apart, in whatever form.
          datetime: `2026-08-21T10:00:0${one.leg}${one.second === 0 ? "" : ".000"}Z`,
          agent: `agent ${one.second}`,
          talk_time: one.talk,
          media: [{ file: `${one.leg}.wav` }],
        }),
      ),
  },
  {
    name: "table.csv",
    mapping: {
      fields: { call_id: "{call}", datetime: "{time}", talk_time: "{talk}" },
      media: ["{leg}.wav"],
      identity: ["{leg}"],
    },
    toText: (legs) =>
      toTable(
        legs.map((one) => ({
          call: `${one.call}`,
          leg: `${one.leg}`,
          time: toTime(one),
          talk: `${one.talk}`,
        })),
      ),
  },
  {
    name: "cdr.csv",
    toText: (legs) =>
      toTable(
        legs.map((one) => ({
          calldate: toTime(one),
          clid: "555",
          src: "555",
          dst: "600",
          dcontext: "ext-group",
          channel: "PJSIP/t-1",
          dstchannel: `PJSIP/10${one.leg}-2`,
          lastapp: "Dial",
          billsec: `${one.talk}`,
          disposition: one.talk === 0 ? "NO ANSWER" : "ANSWERED",
          uniqueid: `1787306400.${one.call}`,
          recordingfile: `${one.leg}.wav`,
        })),
      ),
  },
];

test.each(SOURCES)(
  "any cut of $name, in any order and repeated, gives the same archive",
  async ({ name, toText, mapping }) => {
    const folder = await createFolder();
    for (const one of [1, 2, 3, 4]) await writeFile(join(folder, `${one}.wav`), `sound of ${one}`);
    const mappingFile = mapping && (await writeLines("map.json", [mapping]));
    const bring = async (store: CallStore, legs: readonly Leg[]): Promise<ImportReport> => {
      const path = await writeLines(name, toText(legs));
      const options = mappingFile === undefined ? {} : { format: "csv" as const, mappingFile };
      return await importFiles({ store, paths: [path], mediaDirectory: folder, ...options });
    };
    const exported = fc.uniqueArray(leg, {
      minLength: 1,
      maxLength: 8,
      selector: ({ call, leg: one }) => `${call}-${one}`,
    });
    const cut = exported.chain((legs) =>
      fc.record({
        legs: fc.constant(legs),
        runs: fc.array(fc.subarray([...legs], { minLength: 1 }), { maxLength: 2 }),
        order: fc.shuffledSubarray([...legs], { minLength: legs.length }),
        size: fc.integer({ min: 2, max: 8 }),
      }),
    );
    // Archives are made once: each try has calls of its own.
    const [whole, parts] = [createArchive(), createArchive()];
    let tries = 0;
    await fc.assert(
      fc.asyncProperty(cut, async ({ legs, runs, order, size }) => {
        tries += 1;
        const own = (some: readonly Leg[]) =>
          some.map((one) => ({ ...one, call: tries * 10 + one.call }));
        expect(await bring(whole, own(legs))).toMatchObject({ imported: legs.length });
        for (const run of runs) await bring(parts, own(run));
        for (let at = 0; at < order.length; at += size)
          await bring(parts, own(order.slice(at, at + size)));
        const ids = own(legs).flatMap(({ call }) => [`${call}`, `1787306400.${call}`]);
        expect(await describeCalls(parts, ids)).toEqual(await describeCalls(whole, ids));
      }),
      { numRuns: 10 },
    );
  },
);

async function listRecordings(store: CallStore, callId: string): Promise<string[]> {
  const found = await store.calls.recordings({ callId }, "everything");
  return found.map(({ filename }) => filename).toSorted();
}

/** Their records and recordings, in an order of their own. */
async function describeCalls(store: CallStore, ids: readonly string[]): Promise<unknown> {
  return await Promise.all(
    ids.map(async (id) => {
      const records = await store.calls.byCallId(id, "everything");
      const texts = records.map((record) => JSON.stringify(record)).toSorted();
      return [texts, await listRecordings(store, id)];
    }),
  );
}
