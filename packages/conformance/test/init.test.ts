// What the first relations file says of a document without hints: keys, the query that shows all, and what is missing.
import { expect, test } from "vitest";
import { explain, loadRelations, parseDocument, toFirstRelations } from "../src/index.ts";

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
  expect(text).toContain('  listIssues: { items: "", key: "number", open: {"state":"all"} }');
  expect(text).toContain("  issue_number: listIssues");
  expect(text).toContain("filter: { of: listIssues, by: assignee, field: assignee");
});

test("what has no source of values is named, by --init and by --explain", async () => {
  expect(toFirstRelations(document)).toMatch(/^# {2}repo: listRepos#\*\/repo$/m);
  const relations = await loadRelations(document);
  const { unsourced } = explain(document, relations, { mayWrite: false, hasSecond: false });
  expect(unsourced).toEqual(["repo"]);
});
