// The index against the model: whatever becomes of a folder, the same calls are found as by comparing each (D30).
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { SAMPLES } from "@call-media/words/samples";
import { matches, parseQuery, type Query, QueryFault, toSearched } from "@call-media/words";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openFolder } from "../src/index/open-folder.ts";
import { makeFolder, type MadeCall, type MadeExport, writeExport } from "./support/made-export.ts";

const TEXTS = SAMPLES.filter(({ isNumber }) => !isNumber).map((sample) => sample.text);
const NUMBERS = SAMPLES.filter(({ isNumber }) => isNumber).map((sample) => sample.text);

/** The texts have few words, so that phrases stand in one text or just across two. */
const text = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom("a", "b", "a b", "b a", "¶", "a ¶ b") },
  fc
    .array(fc.constantFrom(...TEXTS, "№1210", "a", " "), { maxLength: 4 })
    .map((parts) => parts.join(" ")),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const callId = fc.constantFrom("1", "2", "3");
const values = fc.record(
  {
    transcript: fc.option(text),
    notes: fc.option(text),
    customer_first_name: fc.constantFrom("Leïla", "İstanbul"),
    customer_last_name: fc.constantFrom("Benali", "返金"),
    ani: fc.constantFrom(...NUMBERS),
    custom_field_1: text,
  },
  { requiredKeys: [] },
);
const call: fc.Arbitrary<MadeCall> = fc
  .tuple(callId, values)
  .map(([call_id, others]) => ({ call_id, ...others }));
const state: fc.Arbitrary<MadeExport> = fc.record({
  calls: fc
    .tuple(fc.array(call, { minLength: 1, maxLength: 4 }), fc.boolean())
    // Records may be equal, as where an export has some columns alone.
    .map(([calls, hasEqual]) => [...calls, ...calls.slice(0, hasEqual ? 1 : 0)]),
  chats: fc.array(fc.record({ call_id: callId, messages: fc.array(text, { maxLength: 3 }) }), {
    maxLength: 3,
  }),
});

const query = fc
  .array(
    fc.oneof(
      fc.constantFrom('"a b"', '"b a"', "a", "b", "0121"),
      fc.constantFrom(...SAMPLES.map((sample) => sample.query), "555 0121"),
      fc.string({ unit: "binary", maxLength: 3 }),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => toQuery(parts.join(" ")))
  .filter((parsed) => parsed !== undefined);

function toQuery(written: string): Query | undefined {
  try {
    return parseQuery(written);
  } catch (error) {
    if (error instanceof QueryFault) return undefined;
    throw error;
  }
}

const toModel = ({ calls, chats = [] }: MadeExport, asked: Query) =>
  calls.filter((record) => {
    const own = chats.filter(({ call_id }) => call_id === record.call_id);
    const messages = own.flatMap((chat) => chat.messages.map((transcript) => ({ transcript })));
    return matches(asked, toSearched(record, messages));
  });

const OPTIONS = {
  signal: new AbortController().signal,
  onProgress: () => {},
  onUpdate: () => {},
};

test("finds what the model finds, after every change of the folder", async () => {
  const folder = await makeFolder();
  const states = fc.array(state, { minLength: 1, maxLength: 3 });
  let found = 0;
  await fc.assert(
    fc.asyncProperty(states, fc.array(query, { maxLength: 12 }), async (folders, queries) => {
      let superseded: readonly MadeCall[] = [];
      for (const content of folders) {
        await writeExport(folder, { ...content, superseded });
        // With a chat that is gone, everything is read again.
        superseded = content.chats?.length === 0 ? content.calls : [];
        await using searched = await openFolder(folder, OPTIONS);
        expect([...searched.find(undefined)].flat()).toEqual(content.calls);
        for (const asked of queries) {
          const records = [...searched.find(asked)].flat();
          expect(records).toEqual(toModel(content, asked));
          found += records.length;
        }
      }
    }),
    { numRuns: process.env["CALL_MEDIA_TIER"] === "test" ? 10 : 30 },
  );
  expect(found).toBeGreaterThan(0);
});

test("loses no record while a sync and another search replace the files", async () => {
  const folder = await makeFolder();
  const [first, second] = [
    { call_id: "1", notes: "a" },
    { call_id: "2", notes: "b" },
  ];
  await writeExport(folder, { calls: [first] });
  await using searched = await openFolder(folder, OPTIONS);
  // A sync renames, so that an open file stays what it was.
  await rename(join(folder, "metadata.jsonl"), join(folder, "earlier.jsonl"));
  await writeExport(folder, { calls: [second, first] });
  await (await openFolder(folder, OPTIONS))[Symbol.asyncDispose]();
  expect(() => [...searched.find(toQuery("a"))]).toThrow(
    `${folder} changed meanwhile: search again`,
  );
});
