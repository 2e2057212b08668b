// Relations of every carrier are read into the same rules, and each fault of a file names its line and the nearest name.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { loadDocument, loadRelations, toFirstRelations, toJsonSchema } from "../src/index.ts";
import { DOCUMENT, RELATIONS } from "./library/service.ts";

const folder = await mkdtemp(join(tmpdir(), "relations-"));
afterAll(() => rm(folder, { recursive: true }));
const document = await loadDocument(DOCUMENT);

let count = 0;

async function load(...lines: readonly string[]) {
  const file = join(folder, `r${(count += 1)}.yaml`);
  await writeFile(file, `${lines.join("\n")}\n`);
  return loadRelations(document, [file]);
}

const RULES = ['relations: "1"', "rules:"];

test.each<readonly [fault: string, lines: readonly string[]]>([
  [
    ':3: "pag" is unknown here. Did you mean "page"?',
    [...RULES, "  - pag: { of: listBooks, index: page }"],
  ],
  [
    ':3: "indx" is unknown here. Did you mean "index"?',
    [...RULES, "  - page: { of: listBooks, indx: page, next: total }"],
  ],
  [
    ':3: no operation "listBook" in the document. Did you mean "listBooks"?',
    [...RULES, "  - page: { of: listBook, index: page }"],
  ],
  [
    ':3: listBooks has no parameter "pge". Did you mean "page"?',
    [...RULES, "  - page: { of: listBooks, index: pge }"],
  ],
  [
    ':4: books/*/authr is in no schema of listBooks. Did you mean "author"?',
    [
      ...RULES,
      "  - page: { of: listBooks, index: page }",
      "  - filter: { of: listBooks, by: author, field: books/*/authr }",
    ],
  ],
  [":3: filter needs field.", [...RULES, "  - filter: { of: listBooks, by: author }"]],
  [
    ":3: next is one place beside the rows. For a key of the last row say next: { last: id }.",
    [...RULES, "  - page: { of: listBooks, cursor: page, next: books/*/id }"],
  ],
  [
    ":3: next: { last: ... } needs cursor, the parameter that takes that key, and no at.",
    [...RULES, "  - page: { of: listBooks, index: page, next: { last: id } }"],
  ],
  [":3: page needs index, range or next.", [...RULES, "  - page: { of: listBooks, size: size }"]],
  [
    ':3: match is one of equals, folded, digits, contains, prefix, either, not equal. Did you mean "equals"?',
    [...RULES, "  - filter: { of: listBooks, by: author, field: author, match: equal }"],
  ],
  [
    ':3: perCaller "covered" needs rights and cover.',
    [...RULES, "  - perCaller: { of: listBooks, between: covered }"],
  ],
  [":3: page needs of: the operations it is about.", [...RULES, "  - page: { index: page }"]],
  [':1: a relations file begins with relations: "1"', ["rules: []"]],
  [':1: a relations file begins with relations: "1"', ["[]"]],
  [
    ':3: no operation "listBook" in the document. Did you mean "listBooks"?',
    ['relations: "1"', "requirements:", "  - { of: listBook, says: { B-1: Books are listed. } }"],
  ],
  [
    ":3: 0 needs says.",
    ['relations: "1"', "requirements:", "  - { of: listBooks, line: All books. }"],
  ],
  [':2: "rule" is unknown here. Did you mean "rules"?', ['relations: "1"', "rule: []"]],
  [
    ':3: no operation "listBoks" in the document. Did you mean "listBooks"?',
    ['relations: "1"', "lists:", "  listBoks: { key: id }"],
  ],
  [
    ':3: no operation "lstBooks" in the document. Did you mean "listBooks"?',
    ['relations: "1"', "values:", "  bookId: lstBooks"],
  ],
  [
    ':3: "kee" is unknown here. Did you mean "key"?',
    ['relations: "1"', "lists:", "  listBooks: { kee: id }"],
  ],
  [':1: Overlay "2.0.0" is not understood: 1.0 and 1.1 are', ["overlay: 2.0.0", "actions: []"]],
  [
    ":3: the target $.info is not understood, or there is no such operation",
    ["overlay: 1.0.0", "actions:", "  - target: $.info", "    update: { x-relations: [] }"],
  ],
  [
    ":4: only actions that add x-relations are understood",
    ["overlay: 1.0.0", "actions:", "  - target: $", "    update: { info: {} }"],
  ],
  [
    ':4: "remove" of an Overlay is not understood here',
    ["overlay: 1.0.0", "actions:", "  - target: $", "    remove: true"],
  ],
  [
    ':6: "indx" is unknown here. Did you mean "index"?',
    [
      "overlay: 1.1.0",
      "actions:",
      "  - target: $.paths['/books'].get",
      "    update:",
      "      x-relations:",
      "        - page: { indx: page, next: total }",
    ],
  ],
])("%s", async (fault, lines) => {
  await expect(load(...lines)).rejects.toThrow(fault);
});

test("a file tells all of its faults at once", async () => {
  const reading = load(
    ...RULES,
    "  - page: { of: listBook, index: page }",
    "  - page: { of: listBooks, index: pge }",
  );
  await expect(reading).rejects.toThrow(/:3: .*\n.*:4: /);
});

test("an Overlay says the same as a file", async () => {
  const rule = "page: { index: page, from: 1, size: size }";
  const overlay = await load(
    "overlay: 1.0.0",
    "actions:",
    "  - target: $.paths['/books'].get",
    "    update:",
    "      x-relations:",
    `        - ${rule}`,
    "  - target: $",
    "    update: { x-relations: { values: { bookId: listBooks } } }",
  );
  const file = await load(
    'relations: "1"',
    "values: { bookId: listBooks }",
    "rules:",
    "  - page: { of: listBooks, index: page, from: 1, size: size }",
  );
  const bare = ({ rules, ...rest }: typeof file) => ({
    ...rest,
    rules: rules.map(({ place: _place, ...one }) => one),
  });
  expect(bare(overlay)).toEqual(bare(file));
});

test("requirements have operations, a sentence and a source, and a rule may be of every operation", async () => {
  const { requirements, rules } = await load(
    'relations: "1"',
    "requirements:",
    "  - { of: listBooks, line: We list books., says: { B-1: Books are listed. } }",
    "  - { decision: ADR-7, once: true, says: { B-2: Every answer is quick. } }",
    'rules: [{ stable: { of: "*", only: [body] } }]',
  );
  const all = [...document.operations.keys()];
  expect([...requirements]).toEqual([
    [
      "B-1",
      {
        operations: ["listBooks"],
        says: "Books are listed.",
        basis: "line",
        source: "We list books.",
        isOfService: false,
      },
    ],
    [
      "B-2",
      {
        operations: all,
        says: "Every answer is quick.",
        basis: "decision",
        source: "ADR-7",
        isOfService: true,
      },
    ],
  ]);
  expect(rules[0]?.of).toEqual(all);
});

test("several files are put together", async () => {
  const other = join(folder, "other.yaml");
  await writeFile(other, 'relations: "1"\nrules:\n  - order: { of: listBooks, by: id }\n');
  const { rules } = await loadRelations(document, [RELATIONS, other]);
  expect(rules.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["page", "order"]));
});

test("the published JSON Schema is that of the kinds", async () => {
  const written: unknown = JSON.parse(
    await readFile(new URL("../relations.schema.json", import.meta.url), "utf8"),
  );
  expect(written).toEqual(toJsonSchema());
});

test("a first file is read as it is, without a rule; each guess reads back as one", async () => {
  const text = toFirstRelations(document);
  expect((await load(...text.split("\n"))).rules).toEqual([]);
  const guessed = text.replaceAll(/^# {2}- /gm, "  - ");
  const { rules, lists } = await load(...guessed.split("\n"));
  const books = { items: "books", key: ["id"] };
  expect(lists).toEqual({ listBooks: books, searchBooks: books });
  expect(rules.map(({ kind, of }) => `${kind} ${of.join()}`)).toEqual([
    "page listBooks",
    "count listBooks",
    "filter listBooks",
    "filter listBooks",
    "filter listBooks",
    "sameAs getBook",
    "lifecycle addBook",
    "echo addBook",
    "page searchBooks",
    "count searchBooks",
    "filter searchBooks",
    "filter searchBooks",
  ]);
});
