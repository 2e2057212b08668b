// Schemas that many places share: each pair is compared once, however many ways lead to it.
import { expect, test } from "vitest";
import { compareDocuments, type JsonObject } from "../src/index.ts";
import { text, toDocument } from "./documents.ts";

const SCHEMAS = 30;

const toRef = (number: number) => ({ $ref: `#/components/schemas/S${number % SCHEMAS}` });

/** Thirty schemas, each of which refers to four others: more ways than can ever be gone. */
function toNet(refer: (refs: JsonObject[]) => JsonObject, id: JsonObject): JsonObject {
  const schemas = Array.from({ length: SCHEMAS }, (_, at) => {
    const refs = [1, 4, 7, 10].map((step) => toRef(at * 7 + step));
    const { properties = {}, ...more } = refer(refs);
    const own = at === SCHEMAS - 1 ? id : text;
    return [
      `S${at}`,
      { type: "object", properties: { id: own, ...(properties as object) }, ...more },
    ];
  });
  return toDocument(text, toRef(0), { components: { schemas: Object.fromEntries(schemas) } });
}

test.each<[string, (refs: JsonObject[]) => JsonObject]>([
  [
    "fields",
    (refs) => ({ properties: Object.fromEntries(refs.map((ref, at) => [`f${at}`, ref])) }),
  ],
  [
    "fields with a description each",
    (refs) => ({
      properties: Object.fromEntries(
        refs.map((ref, at) => [`f${at}`, { ...ref, description: `No. ${at}.` }]),
      ),
    }),
  ],
  ["allOf", (refs) => ({ allOf: refs })],
  ["anyOf", (refs) => ({ anyOf: refs })],
  ["oneOf", (refs) => ({ oneOf: refs })],
])("schemas that refer to each other four times each, by %s", (_, refer) => {
  const found = compareDocuments(toNet(refer, text), toNet(refer, { type: "integer" }));
  expect(found).toMatchObject([{ pointer: "#/components/schemas/S29/properties/id/type" }]);
});

const response = (schema: JsonObject) => ({
  description: "Calls.",
  content: { "application/json": { schema } },
});

/** A schema that one operation sends and two answer. */
function toShared(Call: JsonObject): JsonObject {
  const call = { $ref: "#/components/schemas/Call" };
  const answered = { responses: { "200": response({ type: "array", items: call }) } };
  return toDocument(call, text, {
    components: { schemas: { Call } },
    paths: {
      "/calls": { get: answered, post: { requestBody: response(call), responses: {} } },
      "/calls/newest": { get: answered },
    },
  });
}

test("a fault has one path, and the other operations that it breaks", () => {
  const before = toShared({ properties: { id: text } });
  const after = toShared({ properties: { id: { type: ["string", "null"] } } });
  // What is sent may be null now: that breaks nobody.
  expect(compareDocuments(before, after)).toMatchObject([
    {
      rating: "breaking",
      message: expect.stringMatching(
        /^GET \/calls 200 application\/json \[\]\.id: type allows more values .*; also in GET \/calls\/newest$/,
      ),
      operations: ["GET /calls", "GET /calls/newest"],
      from: "string",
      to: ["string", "null"],
    },
  ]);
});

test("the message of a change in one operation does not mention others", () => {
  const [finding] = compareDocuments(toDocument(text, text), toDocument(text, { type: "integer" }));
  expect(finding?.message).not.toContain("also");
});

test("the other operations are others, however deep a fault is in the first one", () => {
  const call = { $ref: "#/components/schemas/Call" };
  const answer = (schema: JsonObject) => ({
    responses: { "200": { description: "Calls.", content: { "application/json": { schema } } } },
  });
  const page = { properties: { page: { properties: { rows: { items: call } } } } };
  const toDeep = (id: JsonObject) =>
    toDocument(text, text, {
      components: { schemas: { Call: { properties: { id } } } },
      paths: { "/calls": { get: answer(page) }, "/calls/newest": { get: answer(call) } },
    });
  const [finding] = compareDocuments(toDeep(text), toDeep({ type: "integer" }));
  expect(finding?.operations).toEqual(["GET /calls", "GET /calls/newest"]);
  expect(finding?.message).toMatch(/^GET \/calls 200 .*; also in GET \/calls\/newest$/);
});
