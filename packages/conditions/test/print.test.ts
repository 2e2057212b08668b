// A condition is printed as text that is read as the same condition.
import { fieldsOf } from "@call-media/api";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Condition,
  ConditionFault,
  joinAll,
  joinAny,
  parseCondition,
  printCondition,
  type Test,
  toKind,
} from "../src/index.ts";

const FIELDS = fieldsOf("MetadataRecord");
const parse = (text: string) => parseCondition(text, FIELDS);

const text = fc.string({ unit: "binary" });
const number = fc.tuple(fc.integer(), fc.constantFrom(1, 1000, 1e15)).map(([n, by]) => n / by + 0);
const datetime = fc.constantFrom(
  "2026-03-01",
  "2026-03-01T09:30:00Z",
  "2026-03-01T09:30:00.5+02:00",
);
const order = fc.constantFrom("==", "!=", "<", ">", "<=", ">=" as const);

const leaf: fc.Arbitrary<Test> = fc.constantFrom(...FIELDS).chain((field) => {
  const kind = toKind(field);
  const value: fc.Arbitrary<Test["value"]> =
    kind === "seconds"
      ? fc.nat()
      : kind === "datetime"
        ? datetime
        : kind === "telephone"
          ? text
          : fc.oneof(text, number);
  return fc.oneof(
    fc.record({ field: fc.constant(field), comparison: order, value }),
    fc.record({ field: fc.constant(field), comparison: fc.constant("~" as const), value: text }),
    fc.record({
      field: fc.constant(field),
      comparison: fc.constantFrom("==", "!=" as const),
      value: fc.constant(null),
    }),
  );
});

const { condition } = fc.letrec<{ condition: Condition }>((tie) => {
  const several = fc.tuple(tie("condition"), tie("condition"), tie("condition"));
  return {
    condition: fc.oneof(
      { maxDepth: 4 },
      leaf,
      several.map((parts) => joinAll(parts)),
      several.map((parts) => joinAny(parts)),
      tie("condition").map((not) => ({ not })),
    ),
  };
});

test("a printed condition is read as the same condition", () => {
  fc.assert(
    fc.property(condition, (one) => {
      expect(parse(printCondition(one))).toEqual(one);
    }),
  );
});

/** What is printed of it, or the column of the fault. */
function print(typed: string): string | number {
  try {
    return printCondition(parse(typed));
  } catch (error) {
    if (error instanceof ConditionFault) return error.at + 1;
    throw error;
  }
}

test("any input is a condition that prints, or a fault with a column", () => {
  const part = fc.constantFrom(
    ...'agent talk_time datetime == != ~ > ( ) ! && || "a" 10m 5 null \''.split(" "),
  );
  const typed = fc.oneof(
    fc.string(),
    fc.array(part).map((parts) => parts.join(" ")),
  );
  fc.assert(
    fc.property(typed, (one) => {
      const printed = print(one);
      const isColumn = typeof printed === "number" && printed >= 1 && printed <= one.length + 1;
      expect(isColumn || print(String(printed)) === printed).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["talk_time>10m", "talk_time > 600"],
  ["talk_time > 1:02:03", "talk_time > 3723"],
  ["ani == 030998877", 'ani == "030998877"'],
  ["zip < 0900", "zip < 900"],
  [
    "(agent == 'a' && agent == \"b\") && !(!(notes == null))",
    'agent == "a" && agent == "b" && !!notes == null',
  ],
  [
    "!(agent == 'a' || zip == 1) && (zip == 1 || zip == 2)",
    '!(agent == "a" || zip == 1) && (zip == 1 || zip == 2)',
  ],
  ["datetime > 2026-03-01", 'datetime > "2026-03-01"'],
])("%s is printed as %s", (typed, printed) => {
  expect(printCondition(parse(typed))).toBe(printed);
});
