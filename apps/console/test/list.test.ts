// The list: where its rows lie, what a search is made of, and what the page checks by itself.
import type { CallRecord } from "@call-media/client";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createLayout, findHeadings } from "../src/search/layout.ts";
import { EMPTY_SEARCH } from "../src/route.ts";
import { toCommand } from "../src/search/command.ts";
import { toQuery } from "../src/search/query.ts";
import { type Condition, toTest } from "../src/search/where.ts";

const SIZES = { row: 36, heading: 24 };

test("a row lies below its heading, and is found at every height that it has", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: 199 })), fc.nat({ max: 199 }), (some, row) => {
      const headings = some.toSorted((one, other) => one - other);
      const layout = createLayout(200, headings, SIZES);
      const top = layout.topOf(row);
      expect([layout.rowAt(top), layout.rowAt(top + SIZES.row - 1)]).toEqual([row, row]);
      const above = headings.includes(row) ? SIZES.heading : 0;
      expect(top - above).toBe(row === 0 ? 0 : layout.topOf(row - 1) + SIZES.row);
      expect(layout.rowAt(top - above)).toBe(row);
      expect(layout.height).toBe(200 * SIZES.row + headings.length * SIZES.heading);
    }),
  );
});

test("a day has one heading, and one more where it is not known what comes before", () => {
  expect(
    findHeadings([
      [0, "Tue"],
      [1, "Tue"],
      [2, "Mon"],
      [50, "Mon"],
      [51, "Mon"],
    ]),
  ).toEqual([0, 2, 50]);
});

// Of a record the fields that are looked at.
const call = (fields: Partial<CallRecord>) => fields as CallRecord;

test("conditions hold as their words say: accents and letter case do not count, nothing is no value", () => {
  const holds = (fields: Partial<CallRecord>, ...conditions: Condition[]) =>
    toTest(conditions.map((condition) => [condition]))(call(fields));
  const zoe = { customer_first_name: "Zoë", talk_time: 600, notes: null };
  expect(holds(zoe, { field: "customer_first_name", comparison: "~", value: "ZOE" })).toBe(true);
  expect(holds(zoe, { field: "talk_time", comparison: ">", value: 600 })).toBe(false);
  expect(holds(zoe, { field: "talk_time", comparison: ">=", value: 600 })).toBe(true);
  expect(holds(zoe, { field: "notes", comparison: "==", value: null })).toBe(true);
  expect(holds(zoe, { field: "notes", comparison: "!=", value: "x" })).toBe(true);
  expect(holds(zoe, { field: "notes", comparison: "==", value: "x" })).toBe(false);
  expect(
    holds(
      zoe,
      { field: "customer_first_name", comparison: "==", value: "zoë" },
      { field: "notes", comparison: "!=", value: null },
    ),
  ).toBe(false);
});

test("the command of a search is one that a shell takes as it is meant", () => {
  const query = {
    range: { startDate: "2025-01-01", endDate: "2025-01-31" },
    path: "/metadata/search" as const,
    body: { campaign: "Moves and Connections", customer_last_name: "D'Amico" },
    words: 'refund "the bill"',
    conditions: [[{ field: "talk_time" as const, comparison: ">" as const, value: 600 }]],
  };
  // Tests name the fields that count.
  const picked = ["1", "2"].map((call_id) => ({ call_id }) as CallRecord);
  expect(toCommand({ query, picked }, ["--out calls"])).toBe(
    `call-media export --out calls --from 2025-01-01 --to 2025-01-31 --words 'refund "the bill"' ` +
      "--campaign 'Moves and Connections' " +
      `--customer-last-name 'D'\\''Amico' --where 'talk_time > 600 && (call_id == "1" || call_id == "2")'`,
  );
});

test("of several values of a field one is enough, matched as the service matches one (D08)", () => {
  const route = {
    ...EMPTY_SEARCH,
    filters: {
      campaign: ["Retention", "Zoë's"],
      skill: ["Billing"],
      phone_number1: ["+1 23", "4"],
    },
  };
  const query = toQuery(route, "2026-11-01");
  expect(query.body).toEqual({ skill: "Billing" });
  const isMatch = toTest(query.conditions);
  const isFound = (campaign: string, phone_number1: string) =>
    isMatch(call({ campaign, phone_number1 }));
  expect(isFound(" RETENTION", "1-23")).toBe(true);
  expect(isFound("zoë's", "4")).toBe(true);
  expect(isFound("zoe's", "4")).toBe(false);
  expect(isFound("Retention", "5")).toBe(false);
  expect(toCommand({ query, picked: [] }, [])).toContain(
    `--where '(campaign == "Retention" || campaign == "Zoë'\\''s") && (phone_number1 == "+1 23" || phone_number1 == "4")'`,
  );
});
