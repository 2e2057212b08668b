// Which lines of a chat are held against which recording, and which one is said at a second.
import { expect, test } from "vitest";
import type { CallRecord } from "@call-media/client";
import { findLineAt, findPassage, toLines, toRecorded, toStart } from "../src/call/lines.ts";
import { toCallRoute } from "../src/route.ts";

const START_MS = Date.parse("2026-03-05T10:00:00Z");
const record = { transcript: null } as unknown as CallRecord;

const toMessages = (...seconds: readonly number[]) =>
  seconds.map((second) => ({
    call_id: "1",
    datetime: new Date(START_MS + second * 1000).toISOString(),
    party_type: "agent" as const,
    label: null,
    room_id: "room",
    transcript: `said at ${second}`,
  }));

test("a line has a place in the recording that runs while it is said, and in no other", () => {
  const recorded = { startMs: START_MS, endMs: START_MS + 60_000 };
  const lines = toLines(record, toMessages(-1, 0, 59, 60, 61), recorded);
  expect(lines.map(({ at }) => at)).toEqual([undefined, 0, 59, undefined, undefined]);
});

test("a line is found from a little before it, as a click upon it may stop short", () => {
  const lines = toLines(record, toMessages(2, 10), { startMs: START_MS, endMs: Infinity });
  const seconds = [0, 1.7, 1.8, 2, 9.7, 9.9, 60];
  expect(seconds.map((second) => findLineAt(lines, second))).toEqual([-1, -1, 0, 0, 0, 1, 1]);
});

test("a call is heard from a second before the line that has most of the words", () => {
  const lines = toLines(record, toMessages(0, 10, 20), { startMs: START_MS, endMs: Infinity });
  const found = (words: string) => lines[findPassage(lines, words)?.message ?? -1];
  expect([found("said"), found("said 20"), found("never"), found('"open')].map(toStart)).toEqual([
    0,
    19,
    undefined,
    undefined,
  ]);
});

test("a later recording begins where those before it end, and ends with its length", () => {
  const leg = {
    record: { datetime: new Date(START_MS).toISOString() } as CallRecord,
    route: toCallRoute("call_id", "1"),
    parts: [1, 2],
    endMs: START_MS + 90_000,
  };
  const lengths = new Map([
    [1, 30],
    [2, 15],
  ]);
  expect(toRecorded(leg, 1, lengths)).toEqual({ startMs: START_MS, endMs: START_MS + 30_000 });
  expect(toRecorded(leg, 2, lengths)).toEqual({
    startMs: START_MS + 30_000,
    endMs: START_MS + 45_000,
  });
  expect(toRecorded(leg, 1, new Map([[1, 100]])).endMs).toBe(START_MS + 90_000);
  for (const some of [
    [1, 30],
    [2, 15],
  ] as const)
    expect(toRecorded(leg, 2, new Map([some])).startMs).toBeUndefined();
});

test("words that no line has together are shown from the first line to the last that has one", () => {
  const said = [
    "Billing, Ann.",
    "My bill is high.",
    "It was estimated.",
    "And the bill?",
    "Goodbye.",
  ];
  const text = said.map((one, index) => `${index % 2 ? "Customer" : "Agent"}: ${one}`).join("\n");
  const spoken = { transcript: text } as unknown as CallRecord;
  const lines = toLines(spoken, [], { startMs: undefined, endMs: Infinity });
  const found = findPassage(lines, "estimated high", 60);
  expect(found?.message).toBe(1);
  expect(found?.text).toBe("My bill is high. It was estimated.");
  expect(found?.marks.map(([start, end]) => found.text.slice(start, end))).toEqual([
    "high",
    "estimated",
  ]);
  expect(findPassage(lines, "estimated", 60)?.text).toBe("It was estimated.");
});
