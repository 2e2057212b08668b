// The texts of a search: which calls stand together, and what of them is folded.
import type { CallRecord } from "@call-media/client";
import { expect, test } from "vitest";
import { toLines } from "../src/call/lines.ts";
import { toEntries, toRuns } from "../src/read/texts.ts";

const record = (call_id: string | null, datetime: string, transcript = "") =>
  ({ call_id, ref_id: null, datetime, transcript }) as CallRecord;

test("the oldest call comes first, the legs of a call stand together, and no id joins nothing", () => {
  const records = [
    record("a", "2026-11-03T10:00:00Z"),
    record(null, "2026-11-02T10:00:00Z"),
    record("b", "2026-11-02T09:00:00Z"),
    record("a", "2026-11-01T10:00:00Z"),
    record(null, "2026-11-02T10:00:01Z"),
  ];
  const days = toEntries(records).map(({ legs }) => legs.map((leg) => leg.datetime?.slice(8, 10)));
  expect(days).toEqual([["01", "03"], ["02"], ["02"], ["02"]]);
  expect(new Set(toEntries(records).map(({ key }) => key)).size).toBe(4);
});

test("the lines of the other side are folded together, and nobody's stay", () => {
  const text = "Agent: one\nAgent: two\nCustomer: three\nMusic plays\nAgent: four";
  const lines = toLines(record("a", "", text), [], { startMs: undefined, endMs: Infinity });
  const folds = (side: "agent" | "customer" | undefined) =>
    toRuns(lines, side).map(({ isFolded, lines: run }) => (isFolded ? -1 : 1) * run.length);
  expect(folds("customer")).toEqual([-2, 2, -1]);
  expect(folds("agent")).toEqual([2, -1, 2]);
  expect(folds(undefined)).toEqual([5]);
});
