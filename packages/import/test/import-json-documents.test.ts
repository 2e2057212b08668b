// JSON documents of any length: their records are told apart where they lie, whatever stands around and inside them.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";

const MAPPING = {
  records: "a.calls.*",
  fields: { call_id: "{id}", notes: "{note}" },
};

const CHUNK_BYTES = 262_144; // files are read in pieces of this length

test("records are found in any surroundings, across the border between pieces of the file, by their lines", async () => {
  const store = createArchive();
  const mappingFile = await writeLines("map.json", [MAPPING]);
  const surroundings = fc.record({
    before: fc.jsonValue(),
    after: fc.jsonValue(),
    space: fc.constantFrom("", "\n", " \r\n\t"),
  });
  const notes = fc.array(
    fc.string({ unit: "binary" }).filter((note) => !note.includes("\0")),
    { minLength: 1, maxLength: 6 },
  );
  const padding = fc.integer({ min: CHUNK_BYTES - 300, max: CHUNK_BYTES + 10 });
  await fc.assert(
    fc.asyncProperty(
      surroundings,
      notes,
      padding,
      async ({ before, after, space }, given, length) => {
        const records = given.map((note, id) =>
          JSON.stringify({ more: after, id, note: note.toWellFormed() }),
        );
        const bad = JSON.stringify({ id: "bad", note: "\0" });
        const beginning = `{"pad":"${"x".repeat(length)}","before":${JSON.stringify(before)},"a":${space}{"b":[[],{}],"calls":[`;
        const text = `${beginning}${[...records, bad].join(`,\n${space}`)}],"calls2":[{"id":"no"}]},"after":${JSON.stringify(after)}}`;
        const report = await importFiles({
          store,
          paths: [await writeLines("a.json", [text])],
          mappingFile,
        });

        expect(report).toMatchObject({ read: given.length + 1, rejected: 1 });
        const line = text.slice(0, text.indexOf(bad)).split("\n").length;
        expect(report.firstRejections).toEqual([
          expect.objectContaining({ line, reason: "notes: has a NUL character" }),
        ]);
        for (const [id, note] of given.entries()) {
          const found = await store.calls.byCallId(String(id), "everything");
          expect(found.map((call) => call.notes)).toContain(note.toWellFormed().trim() || null);
        }
        expect(await store.calls.byCallId("no", "everything")).toEqual([]);
      },
    ),
    { numRuns: 10 },
  );
});

test.each<[text: string, read: number, line: number, reason: string]>([
  [
    '{"a":{"calls":[{"id":"1"},\n}',
    2,
    2,
    "not valid JSON: a bracket is closed that was not opened",
  ],
  ['{"a":{"calls":[{"id":"1"},\n{"id":tru}', 2, 2, 'not valid JSON: unexpected "}"'],
  ['{"a":{"calls":[{"id":"1"},\n{"id" 2}, {"id":"3"}]}}', 3, 2, "not valid JSON: "],
  ['{"a":{"calls":[{"id":"1"}]}}\nnothing', 2, 1, 'not valid JSON: unexpected "o"'],
  [
    '{"a":{"calls":[{"id":"1"},\n{"id":"\\ud834"}]}}',
    2,
    2,
    "call_id: has half of a surrogate pair",
  ],
])("of %j what is good is imported", async (text, read, line, reason) => {
  const store = createArchive();
  const mappingFile = await writeLines("map.json", [{ ...MAPPING, optional: ["note"] }]);
  const paths = [await writeLines("a.json", [text])];
  const report = await importFiles({ store, paths, mappingFile });
  expect(report).toMatchObject({ read, rejected: 1 });
  expect(report.firstRejections).toMatchObject([{ line, reason: expect.stringContaining(reason) }]);
  expect(await store.calls.byCallId("1", "everything")).toHaveLength(1);
});
