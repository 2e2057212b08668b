// Rules that no linter has: what operations are called, the envelope, the statuses, and a description for everything.
import { expect, test } from "vitest";
import { document, routes } from "../src/index.ts";
import type { Route, SchemaObject } from "../src/index.ts";

test.each(routes)("$operationId begins with what it does", ({ operationId }) => {
  expect(operationId).toMatch(/^(?:create|get|list|search|stream)[A-Z]/);
});

/** Every answer in JSON, but for the token. */
const enveloped = routes.flatMap((route) =>
  Object.entries(route.responses).flatMap(([status, { content = {} }]) => {
    const schema = content["application/json"]?.schema;
    const isToken = route.operationId === "createToken" && status === "200";
    return schema === undefined || isToken ? [] : [{ ...route, status: Number(status), schema }];
  }),
);

test.each(enveloped)("$operationId $status is in the envelope", (answer) => {
  const { operationId, status, schema, tag } = answer;
  const counts = operationId === "searchMetadataByCustomFields" ? ["pageID", "recordCount"] : [];
  const isError = status >= 400;
  const fields = ["isError", "errorMessage", "data", ...(isError ? [] : counts)];
  expect(Object.keys(schema.properties ?? {})).toEqual(fields);
  expect(schema.required).toEqual(fields);
  expect(schema.properties).toMatchObject({
    isError: { type: "boolean", const: isError },
    errorMessage: { type: isError ? "string" : ["string", "null"] },
    data: isError ? { const: [] } : { type: tag === "Recordings" ? "object" : "array" },
  });
});

/** What may go wrong with a request (D12, D22), by what it has. */
function toStatuses({ operationId, tag, parameters, body }: Route): string[] {
  const isStream = operationId.startsWith("stream");
  return [
    ...(isStream ? ["200", "206", "304"] : ["200"]),
    ...(parameters.length > 0 || body !== undefined ? ["400"] : []),
    "401",
    ...(tag === "Recordings" ? ["403", "404"] : []),
    "406",
    ...(body === undefined ? [] : ["413", "415"]),
    ...(isStream ? ["416"] : []),
    "429",
    "500",
    "503",
  ];
}

test.each(routes)("$operationId has every status that its requests can get", (route) => {
  expect(Object.keys(route.responses)).toEqual(toStatuses(route));
});

/** The parts of an operation that lack a description, each by its way from the operation. */
function findUndescribed({ operationId, parameters, body, responses }: Route): string[] {
  return [
    ...parameters.flatMap((parameter) => check(parameter, `${operationId} ${parameter.name}`)),
    ...findInSchema(body?.schema, `${operationId} body`),
    ...Object.entries(responses).flatMap(([status, { headers = {}, content = {}, ...rest }]) => {
      const at = `${operationId} ${status}`;
      return [
        ...check(rest, at),
        ...Object.entries(headers).flatMap(([name, header]) => check(header, `${at} ${name}`)),
        ...Object.values(content).flatMap(({ schema }) => findInSchema(schema, at)),
      ];
    }),
  ];
}

function findInSchema(schema: SchemaObject | undefined, at: string): string[] {
  if (schema === undefined) return [];
  const { properties = {}, items } = schema;
  return [
    ...(schema.type === "object" ? check(schema, at) : []),
    ...Object.entries(properties).flatMap(([name, field]) => {
      const way = `${at}.${name}`;
      return [...(field.type === "object" ? [] : check(field, way)), ...findInSchema(field, way)];
    }),
    ...findInSchema(items, `${at}[]`),
  ];
}

function check(part: object, at: string): string[] {
  const description = "description" in part ? String(part.description) : "";
  return /^\S.*\.$/s.test(description) ? [] : [at];
}

test.each(routes)("everything of $operationId is described in sentences", (route) => {
  expect(findUndescribed(route)).toEqual([]);
});

test("what is not described is found", () => {
  const schema = { type: "object", description: "A thing.", properties: { color: {} } };
  const route: Route = {
    operationId: "listUsers",
    method: "GET",
    path: "/users/basic-info",
    tag: "Users",
    needsCredentials: true,
    parameters: [{ name: "status", in: "query", required: true, schema: {} }],
    body: { schema },
    responses: {
      "200": { description: "Users", headers: { Link: { schema: {} } } },
      "400": {
        description: "Bad.",
        content: { "application/json": { schema: { type: "array", items: schema } } },
      },
    },
  };
  expect(findUndescribed(route)).toEqual([
    "listUsers status",
    "listUsers body.color",
    "listUsers 200",
    "listUsers 200 Link",
    "listUsers 400[].color",
  ]);
});

test("every component schema is described", () => {
  const schemas = Object.entries(document.components.schemas);
  expect(schemas.flatMap(([name, schema]) => check(schema, name))).toEqual([]);
});
