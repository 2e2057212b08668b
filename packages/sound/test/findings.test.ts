// The table of findings: one bit each, so that a column holds all of them, and a sentence for people.
import { expect, test } from "vitest";
import {
  describeFinding,
  FINDING_KINDS,
  FINDINGS,
  fromBits,
  isFault,
  toBits,
} from "../src/index.ts";

test("the bits of all kinds differ, and give the kinds back", () => {
  const findings = FINDING_KINDS.map((kind) => ({ kind }));
  expect(new Set(FINDING_KINDS.map((kind) => FINDINGS[kind].bit)).size).toBe(FINDING_KINDS.length);
  expect(fromBits(toBits(findings))).toEqual(FINDING_KINDS);
  expect(fromBits(0)).toEqual([]);
  expect(findings.filter(isFault).map(({ kind }) => kind)).toEqual([
    "truncated",
    "malformed",
    "no-samples",
    "silent",
    "channel-silent",
    "not-sound",
  ]);
});

test("each is the end of a sentence about a recording", () => {
  expect(describeFinding({ kind: "truncated", percent: 50 })).toBe(
    "ends early: 50 % of what its header announces is there",
  );
  expect(describeFinding({ kind: "truncated" })).toBe("ends early");
  expect(describeFinding({ kind: "channel-silent", channels: [2] })).toBe(
    "is silent in channel 2 from beginning to end",
  );
  expect(describeFinding({ kind: "channel-no-speech", channels: [1, 2] })).toBe(
    "has no speech in channels 1 and 2",
  );
});
