// Mappings: what is written into a table or into JSON is what the archive has, whatever the text is.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";
import { importCsv } from "./support/csv.ts";
import { toRecord } from "./support/records.ts";
import { toClock, toDatetime, wholeSecond } from "./support/tables.ts";

const text = fc
  .string({ unit: "grapheme", maxLength: 20 })
  .map((one) => one.trim())
  .filter((one) => one.isWellFormed() && !/[\0\r]/.test(one));

const call = fc.record({
  id: fc.nat().map(String),
  atMs: wholeSecond,
  agent: text,
  first: text,
  last: text,
  notes: fc.oneof(text, fc.constant('a "quoted", then\n\ntwice broken; text|of\tit')),
  talk: fc.nat(86_400),
});
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never;

// Of any moment and length.
const allow = ["dates", "durations"] as const;

const calls = fc.uniqueArray(call, { selector: ({ id }) => id, minLength: 1, maxLength: 8 });

const toMapping = (names: Readonly<Record<keyof Call, string>>) => ({
  fields: {
    call_id: `{${names.id}}`,
    datetime: { from: `{${names.atMs}}`, as: "datetime", format: "EEE, dd MMM yyyy HH:mm:ss" },
    agent: `{${names.agent}}`,
    agent_name: `{${names.first}} {${names.last}}`,
    notes: `{${names.notes}}`,
    talk_time: { from: `{${names.talk}}`, as: "duration" },
    campaign: "all of {{them}",
  },
});

test("a table, parted by any character, with any text in its cells", async () => {
  const store = createArchive();
  const names = {
    id: "I D",
    atMs: "at",
    agent: "agent",
    first: "f",
    last: "l",
    notes: "n,n",
    talk: "t",
  };
  const delimiters = fc.constantFrom(",", ";", "\t", "|", "^");
  await fc.assert(
    fc.asyncProperty(calls, delimiters, async (written, delimiter) => {
      const toLine = (cells: readonly string[]) =>
        cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter);
      const lines = [
        toLine(Object.values(names)),
        ...written.map((one) => toLine(Object.values(toCells(one)))),
      ];
      const mappingFile = await writeLines("map.json", [
        { ...toMapping(names), table: { delimiter } },
      ]);
      const paths = [await writeLines("log.csv", lines)];
      const report = await importFiles({ store, paths, mappingFile, format: "csv", allow });
      expect(report).toMatchObject({ read: written.length, rejected: 0 });
      for (const one of written)
        expect(await store.calls.byCallId(one.id, "everything")).toContainEqual(toExpected(one));
    }),
    { numRuns: 25 },
  );
});

test("JSON, as a document with an array somewhere or a record a line, with any text in its members", async () => {
  const store = createArchive();
  const names = {
    id: "id",
    atMs: "when.at",
    agent: "who[0]",
    first: "who[1].first",
    last: "who[1].last",
    notes: "text",
    talk: "length",
  };
  await fc.assert(
    fc.asyncProperty(calls, fc.boolean(), async (written, isDocument) => {
      const records = written.map(toCells).map(({ id, atMs, agent, first, last, notes, talk }) => ({
        text: notes,
        id: Number(id),
        when: { at: atMs },
        who: [agent, { first, last }],
        length: talk,
      }));
      const mapping = { ...toMapping(names), ...(isDocument ? { records: "calls.*" } : {}) };
      const mappingFile = await writeLines("map.json", [mapping]);
      const lines = isDocument ? [{ answer: null, calls: records }] : records;
      const paths = [await writeLines("calls.json", lines)];
      const report = await importFiles({ store, paths, mappingFile, allow });
      expect(report).toMatchObject({ read: written.length, rejected: 0 });
      for (const one of written)
        expect(await store.calls.byCallId(one.id, "everything")).toContainEqual(toExpected(one));
    }),
    { numRuns: 25 },
  );
});

function toCells({ id, atMs, agent, first, last, notes, talk }: Call) {
  const at = new Date(atMs).toUTCString().replace(" GMT", "");
  return { id, atMs: at, agent, first, last, notes, talk: toClock(talk) };
}

function toExpected({ id, atMs, agent, first, last, notes, talk }: Call) {
  return toRecord({
    call_id: id,
    datetime: toDatetime(atMs),
    agent: agent || null,
    agent_name: `${first} ${last}`.trim() || null,
    notes: notes || null,
    talk_time: talk,
    campaign: "all of {them}",
  });
}

test("a pattern takes no longer than its text, and what only goes back and forth is refused", async () => {
  const mapping = (match: string) => ({
    mapping: 2,
    fields: { call_id: "{id}", ani: [{ from: "{who}", match }, "{who}"] },
  });
  const store = createArchive();
  const table = ["id,who", `1,${"a".repeat(4_000)}b`, "2,aaa"];
  expect(await importCsv(store, mapping("^((?:a+)+)$"), table)).toMatchObject({ imported: 2 });
  await expect(importCsv(store, mapping("^(?=a)(.*)$"), table)).rejects.toThrow(
    /fields\.ani\[0\]\.match: .*patterns are those of RE2/,
  );
});
