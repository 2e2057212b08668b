// Which lines of a transcript go with a muted span, and which spans are proposed for numbers of cards.
import type { CallRecord } from "@call-media/client";
import { expect, test } from "vitest";
import {
  createMuting,
  type Message,
  muteMessages,
  proposeSpans,
  toLineSpan,
} from "../src/index.ts";

const CARD = "4111 1111 1111 1111";
const leg = (more: Partial<CallRecord> = {}) =>
  ({ call_id: "1", datetime: "2026-03-02T10:00:00Z", recordings: "a.wav", ...more }) as CallRecord;

const say = (lines: readonly (readonly [second: number, text: string])[]): readonly Message[] =>
  lines.map(([second, transcript]) => ({
    call_id: "1",
    label: null,
    party_type: "customer",
    room_id: "1",
    transcript,
    datetime: `2026-03-02T10:00:${String(second).padStart(2, "0")}Z`,
  }));

const LINES = say([
  [0, "Good morning"],
  [10, `It is ${CARD}, thanks`],
  [14, "Thank you"],
  [20, "My number is 1234 5678 9012 3456"],
  [30, "Goodbye"],
]);
const SPAN = { call_id: "1", part: 1, from: 20.5, to: 22 };

const mute = (messages: readonly Message[], legs: readonly CallRecord[]) =>
  muteMessages(messages, legs, [SPAN]).map(({ transcript }) => transcript);

test("a line that may have been said in the span goes, and one with a card whenever it was said", () => {
  expect(mute(LINES, [leg()])).toEqual([
    "Good morning",
    "[redacted]",
    // It may have lasted until a second after the next one began.
    "[redacted]",
    "[redacted]",
    "Goodbye",
  ]);
});

test.each<[why: string, legs: readonly CallRecord[]]>([
  ["no leg is there any more", []],
  ["a leg has two recordings", [leg({ recordings: "a.wav; b.wav" })]],
  ["only one of the two times has an offset", [leg({ datetime: "2026-03-02T10:00:00" })]],
  ["a leg has no time", [leg(), leg({ datetime: null })]],
])("all lines go if %s", (_, legs) => {
  expect(new Set(mute(LINES, legs))).toEqual(new Set(["[redacted]"]));
});

test.each<[of: string, part: number, others: readonly Partial<CallRecord>[], masked: number[]]>([
  ["the first recording", 1, [{}], [1]],
  ["the second one, of the later record", 2, [{}], [4]],
  ["a record without recordings counts none", 2, [{ recordings: null }], [1, 4]],
  ["a recording before a record with two", 1, [{ recordings: "b.wav; c.wav" }], [1]],
  [
    "a recording of either of two records that begin together",
    1,
    [{ recordings: "b.wav; c.wav", datetime: "2026-03-02T10:00:00Z" }],
    [0, 1, 2, 3, 4],
  ],
  ["one behind a record with two", 2, [{ recordings: "b.wav; c.wav" }], [0, 1, 2, 3, 4]],
])("the words of a span are those of its record: %s", (_, part, others, masked) => {
  const said = say([0, 11, 25, 30, 41].map((second) => [second, `at ${second}`]));
  const legs = [...others.map((more) => leg({ datetime: "2026-03-02T10:00:30Z", ...more })), leg()];
  for (const listed of [legs, legs.toReversed()]) {
    const muted = muteMessages(said, listed, [{ call_id: "1", part, from: 12.5, to: 13 }]);
    const places = muted.flatMap(({ transcript }, at) => (transcript === "[redacted]" ? at : []));
    expect(places).toEqual(masked);
  }
});

test("a note with the number of a card goes as well, and no identifier", () => {
  const record = leg({
    ref_id: CARD.replaceAll(" ", ""),
    notes: `Paid with ${CARD}`,
    disposition_notes: "Paid",
    transcript: null,
  });
  const { muteRecord } = createMuting([SPAN]);
  expect(muteRecord(record)).toEqual({ ...record, notes: "[redacted]" });
  const other = { ...record, call_id: "2" };
  expect(muteRecord(other)).toBe(other);
});

test.each<[what: string, texts: readonly (readonly [number, string])[], found: object]>([
  [
    "a number in one line",
    [
      [10, `It is ${CARD}.`],
      [14, "Yes"],
    ],
    { from: 9, to: 15 },
  ],
  [
    "a number behind another digit",
    [
      [10, `1, ${CARD}`],
      [14, "Yes"],
    ],
    { from: 9, to: 15 },
  ],
  [
    "digits one by one",
    [
      [10, "4-1-1-1 1 1 1 1 1 1 1 1 1 1 1 1"],
      [14, "Yes"],
    ],
    { from: 9, to: 15 },
  ],
  [
    "a number in several lines",
    [
      [10, "4111 1111"],
      [12, "Yes?"],
      [13, "1111 1111"],
      [18, "Ok"],
    ],
    { from: 9, to: 19 },
  ],
])("proposed: %s", (_, texts, found) => {
  expect(proposeSpans(say(texts), [leg()])).toMatchObject({
    spans: [{ part: 1, ...found }],
    untimed: 0,
  });
});

test.each([
  ["a last digit that is wrong", "4111 1111 1111 1112"],
  ["zeros", "0000 0000 0000 0000"],
  ["twelve digits", "4111 1111 1116"],
])("not proposed: %s", (_, text) => {
  expect(proposeSpans(say([[10, text]]), [leg()])).toEqual({ spans: [], untimed: 0 });
});

test("a number of which nothing tells when it was said is counted", () => {
  const legs = [leg({ recordings: "a.wav; b.wav" })];
  expect(proposeSpans(LINES, legs)).toEqual({ spans: [], untimed: 1 });
});

test("the span of a line lasts until its speaker goes on, and half a minute if nobody does", () => {
  const said = say([
    [10, "The number is four one one one"],
    [12, "Mm"],
    [25, "That was it"],
  ]).map((message, at) => ({ ...message, party_type: at === 1 ? "agent" : "customer" }));
  // The recording began two seconds before the call.
  expect(said.map((_, line) => toLineSpan(said, line, [12, 14, 27][line] ?? 0))).toEqual([
    { from: 11, to: 28 },
    { from: 13, to: 45 },
    { from: 26, to: 58 },
  ]);
  expect(toLineSpan(said, 0, 0)).toEqual({ from: 0, to: 16 });
  expect(toLineSpan([{ ...(said[0] as Message), datetime: "" }], 0, 12)).toBeUndefined();
});
