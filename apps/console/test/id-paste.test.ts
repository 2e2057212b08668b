// Lists of identifiers as other programs copy them, and words that are none.
import { createClient } from "@call-media/client";
import { createFakeService } from "@call-media/testing";
import { expect, test } from "vitest";
import { EMPTY_SEARCH, parseRoute, type SearchRoute, writeRoute } from "../src/route.ts";
import { splitList, toPastedIds } from "../src/search/id-paste.ts";
import { readPage, toQuery } from "../src/search/query.ts";
import { toFiltered, toDraft } from "../src/search/filter-draft.ts";

test.each([
  ["call_id\r\n1001\r\n1002\r\n", ["1001", "1002"]],
  ["1001, 1002;1001\t M7", ["1001", "1002", "M7"]],
  ['"1001","NOPE"', ["1001", "NOPE"]],
])("%j is a list", (pasted, ids) => {
  expect(toPastedIds(pasted)).toEqual(ids);
});

test.each(["1001", "refund, bill", "the meter,\nwhich was 1001", "refund", "", "1001\n", "a\nb\n"])(
  "%j is looked for by its words",
  (pasted) => {
    expect(toPastedIds(pasted)).toBeUndefined();
  },
);

test("each of a list is asked for by itself, all legs come, and each that is not there is named", async () => {
  const calls = Array.from({ length: 120 }, (_, index) => ({
    call_id: String(5000 + (index % 60)),
    datetime: `2026-03-${String(1 + (index % 28)).padStart(2, "0")}T10:00:00Z`,
    campaign: index % 2 === 0 ? "Billing" : "Orders",
    talk_time: index,
  }));
  const service = createFakeService({ calls });
  const client = createClient(service.clientOptions);
  const ids = [...calls.slice(0, 40).map(({ call_id }) => call_id), "NOPE", "M7"];
  const route: SearchRoute = { ...EMPTY_SEARCH, days: "all", filters: { call_id: ids } };
  const query = toQuery(route, "2026-04-01");
  const [first, second] = [
    await readPage(client, query, { pageIndex: 0 }),
    await readPage(client, query, { pageIndex: 1 }),
  ];
  expect(first).toMatchObject({ total: 80, missing: ["NOPE", "M7"] });
  const found = [...first.records, ...second.records];
  const times = found.map(({ datetime }) => Date.parse(datetime ?? ""));
  expect(times).toEqual(times.toSorted((one, other) => other - one));
  const asked = service.requests.filter(({ operationId }) => operationId === "searchMetadata");
  expect(asked).toHaveLength(42);
  // With another filter beside it.
  const billing = toQuery({ ...route, filters: { ...route.filters, campaign: ["Billing"] } }, "");
  expect((await readPage(client, billing, { pageIndex: 0 })).total).toBe(40);
});

test("500 identifiers stay in the address, and are one filter", () => {
  const call_id = Array.from({ length: 500 }, (_, index) => `M-${index}`);
  const route = { ...EMPTY_SEARCH, filters: { call_id } };
  expect(parseRoute(writeRoute(route))).toEqual(route);
  expect(splitList(call_id.join("\n"))).toEqual(call_id);
});

test.each<
  [
    string,
    Partial<SearchRoute>,
    Parameters<typeof toDraft>[1],
    object,
    Partial<SearchRoute> | undefined,
  ]
>([
  [
    "values",
    { filters: { campaign: ["A"] } },
    "campaign",
    { values: ["A", "B"] },
    { filters: { campaign: ["A", "B"] } },
  ],
  ["no value", { filters: { campaign: ["A"] } }, "campaign", { values: [] }, { filters: {} }],
  [
    "a value that is typed alone",
    {},
    "agent_name",
    { typed: " Ann " },
    { filters: { agent_name: ["Ann"] } },
  ],
  [
    "minutes",
    {},
    "talk_time",
    { typed: "10", to: "30:00" },
    {
      where: [
        { field: "talk_time", comparison: ">=", value: 600 },
        { field: "talk_time", comparison: "<=", value: 1800 },
      ],
    },
  ],
  ["no minutes", {}, "talk_time", {}, undefined],
  [
    "a part of a text",
    {},
    "notes",
    { typed: "bill" },
    { where: [{ field: "notes", comparison: "~", value: "bill" }] },
  ],
  [
    "a recording",
    {},
    "recordings",
    {},
    { where: [{ field: "recordings", comparison: "!=", value: null }] },
  ],
])("a filter by %s", (_, route, field, change, filtered) => {
  const search = { ...EMPTY_SEARCH, ...route };
  const draft = { ...toDraft(search, field, undefined), ...change };
  expect(toFiltered(search, draft, undefined)).toEqual(filtered && { ...search, ...filtered });
});
