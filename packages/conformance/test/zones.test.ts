// Ranges of days of a service that says in which zone its days begin: rows near midnight count, too.
import { expect, test } from "vitest";
import {
  type Asked,
  check,
  fields,
  isSignedIn,
  listOf,
  operation,
  type Reply,
  SIGN_IN,
  TEXT,
} from "./styles.ts";

const note = fields({ id: TEXT, at: { ...TEXT, format: "date-time" } }, ["id", "at"]);
const DAY = { schema: { ...TEXT, format: "date" } };
const PATHS = {
  "/notes": {
    get: {
      ...operation("listNotes", { 200: listOf(note) }),
      parameters: [
        { in: "query", name: "from", ...DAY },
        { in: "query", name: "to", ...DAY },
      ],
    },
  },
};

/** Every five hours, so that some are on another day in another zone. */
const NOTES = Array.from({ length: 30 }, (_, index) => ({
  id: `n${index}`,
  at: new Date(Date.UTC(2026, 2, 1) + index * 5 * 3_600_000).toISOString(),
}));

interface Zones {
  /** What the header says, and where its days begin. */
  readonly told: string;
  readonly counted: string;
  readonly isNamed?: boolean;
}

async function findIn({ told, counted, isNamed = true }: Zones) {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: counted, dateStyle: "short" });
  const reply = (asked: Asked): Reply => {
    if (!isSignedIn(asked)) return SIGN_IN;
    if (asked.method !== "GET") return { status: 405, headers: { allow: "GET, HEAD" } };
    const [from, to] = ["from", "to"].map((name) => asked.query.get(name));
    if ([from, to].some((day) => day && !/^\d{4}-\d\d-\d\d$/.test(day)))
      return { status: 400, body: {} };
    const body = NOTES.filter(({ at }) => {
      const day = format.format(new Date(at));
      return (!from || day >= from) && (!to || day <= to);
    });
    return { status: 200, body, headers: { "time-zone": told } };
  };
  const zone = isNamed && { zone: "header:Time-Zone" };
  const range = { of: "listNotes", from: "from", to: "to", field: "at", unit: "day", ...zone };
  const { findings, kept } = await check(PATHS, reply, { rules: [{ range }] });
  const [found, proved] = [findings, kept].map((all) =>
    all.map(({ requirement }) => requirement).filter((one) => one.startsWith("range.")),
  );
  return { found, proved };
}

test.each(["Asia/Tokyo", "America/New_York", "UTC"])("days of %s are kept", async (zone) => {
  const { found, proved } = await findIn({ told: zone, counted: zone });
  expect(found).toEqual([]);
  expect(proved).toEqual(expect.arrayContaining(["range.zone", "range.ends", "range.within"]));
});

test("days of another zone than the answer says are a finding, and only with the rule's word", async () => {
  const zones = { told: "Asia/Tokyo", counted: "UTC" };
  expect((await findIn(zones)).found).toContain("range.ends");
  expect((await findIn({ ...zones, isNamed: false })).found).toEqual([]);
});

test("what is no zone is a finding", async () => {
  const { found } = await findIn({ told: "Mars/Olympus", counted: "UTC" });
  expect(found).toEqual(["range.zone"]);
});
