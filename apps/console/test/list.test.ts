// The list: where its rows lie, what a search is made of, and what the page checks by itself.
import { type CallRecord, createClient } from "@call-media/client";
import { createFakeService, type FakeService } from "@call-media/testing";
import {
  SAMPLE_CALLS,
  SAMPLE_CHATS,
  SAMPLE_CONDITIONS,
} from "@call-media/test-setup/condition-samples";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createLayout, findHeadings } from "../src/search/layout.ts";
import { EMPTY_SEARCH, type SearchRoute } from "../src/route.ts";
import { createFilter } from "../src/search/checking.ts";
import { toCommand } from "../src/search/command.ts";
import { readPage, toQuery } from "../src/search/query.ts";
import { readWhere } from "../src/search/language.ts";

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

// The searches read only these fields of a record.
const call = (fields: Partial<CallRecord>) => fields as CallRecord;

const { signal: SIGNAL } = new AbortController();

/** The calls that a search of this service finds and the page shows. */
async function find(service: FakeService, route: Partial<SearchRoute>): Promise<string[]> {
  const query = toQuery({ ...EMPTY_SEARCH, days: "all", ...route }, "2026-11-01");
  const client = createClient(service.clientOptions);
  const { filter } = createFilter(client, query.conditions, SIGNAL);
  const { records } = await readPage(client, query, { pageIndex: 0, signal: SIGNAL });
  return (await filter(records)).map(({ call_id }) => call_id ?? "").toSorted();
}

const datetime = "2026-10-30T10:00:00Z";

test("a caller is found by the number in any notation, and the service is asked for its end", async () => {
  const service = createFakeService({
    calls: [
      { call_id: "a", datetime, ani: "030998877" },
      { call_id: "b", datetime, ani: "tel:+49-30-998877" },
      { call_id: "c", datetime, dnis: "+49 30 998877" },
      { call_id: "d", datetime, ani: "+49 30 998878" },
      { call_id: "e", datetime, ani: "201", phone_number1: "(030) 99 88 77" },
    ],
  });
  for (const number of ["+49 30 998877", "tel:+49-30-998877"]) {
    expect(await find(service, { filters: { ani: [number] } })).toEqual(["a", "b"]);
    expect(await find(service, { filters: { phone_number1: [number] } })).toEqual(["e"]);
  }
  const asked = service.requests.filter(({ url }) => url.includes("/metadata"));
  expect(new Set(asked.map(({ url }) => new URL(url).searchParams.get("words")))).toEqual(
    new Set(['"30998877"']),
  );
  expect(await find(service, { filters: { ani: ["201"] } })).toEqual(["e"]);
  expect(await find(service, { filters: { dnis: ["8877"], campaign: ["x"] } })).toEqual([]);
  expect(await find(service, { words: "201*", filters: { ani: ["201"] } })).toEqual([]);
});

test("all days have the first calls that an archive can hold, and the last", async () => {
  const times = ["1831-06-01T00:00:00", "1899-12-31T10:00:00Z", "2200-12-30T10:00:00Z"];
  const calls = times.map((time, index) => ({ call_id: String(index), datetime: time }));
  for (const minutes of [0, -300, 345]) {
    const profile = { utcOffsetMinutes: { from: minutes, to: minutes } };
    expect(await find(createFakeService({ calls, profile }), {})).toEqual(["0", "1", "2"]);
  }
});

test("a service that does not search by words is asked for everything, and its count is that of the list", async () => {
  const calls = Array.from({ length: 60 }, (_, index) => ({
    call_id: String(index),
    datetime,
    ani: index === 59 ? "030998877" : "201",
  }));
  const service = createFakeService({ calls });
  const fetch: typeof service.fetch = async (input, init) => {
    const request = new Request(input, init);
    const answer = await service.fetch(request.url.replace(/&?words=[^&]*/, ""), init);
    answer.headers.delete("Preference-Applied");
    return answer;
  };
  const client = createClient({ ...service.clientOptions, fetch });
  const filters = { ani: ["+49 30 998877"] };
  const query = toQuery({ ...EMPTY_SEARCH, days: "all", filters }, "2026-11-01");
  const { records, total } = await readPage(client, query, { pageIndex: 0, signal: SIGNAL });
  expect([records.length, total]).toEqual([50, 60]);
});

test("what was written in a call was said as well, and only chats that decide are read", async () => {
  const service = createFakeService({
    calls: [
      { call_id: "said", datetime, talk_time: 60, transcript: "A refund, then." },
      { call_id: "wrote", datetime, talk_time: 60 },
      { call_id: "short", datetime, talk_time: 5 },
    ],
    chats: ["wrote", "short"].map((call_id) => ({ call_id, transcript: "My REFUND?" })),
  });
  const where = readWhere('transcript ~ "refund" && talk_time > 10');
  expect(await find(service, { where: "column" in where ? [] : where })).toEqual(["said", "wrote"]);
  expect(service.requests.filter(({ url }) => url.includes("/chat/")).length).toBe(1);
});

test("the page finds by each condition what it means", async () => {
  const service = createFakeService({ calls: SAMPLE_CALLS, chats: SAMPLE_CHATS });
  const found = SAMPLE_CONDITIONS.map(async ([text]) => {
    const where = readWhere(text);
    const ids = "column" in where ? [] : await find(service, { where });
    return [text, ids.join("")];
  });
  expect(await Promise.all(found)).toEqual(SAMPLE_CONDITIONS);
});

test("the command of a search is one that a shell takes as it is meant", () => {
  const query = {
    range: { startDate: "2025-01-01", endDate: "2025-01-31" },
    path: "/metadata/search" as const,
    body: { campaign: "Moves and Connections", customer_last_name: "D'Amico" },
    words: 'refund "the bill"',
    conditions: [{ field: "talk_time" as const, comparison: ">" as const, value: 600 }],
  };
  const picked = ["1", "2"].map((call_id) => ({ call_id }));
  expect(toCommand({ query, picked }, ["--out calls"])).toBe(
    `call-media export --out calls --from 2025-01-01 --to 2025-01-31 --words 'refund "the bill"' ` +
      "--campaign 'Moves and Connections' " +
      `--customer-last-name 'D'\\''Amico' --where 'talk_time > 600' --ids - <<'END'\n1\n2\nEND`,
  );
  // What cannot stand in a list of identifiers is compared as a condition.
  const others = [{ ref_id: "r" }, { call_id: "END" }];
  expect(toCommand({ query, picked: others }, [])).toContain(
    `--where 'talk_time > 600 && (ref_id == "r" && call_id == null || call_id == "END")'`,
  );
});

test("of several values of a field one is enough, matched as the service matches one (D08)", async () => {
  const route = {
    ...EMPTY_SEARCH,
    filters: {
      campaign: ["Retention", "Zoë's"],
      skill: ["Billing"],
      city: ["Bonn", "Köln"],
    },
  };
  const query = toQuery(route, "2026-11-01");
  expect(query.body).toEqual({ skill: "Billing" });
  const records = [
    call({ call_id: "1", campaign: " RETENTION", city: "bonn" }),
    call({ call_id: "2", campaign: "zoë's", city: "KÖLN" }),
    call({ call_id: "3", campaign: "zoe's", city: "Bonn" }),
    call({ call_id: "4", campaign: "Retention", city: "Ulm" }),
  ];
  const client = createClient(createFakeService().clientOptions);
  const { filter } = createFilter(client, query.conditions, SIGNAL);
  expect(await filter(records)).toEqual(records.slice(0, 2));
  expect(toCommand({ query, picked: [] }, [])).toContain(
    `--where '(campaign == "Retention" || campaign == "Zoë'\\''s") && (city == "Bonn" || city == "Köln")'`,
  );
});
