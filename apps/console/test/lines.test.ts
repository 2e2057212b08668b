// Which lines of a chat are held against which recording, and which one is said at a second.
import { expect, test } from "vitest";
import type { CallRecord } from "@call-media/client";
import { findLineAt, toLines } from "../src/call/lines.ts";

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
