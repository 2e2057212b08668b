// What the first relations file says of a document without hints: keys, the query that shows all, and what is missing.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import {
  explain,
  loadDocument,
  loadRelations,
  parseDocument,
  toFirstRelations,
} from "../src/index.ts";
import { DOCUMENT } from "./library/service.ts";

const ISSUE = {
  type: "object",
  required: ["number", "state"],
  properties: {
    number: { type: "integer" },
    state: { type: "string" },
    assignee: { type: ["string", "null"] },
  },
};
const parameter = (name: string, where: string, schema: object = { type: "string" }) => ({
  name,
  in: where,
  required: where === "path",
  schema,
});
const responses = (schema: object) => ({
  "200": { description: "", content: { "application/json": { schema } } },
});
const document = parseDocument({
  file: "openapi.yaml",
  placeOf: () => ({ file: "openapi.yaml", line: 1 }),
  document: {
    openapi: "3.1.0",
    paths: {
      "/user/repos": {
        get: {
          operationId: "listRepos",
          responses: responses({
            type: "array",
            items: { type: "object", properties: { id: { type: "integer" } } },
          }),
        },
      },
      "/repos/{repo}/issues": {
        get: {
          operationId: "listIssues",
          parameters: [
            parameter("repo", "path"),
            parameter("state", "query", {
              type: "string",
              enum: ["open", "closed", "all"],
              default: "open",
            }),
            parameter("assignee", "query"),
          ],
          responses: responses({ type: "array", items: ISSUE }),
        },
      },
      "/repos/{repo}/issues/{issue_number}": {
        get: {
          operationId: "getIssue",
          parameters: [
            parameter("repo", "path"),
            parameter("issue_number", "path", { type: "integer" }),
          ],
          responses: responses(ISSUE),
        },
      },
    },
  },
});

test("keys are found by the end of a parameter's name, and lists by the query that shows all", () => {
  const text = toFirstRelations(document);
  expect(text).toContain('  listIssues: { items: "", key: number, open: { state: all } }');
  expect(text).toContain("  issue_number: listIssues");
  expect(text).toContain("#  - filter: { of: listIssues, by: assignee, field: assignee }");
});

test("an integer beside the rows that is named as a total is guessed to count them", () => {
  const tools = responses({
    type: "object",
    properties: {
      items: {
        type: "array",
        items: { type: "object", properties: { id: { type: "string" } } },
      },
      totals: { type: "integer" },
      count: { type: "string" },
      total: { type: "integer" },
    },
  });
  const text = toFirstRelations(
    parseDocument({
      file: "openapi.yaml",
      placeOf: () => ({ file: "openapi.yaml", line: 1 }),
      document: {
        openapi: "3.1.0",
        paths: { "/tools": { get: { operationId: "listTools", responses: tools } } },
      },
    }),
  );
  expect(text.split("\n").filter((line) => line.includes("count:"))).toEqual([
    "#  - count: { of: listTools, total: total }",
  ]);
});

test("what has no source of values is named, by --init and by --explain", async () => {
  expect(toFirstRelations(document)).toMatch(/^# {2}repo: listRepos#\*\/repo$/m);
  const relations = await loadRelations(document);
  const { unsourced } = explain(document, relations, { mayWrite: false, hasSecond: false });
  expect(unsourced).toEqual(["repo"]);
});

test("a POST that looks like a search is a list, and is read only once its owner says so", async () => {
  const library = await loadDocument(DOCUMENT);
  const text = toFirstRelations(library);
  expect(text).toContain("# safe: [searchBooks]\n");
  expect(text).toContain("  searchBooks: { items: books, key: id }");
  expect(text).toContain(
    "#  - page: { of: searchBooks, size: body/size, index: body/page, from: 1, total: total }",
  );
  expect(text).toContain("#  - filter: { of: searchBooks, by: body/author, field: author }");
  const folder = await mkdtemp(join(tmpdir(), "init-"));
  const file = join(folder, "relations.yaml");
  const lacks = async (written: string) => {
    const ruled = written.replaceAll(/^# {2}- /gm, "  - ");
    await writeFile(file, ruled);
    const relations = await loadRelations(library, [file]);
    const { rules } = explain(library, relations, { mayWrite: false, hasSecond: false });
    const ofPages = rules.filter(({ law }) => law === "page");
    return ofPages.find(({ operations }) => operations.includes("searchBooks"))?.lacks;
  };
  expect(await lacks(text)).toBe("needs --write");
  expect(await lacks(text.replace("# safe", "safe"))).toBeUndefined();
  await rm(folder, { recursive: true });
});

test("what has no operationId is quoted, and the file reads back", async () => {
  const rows = responses({
    type: "object",
    properties: {
      no: { type: "array", items: { type: "object", properties: { id: { type: "string" } } } },
      next_page_token: { type: ["string", "null"] },
    },
  });
  const paths = {
    "/no": { get: { parameters: [parameter("page_token", "query")], responses: rows } },
    "/no/{id}": {
      get: {
        parameters: [parameter("id", "path")],
        responses: responses({ type: "object", properties: { id: { type: "string" } } }),
      },
    },
  };
  const place = { file: "openapi.yaml", placeOf: () => ({ file: "openapi.yaml", line: 1 }) };
  const bare = parseDocument({ ...place, document: { openapi: "3.1.0", paths } });
  const text = toFirstRelations(bare);
  expect(text).toContain('#  - sameAs: { of: "GET /no/{id}", as: "GET /no" }');
  expect(text).toContain('page: { of: "GET /no", cursor: page_token, next: next_page_token }');
  const folder = await mkdtemp(join(tmpdir(), "init-"));
  const file = join(folder, "relations.yaml");
  const guessed = text.replaceAll(/^# {2}- /gm, "  - ");
  await writeFile(file, guessed);
  const { lists, rules } = await loadRelations(bare, [file]);
  expect(lists).toEqual({ "GET /no": { items: "no", key: ["id"] } });
  expect(rules.map(({ kind, of }) => [kind, ...of])).toEqual([
    ["page", "GET /no"],
    ["sameAs", "GET /no/{id}"],
  ]);
  await rm(folder, { recursive: true });
});

test.each([
  ["museum", "../../../apps/museum/document/openapi.yaml"],
  ["railway", "../../../apps/railway/openapi.yaml"],
  ["call media", "../../../spec/openapi.yaml"],
])(
  "what is printed of %s reads back, as it is and with the # of each guess taken away",
  async (_name, path) => {
    const file = fileURLToPath(new URL(path, import.meta.url));
    const read = await loadDocument(file);
    const text = toFirstRelations(read);
    const folder = await mkdtemp(join(tmpdir(), "init-"));
    const written = join(folder, "relations.yaml");
    const load = async (lines: string) => {
      await writeFile(written, lines);
      return (await loadRelations(read, [written])).rules.length;
    };
    expect(await load(text)).toBe(0);
    expect(await load(text.replaceAll(/^# {2}- /gm, "  - "))).toBe(
      text.match(/^# {2}- /gm)?.length,
    );
    await rm(folder, { recursive: true });
  },
);
