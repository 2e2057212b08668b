// What a search says beside its rows: a total that is asked for, links with numbers, the order; and another search for the same rows.
import { expect, test } from "vitest";
import {
  type Asked,
  check,
  type Checked,
  fields,
  isSignedIn,
  listOf,
  operation,
  type Reply,
  SIGN_IN,
  TEXT,
} from "./styles.ts";

type Thing = Readonly<{ id: string; made: string | null }>;

const SIZE = 4;
const THINGS: readonly Thing[] = Array.from({ length: 10 }, (_, index) => ({
  id: `t${index}`,
  made: index === 1 ? null : `2026-01-${20 - index}`,
}));

interface Search {
  readonly rows: readonly Thing[];
  readonly total: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a fault makes of a page, counted from 0. */
type Fault = (right: Search, page: number) => Partial<Search>;

const isRight: Fault = (right) => right;

const toPage = (asked: Asked): number => Number(asked.query.get("page") ?? 0);

const cut = (page: number) => THINGS.slice(page * SIZE, page * SIZE + SIZE);

const serve =
  (fault: Fault) =>
  (asked: Asked): Reply => {
    if (!isSignedIn(asked)) return SIGN_IN;
    if (asked.steps[0] === "all") return { status: 200, body: { items: THINGS } };
    const page = toPage(asked);
    if (!Number.isInteger(page) || page < 0) return { status: 400, body: {} };
    const rows = cut(page);
    const place = rows.length === 0 ? "*" : `${page * SIZE}-${page * SIZE + rows.length - 1}`;
    const isCounted = asked.headers.get("prefer") === "count=exact";
    const right: Search = {
      rows,
      total: THINGS.length,
      headers: {
        ...(isCounted && {
          "content-range": `things ${place}/${THINGS.length}`,
          "preference-applied": "count=exact",
        }),
        ...((page + 1) * SIZE < THINGS.length && {
          link: `</things?page=${page + 1}>; rel="next"`,
        }),
      },
    };
    const { headers, total, rows: items } = { ...right, ...fault(right, page) };
    return { status: 200, headers, body: { items, total } };
  };

const thing = fields({ id: TEXT, made: { type: ["string", "null"] } }, ["id", "made"]);
const paths = {
  "/things": {
    get: {
      ...operation("listThings", {
        200: fields({ items: listOf(thing), total: { type: "integer" } }, ["items"]),
      }),
      parameters: [{ in: "query", name: "page", schema: { type: "integer", minimum: 0 } }],
    },
  },
  "/all": { get: operation("listAll", { 200: fields({ items: listOf(thing) }, ["items"]) }) },
};

const of = "listThings";
const rules = [
  { page: { of, index: "page", from: 0, size: SIZE, next: "header:Link" } },
  { count: { of, total: "total" } },
  { count: { of, total: "header:Content-Range", ask: { "header:Prefer": "count=exact" } } },
  { order: { of, by: "-items/*/made" } },
  { sameAs: { of, as: "listAll" } },
];
const without = ["auth", "http", "input", "same", "matrix", "default", "stable", "links"];

const search = async (fault: Fault, options: Checked = {}) => {
  const report = await check(paths, serve(fault), { rules, without, ...options });
  return { ...report, faults: report.findings.map(({ requirement }) => requirement) };
};

test("a right search has no finding, strict or not, and all of it is proved", async () => {
  const { findings, kept } = await search(isRight, { isStrict: true });
  expect(findings).toEqual([]);
  expect(kept.map(({ requirement }) => requirement)).toEqual(
    expect.arrayContaining(["page.next", "count.total", "order.order", "sameAs.same"]),
  );
});

const header =
  (name: string, change: (value: string) => string): Fault =>
  ({ headers: { [name]: value, ...others } }) => ({
    headers: { ...others, ...(value !== undefined && { [name]: change(value) }) },
  });

test.each<readonly [about: string, requirement: string, fault: Fault]>([
  [
    "a total that is right on the first page alone",
    "count.total",
    ({ total }, page) => ({ total: page === 0 ? total : 0 }),
  ],
  [
    "a total that is wrong where it is asked for",
    "count.total",
    header("content-range", (range) => range.replace("/10", "/11")),
  ],
  [
    "the link of the second page skips one",
    "page.next",
    header("link", (link) => link.replace("page=2", "page=3")),
  ],
  [
    "the second page has no link",
    "page.next",
    (_right, page) => (page === 1 ? { headers: {} } : {}),
  ],
  [
    "rows beside one without a value stand the wrong way round",
    "order.order",
    ({ rows }, page) =>
      page === 0 ? { rows: [...rows.slice(0, 3).toReversed(), ...rows.slice(3)] } : {},
  ],
  [
    "a row reads otherwise in another list",
    "sameAs.same",
    ({ rows }) => ({ rows: rows.map((row) => ({ ...row, made: row.made && "2020-01-01" })) }),
  ],
])("%s", async (_about, requirement, fault) => {
  const { faults } = await search(fault);
  expect(faults).toContain(requirement);
});

test.each<readonly [about: string, requirement: string, fault: Fault]>([
  [
    "rows are counted from 1",
    "count.total",
    header("content-range", (range) => range.replace("0-3", "1-4").replace("4-7", "5-8")),
  ],
  [
    "nothing says that the preference was heeded",
    "count.total",
    ({ headers: { "preference-applied": _applied, ...headers } }) => ({ headers }),
  ],
  [
    "the link names a host that clients may not reach",
    "page.next",
    header("link", (link) => link.replace("</", "<http://10.0.0.7:8080/")),
  ],
])("is a finding only if the check is strict: %s", async (_about, requirement, fault) => {
  expect((await search(fault)).findings).toEqual([]);
  expect((await search(fault, { isStrict: true })).faults).toEqual([requirement]);
});

test("a service that gives its last page again past the end is told so, and its rows are read whole", async () => {
  const { faults, kept } = await search((right, page) => (page > 2 ? { rows: cut(2) } : right));
  expect(faults).toEqual(["page.past"]);
  expect(kept.map(({ requirement }) => requirement)).toContain("page.circle");
});
