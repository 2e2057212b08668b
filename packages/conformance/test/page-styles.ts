// Services whose lists have pages, in every style: how a page is asked for, and how it says what follows.
import {
  type Asked,
  content,
  fields,
  isSignedIn,
  listOf,
  operation,
  type Reply,
  SIGN_IN,
  TEXT,
} from "./styles.ts";

type Json = Readonly<Record<string, unknown>>;
type Thing = Readonly<{ id: string; name: string }>;

export const ROWS: readonly Thing[] = Array.from({ length: 10 }, (_, index) => ({
  id: `t${index}`,
  name: `Thing ${index}`,
}));
const MOST = 50;

/** What is said of a page: how it is asked for, and how it says what follows. */
export interface Style {
  readonly rule: Json;
  readonly parameters: readonly (readonly [name: string, schema: Json, place?: "header"])[];
  /** The row with which a page begins; undefined for a request that is refused. */
  readonly from: (asked: Asked) => number | undefined;
  /** `next`: the row with which the next page begins; undefined where there is none. */
  readonly say: (page: Page) => Omit<Reply, "status"> & { readonly status?: number };
}

interface Page {
  readonly rows: readonly Thing[];
  readonly from: number;
  readonly next: number | undefined;
  readonly asked: Asked;
}

export const INTEGER = { type: "integer", minimum: 0 };
const LIMIT = { type: "integer", minimum: 1, maximum: MOST };
const limit = ["limit", LIMIT] as const;
const plain = ({ rows }: Page) => ({ body: { items: rows } });
const sizeOf = ({ query, headers }: Asked): number | undefined => {
  const [, first, last] = /^rows=(\d+)-(\d+)$/.exec(headers.get("range") ?? "") ?? [];
  if (first !== undefined) return Number(last) - Number(first) + 1;
  const size = Number(query.get("limit") ?? query.get("$top") ?? 4);
  return size > 0 && size <= MOST && Number.isInteger(size) ? size : undefined;
};
const number =
  (name: string, first = 0) =>
  ({ query }: Asked): number | undefined => {
    const given = Number(query.get(name) ?? first);
    return Number.isInteger(given) && given >= first ? given - first : undefined;
  };
/** A cursor is `c` and a row. */
const cursor =
  (name: string) =>
  ({ query }: Asked): number | undefined => {
    const given = query.get(name);
    if (given === null) return 0;
    return /^c\d+$/.test(given) ? Number(given.slice(1)) : undefined;
  };
/** After the row of this key; before all of them for one that is unknown. */
const after =
  (name: string) =>
  ({ query }: Asked): number | undefined =>
    query.has(name) ? ROWS.findIndex(({ id }) => id === query.get(name)) + 1 : 0;
const toCursor = (next: number | undefined) => (next === undefined ? undefined : `c${next}`);
const toLink = ({ next, asked }: Page, name: string, base = ""): string | undefined =>
  next === undefined
    ? undefined
    : `${base}/things?${new URLSearchParams([...asked.query].filter(([key]) => key !== name)).toString()}&${name}=c${next}`;
const byNumber = (name: string, first: number): Style => ({
  rule: { index: name, from: first, size: "limit" },
  parameters: [[name, { type: "integer", minimum: first }], limit],
  from: (asked) => {
    const [page, size] = [number(name, first)(asked), sizeOf(asked)];
    return page === undefined || size === undefined ? undefined : page * size;
  },
  say: plain,
});
const byCursor = (rule: Json, name: string, say: Style["say"], size = limit): Style => ({
  rule: { size: size[0], ...rule },
  parameters: [[name, TEXT], size],
  from: cursor(name),
  say,
});

export const STYLES: Readonly<Record<string, Style>> = {
  "numbers from 1": byNumber("page", 1),
  "numbers from 0": byNumber("page_index", 0),
  "offset and limit": {
    rule: { index: "offset", unit: "row", size: "limit", total: "total" },
    parameters: [["offset", INTEGER], limit],
    from: number("offset"),
    say: ({ rows }) => ({ body: { items: rows, total: ROWS.length } }),
  },
  "offset with a flag": {
    rule: { index: "offset", unit: "row", size: "limit", next: { more: "has_more" } },
    parameters: [["offset", INTEGER], limit],
    from: number("offset"),
    say: ({ rows, next }) => ({ body: { items: rows, has_more: next !== undefined } }),
  },
  "$skip, $top and @odata.nextLink": {
    rule: { index: "$skip", unit: "row", size: "$top", next: "@odata.nextLink" },
    parameters: [
      ["$skip", INTEGER],
      ["$top", LIMIT],
    ],
    from: number("$skip"),
    say: ({ rows, next, asked }) => ({
      body: {
        items: rows,
        ...(next !== undefined && {
          "@odata.nextLink": `http://styles.test/things?$top=${sizeOf(asked)}&$skip=${next}`,
        }),
      },
    }),
  },
  "a cursor in the body": byCursor({ cursor: "cursor", next: "next" }, "cursor", (page) => ({
    body: { items: page.rows, next: toCursor(page.next) ?? null },
  })),
  "a cursor in an envelope": byCursor(
    { cursor: "after", next: "paging/cursors/after" },
    "after",
    (page) => ({
      body: { items: page.rows, paging: { cursors: { after: toCursor(page.next) } } },
    }),
  ),
  "a cursor that stays, with a flag": byCursor(
    { cursor: "cursor", next: { at: "page/end", more: "page/has_more" } },
    "cursor",
    ({ rows, from, next }) => ({
      body: {
        items: rows,
        page: { end: `c${next ?? from + rows.length}`, has_more: next !== undefined },
      },
    }),
  ),
  "a cursor in a header": byCursor(
    { cursor: "cursor", next: "header:X-Next-Cursor" },
    "cursor",
    ({ rows, next }) => ({
      body: { items: rows },
      headers: next === undefined ? {} : { "x-next-cursor": `c${next}` },
    }),
  ),
  "a cursor in headers of both": {
    rule: { cursor: "X-Cursor", size: "limit", next: "header:X-Next-Cursor" },
    parameters: [["X-Cursor", TEXT, "header"], limit],
    from: ({ headers }) => {
      const given = headers.get("x-cursor");
      if (given === null) return 0;
      return /^c\d+$/.test(given) ? Number(given.slice(1)) : undefined;
    },
    say: ({ rows, next }) => ({
      body: { items: rows },
      headers: next === undefined ? {} : { "x-next-cursor": `c${next}` },
    }),
  },
  "a page token": byCursor(
    { cursor: "pageToken", next: "nextPageToken" },
    "pageToken",
    ({ rows, next }) => ({ body: { items: rows, nextPageToken: toCursor(next) } }),
  ),
  "a continue token that is empty at the end": byCursor(
    { cursor: "continue", next: "metadata/continue" },
    "continue",
    ({ rows, next }) => ({ body: { items: rows, metadata: { continue: toCursor(next) ?? "" } } }),
  ),
  "a Link header": byCursor({ next: "header:Link" }, "cursor", (page) => ({
    body: { items: page.rows },
    headers: {
      link: [
        '</things>; title="a, b"; rel="first"',
        ...(page.next === undefined ? [] : [`<${toLink(page, "cursor")}>; rel=next`]),
      ].join(", "),
    },
  })),
  "a relative link in the body": byCursor({ next: "links/next" }, "cursor", (page) => ({
    body: { items: page.rows, links: { next: toLink(page, "cursor") ?? null } },
  })),
  "a list of links in the body": byCursor({ next: "links" }, "cursor", (page) => ({
    body: {
      items: page.rows,
      links: [
        { rel: "self", href: "/things" },
        ...(page.next === undefined ? [] : [{ rel: "next", href: toLink(page, "cursor") }]),
      ],
    },
  })),
  "an absolute link in the body": byCursor({ next: "next" }, "cursor", (page) => ({
    body: { items: page.rows, next: toLink(page, "cursor", "http://styles.test") ?? null },
  })),
  "keyset with a flag": {
    rule: { cursor: "starting_after", size: "limit", next: { last: "id", more: "has_more" } },
    parameters: [["starting_after", TEXT], limit],
    from: after("starting_after"),
    say: ({ rows, next }) => ({ body: { items: rows, has_more: next !== undefined } }),
  },
  "keyset to an empty page": {
    rule: { cursor: "since_id", size: "limit", next: { last: "id" } },
    parameters: [["since_id", TEXT], limit],
    from: after("since_id"),
    say: plain,
  },
  "ranges of rows": {
    rule: { range: "rows", total: "header:Content-Range" },
    parameters: [],
    from: ({ headers }) => {
      const asked = headers.get("range");
      return asked === null ? 0 : Number(/^rows=(\d+)-\d+$/.exec(asked)?.[1] ?? 0);
    },
    say: ({ rows, from, asked }) => {
      const range = `rows ${from}-${from + rows.length - 1}/${ROWS.length}`;
      return !asked.headers.get("range")?.startsWith("rows=")
        ? { ...plain({ rows, from, next: undefined, asked }), headers: { "accept-ranges": "rows" } }
        : rows.length === 0
          ? { status: 416, body: {}, headers: { "content-range": `rows */${ROWS.length}` } }
          : { status: 206, body: { items: rows }, headers: { "content-range": range } };
    },
  },
};

export interface Fault {
  /** The rows of a page, and what follows. */
  readonly cut?: (from: number, size: number, all: readonly Thing[]) => readonly Thing[];
  readonly from?: (from: number) => number;
  readonly next?: (next: number | undefined, from: number) => number | undefined;
  readonly all?: () => readonly Thing[];
}

export const serve =
  (style: Style, { cut, from: begin = (from) => from, next: lead, all = () => ROWS }: Fault = {}) =>
  (asked: Asked): Reply => {
    if (!isSignedIn(asked)) return SIGN_IN;
    if (asked.method !== "GET") return { status: 405, headers: { allow: "GET, HEAD" } };
    const [from, size] = [style.from(asked), sizeOf(asked)];
    if (from === undefined || size === undefined) return { status: 400, body: {} };
    const first = begin(from);
    const whole = all();
    const rows = (cut ?? ((at, count) => whole.slice(at, at + count)))(first, size, whole);
    const end = first + (cut === undefined ? rows.length : Math.max(rows.length, size));
    const next = end < whole.length ? end : undefined;
    const page = { rows, from: first, next: lead ? lead(next, first) : next, asked };
    return { status: 200, ...style.say(page) };
  };

export const toPaths = ({ parameters }: Style) => {
  const thing = fields({ id: TEXT, name: TEXT }, ["id", "name"]);
  const schema = { ...fields({ items: listOf(thing) }, ["items"]), additionalProperties: true };
  const list = operation("listThings", { 200: schema });
  return {
    "/things": {
      get: {
        ...list,
        responses: { ...list.responses, 206: { description: "", ...content(schema) } },
        parameters: parameters.map(([name, of, place = "query"]) => ({
          in: place,
          name,
          schema: of,
        })),
      },
    },
  };
};
