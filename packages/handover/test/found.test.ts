// The numbers of a verdict: calls, legs and recordings, each counted separately.
import { expect, test } from "vitest";
import { createCallTally, type Report, toFoundText } from "../src/index.ts";
import { toCall } from "./support/calls.ts";

/** A report with the numbers that the text uses. */
const toReport = (numbers: object, legs: number, recordings: readonly [number, number]) =>
  ({
    records: { written: legs, announced: legs },
    files: { recordings: { complete: recordings[0], expected: recordings[1] } },
    kinds: ["recordings"],
    windows: [],
    ...numbers,
  }) as unknown as Report;

test.each([
  [
    "11 of 11 calls, 4 of 4 recordings; 7 calls have none in the archive",
    { found: { calls: 11, unrecorded: 7 } },
    11,
    [4, 4],
  ],
  [
    "372 of 372 calls, 376 legs, 1 of 2 recordings",
    { found: { calls: 372, unrecorded: 0 } },
    376,
    [1, 2],
  ],
  [
    "1 of 1 call, 2 legs, 1 of 1 recording; 1 call has none in the archive",
    { found: { calls: 1, unrecorded: 1 } },
    2,
    [1, 1],
  ],
  [
    "2 of 3 calls, recordings left out",
    { found: { calls: 2, unrecorded: 1 }, ids: { asked: 3, missing: ["NOPE"] }, kinds: [] },
    2,
    [0, 0],
  ],
  ["2 of 3 calls, 4 legs, 0 of 0 recordings", { ids: { asked: 3, missing: ["NOPE"] } }, 4, [0, 0]],
  ["5 legs, 0 of 0 recordings", { windows: [{ verdict: "drifted" }] }, 5, [0, 0]],
  ["5 of 5 legs, 0 of 0 recordings", {}, 5, [0, 0]],
] as const)("%s", (text, numbers, legs, recordings) => {
  expect(toFoundText(toReport(numbers, legs, recordings))).toBe(text);
});

test("a call is all of its records, as wherever calls are counted, and has a recording if one of them names some", () => {
  const tally = createCallTally();
  for (const fields of [
    { call_id: "1", recordings: null },
    { call_id: "1", recordings: "a.wav" },
    { call_id: "2", recordings: null },
    { call_id: null, ref_id: "1", recordings: null },
    { call_id: null, ref_id: "1", recordings: null },
    { call_id: null, ref_id: null, recordings: null },
    { call_id: null, ref_id: null, recordings: "b.wav" },
  ])
    tally.add(toCall(fields));
  expect(tally.found()).toEqual({ calls: 6, unrecorded: 4 });
  expect([tally.calls(), tally.legs()]).toEqual([6, 7]);
});

test("calls without a recording are told apart by what their records tell, the most of all legs", () => {
  const tally = createCallTally();
  for (const fields of [
    { call_id: "recorded", recordings: "a.wav", media: "Chat" },
    { call_id: "chat", media: "Webchat" },
    { call_id: "mail", media: "E-Mail", talk_time: 0 },
    { call_id: "no answer", media: "Voice", talk_time: 0 },
    { call_id: "unknown medium", media: null },
    { call_id: "talked", media: "Voice", talk_time: 0 },
    { call_id: "talked", media: "Voice", talk_time: 12 },
    { call_id: "a talk about a chat", media: "Chat", talk_time: 12 },
  ])
    tally.add(toCall(fields));
  expect(tally.unrecorded()).toEqual({ written: 2, unanswered: 2, others: 2 });
});
