// Answers in the shapes of others: lists and things, their wrappers, and the words of their paths.
import { describe, expect, test } from "vitest";
import { toWord } from "../src/items.ts";
import { explain, loadRelations, toFirstRelations } from "../src/index.ts";
import {
  type Thing,
  THING,
  things,
  inQuery,
  listing,
  getting,
  summarise,
  KEPT,
  serve,
  toPage,
  THINGS,
} from "./foreign/things.ts";
import { check, fields, listOf, operation, TEXT, toDocument } from "./styles.ts";

describe("the shape of an answer", () => {
  const owner = fields({ id: TEXT, mail: TEXT });
  test.each<readonly [about: string, list: object, line: string]>([
    [
      "rows in an allOf, beside another array",
      {
        allOf: [
          fields({ warnings: listOf(fields({ text: TEXT })) }),
          fields({ entries: listOf(THING) }),
        ],
      },
      "items: entries, key: id",
    ],
    [
      "rows of one of several schemas have the fields of any",
      fields({ rows: listOf({ oneOf: [fields({ kind: TEXT }), fields({ number: TEXT })] }) }),
      "items: rows, key: number",
    ],
    [
      "rows below another object",
      fields({ data: fields({ things: listOf(THING) }) }),
      "items: data/things, key: id",
    ],
    [
      "rows whose key is called after them",
      fields({ items: listOf(fields({ thingId: TEXT, code: TEXT })) }),
      "items: items, key: thingId",
    ],
    [
      "rows that have nothing but a name",
      fields({ items: listOf(fields({ size: TEXT, name: TEXT })) }),
      "items: items, key: name",
    ],
    [
      "a thing with an array is no list",
      fields({ id: TEXT, aliases: listOf(fields({ alias: TEXT })), owner }),
      "none",
    ],
  ])("%s", (_about, list, line) => {
    const document = toDocument({
      "/things": { get: operation("listThings", { 200: list as Thing }) },
    });
    const written = toFirstRelations(document)
      .split("\n")
      .find((one) => one.includes("listThings:"));
    expect(written ?? "none").toContain(line);
  });

  test("what ends in a key is a thing, whatever arrays it has; lists: none says it of others", async () => {
    const tagged = fields({ id: TEXT, name: TEXT, items: listOf(fields({ id: TEXT })) }, [
      "id",
      "name",
    ]);
    const paths = { ...THINGS, "/things/{id}": { get: getting("getThing", tagged) } };
    const rules = [{ sameAs: { of: "getThing", as: "listThings" } }];
    const reply = (body: (thing: Thing) => Thing) =>
      serve({ things: things("t") }, (came) => {
        const thing = came.body as Thing;
        return "items" in thing ? came : { ...came, body: body(thing) };
      });
    expect(
      await summarise(
        paths,
        reply((one) => ({ ...one, items: [] })),
        { rules },
      ),
    ).toMatchObject(KEPT);
    const renamed = reply((one) => ({ ...one, name: "other", items: [] }));
    expect((await summarise(paths, renamed, { rules })).findings).toEqual(["sameAs.same getThing"]);
    const document = toDocument(THINGS, { "x-relations": { lists: { listThings: "none" } } });
    const told = explain(document, await loadRelations(document), {
      mayWrite: false,
      hasSecond: false,
    });
    expect(told.lists).toEqual({});
  });

  test("the first plain answer has the last word: rows of which the document says nothing, a key that two share", async () => {
    const vague = {
      ...THINGS,
      "/things": { get: operation("listThings", { 200: { type: "object" } }) },
    };
    const rules = [{ sameAs: { of: "getThing", as: "listThings" } }];
    expect(await summarise(vague, serve({ things: things("t") }), { rules })).toMatchObject(KEPT);
    // Slugs that two of them share are no keys, so that nothing is there twice.
    const tags = things("t").map((_, index) => ({ slug: `s${index % 8}`, name: `tag ${index}` }));
    const row = fields({ slug: TEXT, name: TEXT });
    const page = { ...inQuery("page", { type: "integer", minimum: 1 }) };
    const limit = inQuery("limit", { type: "integer", minimum: 1, maximum: 50 });
    const paths = { "/tags": { get: listing("listTags", row, { parameters: [page, limit] }) } };
    const { findings } = await summarise(paths, serve({ tags }, toPage), {
      rules: [{ page: { of: "listTags", index: "page", from: 1, size: "limit" } }],
    });
    expect(findings).toEqual([]);
  });
});

test.each([
  ["taxes", "tax"],
  ["addresses", "address"],
  ["batches", "batch"],
  ["caches", "cache"],
  ["houses", "house"],
  ["entries", "entry"],
])("/%s are of one %s", (path, word) => {
  expect(toWord(`/v1/${path}`)).toBe(toWord(word));
});

test("what fits no schema of a union is one finding, with what tells most", async () => {
  const sort = (type: string, name: string, inner: object) =>
    fields({ type: { const: type }, [name]: inner }, ["type", name]);
  const entry = {
    oneOf: [sort("file", "size", fields({ bytes: TEXT }, ["bytes"])), sort("link", "to", TEXT)],
  };
  const paths = { "/entries": { get: listing("listEntries", entry) } };
  const asked = async (row: Thing) => {
    const entries = [row, { type: "link", to: "a" }];
    const { findings } = await check(paths, serve({ entries }));
    return findings.map(({ fault }) => fault);
  };
  expect(await asked({ type: "file", size: { bytes: "1" } })).toEqual([]);
  expect(await asked({ type: "file", size: {} })).toEqual(["items[0].size.bytes: missing"]);
  expect(await asked({ type: "file", size: { bytes: "1" }, more: 1 })).toHaveLength(1);
  expect(await asked({ type: "mail", to: "a" })).toHaveLength(1);
});
