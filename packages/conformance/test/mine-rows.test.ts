// The rules that --init writes about filters, orders and totals in the habits of others.
import { expect, test } from "vitest";
import { loadRelations, mineRelations } from "../src/index.ts";
import {
  type Asked,
  fields,
  inPath,
  isSignedIn,
  listOf,
  operation,
  type Reply,
  SIGN_IN,
  TEXT,
  toDocument,
  toFetch,
  TOKEN,
} from "./styles.ts";

const NAMES = ["Gantz", "Akira", "Monster", "Bone", "Kingdom", "Fables", "Lucifer", "Hellboy"];
const ROWS = NAMES.map((name, at) => ({
  id: `r${(at * 5) % 8}`,
  name,
  pages: 8 + ((at * 3) % 8),
  about: { genres: at % 2 ? ["action"] : ["drama", "war"], rating: [12, 16, 18][at % 3] ?? 0 },
}));
type Row = (typeof ROWS)[number];

const about = fields({ genres: listOf(TEXT), rating: { type: "integer" } });
const ROW = fields({ id: TEXT, name: TEXT, pages: { type: "integer" }, about }, ["id", "name"]);
const total = { type: "integer" };
const inQuery = (name: string, schema: object = TEXT) => ({ in: "query", name, schema });
const PATHS = {
  "/books": {
    get: {
      ...operation("listBooks", {
        200: fields(
          { rows: listOf(ROW), meta: fields({ total_amount: total, total_rows: total }) },
          ["rows"],
        ),
      }),
      parameters: [
        inQuery("genre"),
        inQuery("rating"),
        inQuery("name"),
        inQuery("sort", { type: "array", items: TEXT }),
        inQuery("limit", { type: "integer", minimum: 1, maximum: 50 }),
        inQuery("page", { type: "integer", minimum: 1 }),
      ],
    },
  },
  "/books/{id}": { parameters: [inPath("id")], get: operation("getBook", { 200: ROW }) },
};

const sorted = (rows: readonly Row[], sort: string | null): readonly Row[] => {
  const [by = "", way] = sort?.split(",") ?? [];
  if (by !== "name" && by !== "pages" && by !== "id") return rows;
  const up = rows.toSorted((one, other) => (one[by] < other[by] ? -1 : 1));
  return way === "desc" ? up.toReversed() : up;
};

/** `isWanted`: how the service compares names. */
const serve =
  (isWanted: (name: string, asked: string) => boolean) =>
  ({ steps, method, query, ...asked }: Asked): Reply => {
    if (!isSignedIn({ steps, method, query, ...asked })) return SIGN_IN;
    if (method !== "GET") return { status: 405, headers: { allow: "GET, HEAD" } };
    const [, id] = steps;
    const row = ROWS.find((one) => one.id === id);
    if (id !== undefined) return row ? { status: 200, body: row } : { status: 404, body: {} };
    const [genre, rating, name] = ["genre", "rating", "name"].map((one) => query.get(one));
    const [size, page] = ["limit", "page"].map((one) => Number(query.get(one) ?? 1));
    const limit = query.has("limit") ? Number(size) : 50;
    if (!(limit > 0 && limit <= 50 && Number(page) > 0)) return { status: 400, body: {} };
    const rows = sorted(ROWS, query.get("sort"))
      .filter((one) => !genre || one.about.genres.includes(genre))
      .filter((one) => !rating || String(one.about.rating) === rating)
      .filter((one) => !name || isWanted(one.name.toLowerCase(), name.toLowerCase()));
    const from = (Number(page) - 1) * limit;
    const meta = { total_amount: 8, total_rows: rows.length };
    return { status: 200, body: { rows: rows.slice(from, from + limit), meta } };
  };

async function mine(reply: (asked: Asked) => Reply) {
  const document = toDocument(PATHS);
  const { text } = await mineRelations({
    document,
    relations: await loadRelations(document),
    target: {
      baseUrl: "http://mine.test",
      first: { headers: { Authorization: `Bearer ${TOKEN}` } },
      fetch: toFetch(reply),
    },
  });
  return text.split("\n").filter((line) => /^ {2}- \w/.test(line));
}

test("lists below an object, numbers asked as text, Spring's orders, and the total of rows", async () => {
  const rules = await mine(serve((name, asked) => name === asked));
  for (const rule of [
    "filter: { of: listBooks, by: genre, field: about/genres/* }",
    "filter: { of: listBooks, by: rating, field: about/rating }",
    'order: { of: listBooks, by: "-name", with: { sort: "name,desc" } }',
    "count: { of: listBooks, total: meta/total_rows }",
  ])
    expect(rules.join("\n")).toContain(rule);
  expect(rules.join("\n")).not.toContain("total_amount");
});

test("a filter that finds the beginning of a longer part is not one of equality", async () => {
  const start = await mine(serve((name, asked) => asked.length > 3 && name.startsWith(asked)));
  expect(start.filter((line) => line.includes("filter") && line.includes("by: name"))).toEqual([]);
  const same = await mine(serve((name, asked) => name === asked));
  expect(same.filter((line) => line.includes("filter") && line.includes("by: name"))).toHaveLength(
    1,
  );
});
