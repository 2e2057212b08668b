// Relations in recorded traffic: a fault that one response shows is found, and lawful freedom is none.
import { expect, test } from "vitest";
import { judge, type Made, toEntry, toLines } from "./recorded.ts";
import { fields, inPath, listOf, operation, TEXT } from "./styles.ts";

const NUMBER = { type: "integer" };
const ROW = fields({
  id: NUMBER,
  name: TEXT,
  state: TEXT,
  at: { type: ["string", "null"] },
  size: NUMBER,
  parent: TEXT,
  note: TEXT,
  owner: TEXT,
});
const inQuery = (name: string, schema: unknown = TEXT) => ({ in: "query", name, schema });
const PATHS = {
  "/rows": {
    get: {
      ...operation("listRows", {
        200: fields({ rows: listOf(ROW), total: NUMBER, next: TEXT, page: NUMBER }),
      }),
      parameters: [
        inQuery("page", { type: "integer", minimum: 1 }),
        inQuery("limit", { type: "integer", minimum: 1, maximum: 50 }),
        inQuery("state"),
        inQuery("q"),
        inQuery("filter"),
        inQuery("from"),
        inQuery("to"),
        inQuery("least", NUMBER),
        inQuery("sort"),
        inQuery("fields"),
        inQuery("cursor"),
      ],
    },
    post: operation("addRow", { 201: ROW }, ROW),
  },
  "/parents/{parent}/rows": {
    parameters: [inPath("parent")],
    get: operation("listBelow", { 200: listOf(ROW) }),
  },
};

const PAGE = {
  page: { of: "listRows", index: "page", from: 1, size: "limit", echo: "page", next: "next" },
};
const STATE = { filter: { of: "listRows", by: "state", field: "state" } };
const NAME = { filter: { of: "listRows", by: "q", field: "name", match: "contains" } };
const WRITTEN = { filter: { of: "listRows", by: "filter", field: "name", as: 'name eq "{}"' } };
const DAYS = { range: { of: "listRows", from: "from", to: "to", field: "at", unit: "day" } };
const INSTANTS = {
  range: { of: "listRows", from: "from", to: "to", field: "at", unit: "instant" },
};
const LEAST = { range: { of: "listRows", from: "least", field: "size", unit: "number" } };
const ORDER = { order: { of: "listRows", by: "size" } };
const SORTED = { order: { of: "listRows", by: "-size", with: { sort: "-size" } } };
const COUNT = { count: { of: "listRows", total: "total" } };
const BELOW = { echo: { of: "listBelow", param: "parent", field: "parent" } };
const SENT = { echo: { of: "addRow", body: "all" } };
const CLOSED = {
  implies: {
    of: "listRows",
    if: { properties: { state: { const: "closed" } }, required: ["state"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ["at"] },
  },
};
const FIELDS = { projection: { of: "listRows", by: "fields", fields: ["id", "name"] } };

const list = (
  query: string,
  rows: readonly unknown[],
  more: Readonly<Record<string, unknown>> = {},
): Made => ({
  url: `/rows${query}`,
  body: { rows, ...more },
});
const add = (sent: unknown, body: unknown): Made => ({
  method: "POST",
  url: "/rows",
  sent,
  status: 201,
  body,
});
const ids = (...all: readonly number[]) => all.map((id) => ({ id }));
const MANY = ids(...Array.from({ length: 60 }, (_, index) => index));

const FAULTS: readonly (readonly [line: string, rule: object, made: Made])[] = [
  ["page.size listRows: the page has 3 rows, not 2", PAGE, list("?limit=2", ids(1, 2, 3))],
  ["page.echo listRows: page is 1 on page 2", PAGE, list("?page=2", ids(1), { page: 1 })],
  ["page.distinct listRows: 1 stands on the page twice", PAGE, list("", ids(1, 2, 1))],
  [
    'filter.match listRows: 2 comes and does not match (state=open) (its state is "shut")',
    STATE,
    list("?state=open", [
      { id: 1, state: "open" },
      { id: 2, state: "shut" },
    ]),
  ],
  [
    'filter.match listRows: 2 comes and does not match (state=open, state=new) (its state is "shut")',
    STATE,
    list("?state=open&state=new", [
      { id: 1, state: "new" },
      { id: 2, state: "shut" },
    ]),
  ],
  [
    'filter.match listRows: 1 comes and does not match (q=lamp) (its name is "Desk")',
    NAME,
    list("?q=lamp", [{ id: 1, name: "Desk" }]),
  ],
  [
    'filter.match listRows: 1 comes and does not match (filter=name eq "ada") (its name is "bob")',
    WRITTEN,
    list(`?filter=${encodeURIComponent('name eq "ada"')}`, [{ id: 1, name: "bob" }]),
  ],
  [
    'range.within listRows: 1 comes and does not match (from=2026-03-02, to=2026-03-04) (its at is "2026-03-05")',
    DAYS,
    list("?from=2026-03-02&to=2026-03-04", [{ id: 1, at: "2026-03-05" }]),
  ],
  [
    'range.within listRows: 1 comes and does not match (from=2026-03-02T10:00:00Z) (its at is "2026-03-02T09:59:00Z")',
    INSTANTS,
    list("?from=2026-03-02T12:00:00%2B02:00", [{ id: 1, at: "2026-03-02T09:59:00Z" }]),
  ],
  [
    "range.within listRows: 1 comes and does not match (least=5) (its size is 4)",
    LEAST,
    list("?least=5", [{ id: 1, size: 4 }]),
  ],
  [
    "order.order listRows: 1 stands before 2, against the order of size (size 9, then 3)",
    ORDER,
    list("?state=open", [
      { id: 1, size: 9 },
      { id: 2, size: 3 },
    ]),
  ],
  [
    "order.order listRows: 1 stands before 2, against the order of -size (size 3, then 9)",
    SORTED,
    list("?sort=-size", [
      { id: 1, size: 3 },
      { id: 2, size: 9 },
    ]),
  ],
  [
    "count.total listRows: total is 2, and 3 rows come",
    COUNT,
    list("", ids(1, 2, 3), { total: 2 }),
  ],
  [
    'echo.echo listBelow: parent is "a b", and parent is "c"',
    BELOW,
    { url: "/parents/a%20b/rows", body: [{ parent: "a b" }, { parent: "c" }] },
  ],
  [
    'echo.echo addRow: name is "One", and "Two" was sent',
    SENT,
    add({ name: "Two", state: "x" }, { name: "One", state: "x" }),
  ],
  ["implies.holds listRows: rows.*.at: missing", CLOSED, list("", [{ id: 1, state: "closed" }])],
  [
    'projection.others listRows: with fields=id come 3 other fields, such as "name"',
    FIELDS,
    list("?fields=id", [{ id: 1, name: "a", state: "b", note: "c" }]),
  ],
  [
    'projection.named listRows: with fields=id,name comes no "name"',
    FIELDS,
    list("?fields=id,name", ids(1)),
  ],
];

test.each(FAULTS)("%s", async (line, rule, made) => {
  const report = await judge(PATHS, [toEntry(made)], { rules: [rule as Record<string, unknown>] });
  expect(toLines(report)).toEqual([`${line} (log.entries[0])`]);
});

test("a total that is not that of the only page is found", async () => {
  const rules = [PAGE, COUNT];
  const report = await judge(PATHS, [toEntry(list("?page=1", ids(1, 2), { total: 9, page: 1 }))], {
    rules,
  });
  expect(toLines(report)).toEqual([
    "count.total listRows: total is 9, and 2 rows come (log.entries[0])",
  ]);
});

const LAWFUL: readonly (readonly [about: string, rule: object, made: Made])[] = [
  ["fewer rows than asked for", PAGE, list("?limit=20", ids(1, 2))],
  ["a size that the document does not allow", PAGE, list("?limit=55", MANY)],
  ["a page past the end shows the last number", PAGE, list("?page=900", [], { page: 3 })],
  ["a page without its number", PAGE, list("?page=2", ids(3), { page: 2 })],
  ["a total of all pages", COUNT, list("?page=1", ids(1), { total: 40, next: "?page=2" })],
  ["a filter in another letter case", STATE, list("?state=OPEN", [{ id: 1, state: "open" }])],
  ["a list of values", STATE, list("?state=open,new", [{ id: 1, state: "new" }])],
  ["a comparison", STATE, list("?state=!open", [{ id: 1, state: "new" }])],
  ["a wildcard", STATE, list("?state=op*", [{ id: 1, state: "open" }])],
  ["an empty value", STATE, list("?state=", [{ id: 1, state: "open" }])],
  [
    "accents, which each service folds in its own way",
    NAME,
    list("?q=cafe", [{ id: 1, name: "Café" }]),
  ],
  [
    "an expression that the rule does not have",
    WRITTEN,
    list(`?filter=${encodeURIComponent('name ne "ada"')}`, [{ id: 1, name: "bob" }]),
  ],
  [
    "instants near the ends of days",
    DAYS,
    list("?from=2026-03-02", [{ id: 1, at: "2026-03-01T20:00:00Z" }]),
  ],
  ["a range that is no day", DAYS, list("?from=yesterday", [{ id: 1, at: "2026-03-01" }])],
  ["a day that does not exist", DAYS, list("?from=2026-02-30", [{ id: 1, at: "2026-03-01" }])],
  [
    "an instant without an offset",
    INSTANTS,
    list("?from=2026-03-02T12:00:00", [{ id: 1, at: "2026-03-01T00:00:00Z" }]),
  ],
  ["a row without a moment", DAYS, list("?from=2026-03-02", [{ id: 1, at: null }])],
  [
    "a range that ends before it begins",
    DAYS,
    list("?from=2026-03-09&to=2026-03-02", [{ id: 1, at: "2026-03-05" }]),
  ],
  [
    "another order is asked for",
    ORDER,
    list("?sort=name", [
      { id: 1, size: 9 },
      { id: 2, size: 3 },
    ]),
  ],
  [
    "this order is not asked for",
    SORTED,
    list("", [
      { id: 1, size: 3 },
      { id: 2, size: 9 },
    ]),
  ],
  ["a text that is trimmed and folded", SENT, add({ name: " Two " }, { name: "two" })],
  [
    "a field that the response does not show",
    SENT,
    add({ name: "Two", note: "n" }, { name: "Two" }),
  ],
  ["what nobody documents", SENT, add({ name: "Two", colour: "red" }, { name: "Two" })],
  [
    "rows that the implication is not about",
    CLOSED,
    list("?state=closed", [{ id: 1, state: "closed" }]),
  ],
  [
    "names of fields in a language",
    FIELDS,
    list("?fields=*,-id", [{ id: 1, name: "a", state: "b", note: "c" }]),
  ],
  ["a refusal", STATE, { url: "/rows?state=open", status: 400, body: { rows: [{ state: "x" }] } }],
];

test.each(LAWFUL)("no finding: %s", async (_about, rule, made) => {
  const right = [list("", ids(7)), { url: "/parents/a/rows", body: [] }, add({}, {})];
  const report = await judge(PATHS, [...right, made].map(toEntry), {
    rules: [rule as Record<string, unknown>],
    options: { isOpen: true },
  });
  expect([report.verdict, ...toLines(report)]).toEqual(["kept"]);
});

test("a clause that was judged is kept; those that need requests are listed with the others", async () => {
  const made = list("?state=open&limit=5", [{ id: 1, state: "open" }]);
  const { kept, skipped } = await judge(PATHS, [toEntry(made)], { rules: [STATE, PAGE] });
  const toWhy = (clause: string) => skipped.find(({ requirement }) => requirement === clause)?.why;
  expect(kept.map(({ requirement }) => requirement)).toEqual(
    expect.arrayContaining(["filter.match", "page.size"]),
  );
  expect([toWhy("filter.finds"), toWhy("page.whole"), toWhy("page.echo")]).toEqual([
    "needs requests",
    "needs requests",
    "no recorded exchange could have refuted it",
  ]);
});

test("only, without and level of a rule hold for recordings too", async () => {
  const made = toEntry(
    list("?state=open&limit=1", [
      { id: 1, state: "x" },
      { id: 2, state: "x" },
    ]),
  );
  const rules = [
    { filter: { ...STATE.filter, only: "finds" } },
    { page: { ...PAGE.page, level: "observe" } },
  ];
  const { findings, observations } = await judge(PATHS, [made], { rules });
  expect([findings, observations.map(({ requirement }) => requirement)]).toEqual([
    [],
    ["page.size"],
  ]);
  const left = await judge(PATHS, [made], { rules: [STATE], options: { without: ["filter"] } });
  expect(left.findings).toEqual([]);
});
