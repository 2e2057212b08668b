// Which faults are the same one: those that differ in the values that were seen alone.
import { expect, test } from "vitest";
import { type Fault, toFingerprint } from "../src/fingerprint.ts";

const print = (fault: Fault, operation = "listUsers") =>
  toFingerprint({ requirement: "users.fields", operation, fault });

test.each<[string, Fault, Fault]>([
  [
    "another record",
    { at: "/data/3/id", fault: "data[3].id: missing" },
    { at: "/data/12/id", fault: "data[12].id: missing" },
  ],
  ["what is said besides", { at: "name", fault: "x", more: "row 1" }, { at: "name", fault: "x" }],
  ["another value", 'the record "C-1" is lost', 'the record "C \\"2\\"" is lost'],
  [
    "another number",
    "recordCount is 351; the pages have 350 records",
    "recordCount is 7; the pages have 6 records",
  ],
  ["another moment", "2026-03-01T10:00:00.5+01:00 is older", "2025-12-31T23:59:59Z is older"],
  [
    "another digest",
    `Repr-Digest is sha-256=:${"Ab1/".repeat(11)}:`,
    `Repr-Digest is sha-256=:${"Cd2+".repeat(11)}:`,
  ],
])("%s is the same fault", (_, one, other) => {
  expect(print(one)).toBe(print(other));
  expect(print(one)).toMatch(/^[\da-f]{16}$/);
});

test.each<[string, Fault, Fault]>([
  [
    "another field",
    { at: "/data/0/id", fault: "missing" },
    { at: "/data/0/group", fault: "missing" },
  ],
  ["another status", "the answer is 500", "the answer is 403"],
  [
    "another input",
    { at: "startDate=2026-02-30", fault: "x" },
    { at: "startDate=2026-3-1", fault: "x" },
  ],
  ["another sentence", "no token", "a token"],
  ["a numbered field", "custom_field_1 is null", "custom_field_2 is null"],
])("%s is another fault", (_, one, other) => {
  expect(print(one)).not.toBe(print(other));
});

test("of another operation it is another fault", () => {
  expect(print("missing")).not.toBe(print("missing", "listPublicFlags"));
});
