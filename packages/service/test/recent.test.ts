// What the limits remember: no more than a number of entries, none for longer than a time, and nothing of an attack that is over.
import { beforeEach, expect, test } from "vitest";
import { createRecent } from "../src/access/recent.ts";

let nowMs = 0;
let recent: ReturnType<typeof createRecent<number>>;
beforeEach(() => {
  nowMs = 0;
  recent = createRecent({ maxEntries: 100, maxAgeMs: 1_000, now: () => nowMs });
});

test("beyond the number the oldest is forgotten, by when it was put in last", () => {
  for (let n = 0; n < 100; n += 1) recent.put(`key ${n}`, n);
  recent.put("key 0", 1_000);
  recent.put("another", 1);
  expect([recent.get("key 0"), recent.get("key 1"), recent.get("key 2")]).toEqual([
    1_000,
    undefined,
    2,
  ]);
  for (let n = 0; n < 1_000; n += 1) recent.put(`made up ${n}`, n);
  expect(recent.count()).toBe(100);
});

test("after the time everything is forgotten with the next question, whatever it is for", () => {
  for (let n = 0; n < 100; n += 1) recent.put(`key ${n}`, n);
  nowMs = 500;
  recent.put("key 0", 0);
  nowMs = 1_000;
  expect(recent.get("key 1")).toBe(1);
  nowMs = 1_001;
  expect(recent.get("unknown")).toBeUndefined();
  expect(recent.count()).toBe(1);
  nowMs = 1_501;
  expect(recent.get("key 0")).toBeUndefined();
  expect(recent.count()).toBe(0);
});

test("a deleted entry is not found", () => {
  recent.put("key", 1);
  recent.delete("key");
  expect([recent.get("key"), recent.count()]).toEqual([undefined, 0]);
});
