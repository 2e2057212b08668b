// What changes in a document and breaks nobody, beside what looks like it and does.
import { expect, test } from "vitest";
import { ALL_RULES, compareDocuments, greatestOf, type JsonObject } from "../src/index.ts";
import { rateBoth, text, toDocument } from "./documents.ts";

const prose = { sent: "prose", answered: "prose" };
const described = (description: string) => ({ ...text, description });

test.each<[string, (description: string) => JsonObject]>([
  ["not", (description) => ({ not: { enum: ["a"], description } })],
  ["prefixItems", (description) => ({ prefixItems: [described(description)] })],
  [
    "patternProperties",
    (description) => ({ patternProperties: { description: described(description) } }),
  ],
])("a description within %s is for people", (_, toSchema) => {
  expect(rateBoth(toSchema("A"), toSchema("B"))).toEqual(prose);
});

test("a name that is spelled like a word for people is a name", () => {
  const toSchema = (name: string) => ({ patternProperties: { [name]: text } });
  expect(rateBoth(toSchema("title"), toSchema("summary")).sent).toBe("breaking");
  const dependent = (title: string) => ({ dependentRequired: { title: [title] } });
  expect(rateBoth(dependent("a"), dependent("b")).sent).toBe("breaking");
});

const rateMore = (before: JsonObject, after: JsonObject) =>
  greatestOf(compareDocuments(toDocument(text, text, before), toDocument(text, text, after)));

test("a description of a webhook is for people, what it sends is not", () => {
  const called = (description: string, schema: JsonObject) => {
    const content = { "application/json": { schema } };
    return { webhooks: { called: { post: { description, requestBody: { content } } } } };
  };
  expect(rateMore(called("A", text), called("B", text))).toBe("prose");
  expect(rateMore(called("A", text), called("A", { type: "integer" }))).toBe("breaking");
});

test("a webhook is a request of the service: it may come, and what it sends may not grow", () => {
  const listed = (...values: string[]) => ({ type: "string", enum: values });
  const hook = (sent: JsonObject, answered: JsonObject) => {
    const content = (schema: JsonObject) => ({ content: { "application/json": { schema } } });
    const responses = { "200": { description: "Taken.", ...content(answered) } };
    return { webhooks: { called: { post: { requestBody: content(sent), responses } } } };
  };
  const [few, more] = [listed("a"), listed("a", "b")];
  expect(rateMore({}, hook(few, few))).toBe("additive");
  expect(rateMore(hook(few, few), {})).toBe("breaking");
  expect(rateMore(hook(few, few), hook(more, few))).toBe("breaking");
  expect(rateMore(hook(more, few), hook(few, few))).toBe("additive");
  expect(rateMore(hook(few, few), hook(few, more))).toBe("additive");
  expect(rateMore(hook(few, more), hook(few, few))).toBe("breaking");
});

test("servers of an operation count by where they are", () => {
  const document = (...servers: JsonObject[]) => ({
    servers: [{ url: "/v1" }],
    paths: { "/calls": { ...(servers.length > 0 && { servers }), get: { responses: {} } } },
  });
  const here = { url: "/v1", description: "Here." };
  expect(rateMore(document(here), document({ url: "/v1", description: "There." }))).toBe("prose");
  expect(rateMore(document(), document(here))).toBe("prose");
  expect(rateMore(document(here), document({ url: "/v2" }))).toBe("breaking");
});

test("choices in another order are the same, also where all are described otherwise", () => {
  const choice = (name: string, description: string) => ({
    properties: { [name]: text },
    description,
  });
  const before = { oneOf: [choice("a", "1"), choice("b", "2")] };
  expect(rateBoth(before, { oneOf: [choice("b", "3"), choice("a", "4")] })).toEqual(prose);
});

const login = (scopes: JsonObject, tokenUrl = "https://login.example") => ({
  type: "oauth2",
  flows: { clientCredentials: { tokenUrl, scopes } },
});
const bearer = { type: "http", scheme: "bearer" };
const key = (name: string, place = "header") => ({ type: "apiKey", in: place, name });

test.each<[string, JsonObject, JsonObject, string]>([
  ["with a scope that is described", login({ read: "R" }), login({ read: "Reads." }), "prose"],
  ["with a scope more", login({ read: "R" }), login({ read: "R", write: "W" }), "additive"],
  ["with a scope less", login({ read: "R", write: "W" }), login({ read: "R" }), "breaking"],
  ["with tokens from elsewhere", login({}), login({}, "https://other.example"), "breaking"],
  ["without a flow", login({}), { type: "oauth2", flows: {} }, "breaking"],
  ["in another letter case", bearer, { ...bearer, scheme: "Bearer" }, "prose"],
  ["with a hint", bearer, { ...bearer, bearerFormat: "JWT" }, "prose"],
  ["of another kind", bearer, { ...bearer, scheme: "basic" }, "breaking"],
  ["in the same header", key("X-Key"), key("x-key"), "prose"],
  ["in another header", key("X-Key"), key("X-Token"), "breaking"],
  ["in another letter case of the query", key("Key", "query"), key("key", "query"), "breaking"],
])("a security scheme %s", (_, before, after, rating) => {
  const document = (own: JsonObject) => ({
    components: { securitySchemes: { own } },
    security: [{ own: [] }],
  });
  expect(rateMore(document(before), document(after))).toBe(rating);
});

test("a security scheme counts where an operation asks for it, by whatever name", () => {
  const document = (asked: string, securitySchemes: JsonObject) => ({
    components: { securitySchemes },
    security: [{ [asked]: [] }],
  });
  const before = document("token", { token: bearer, spare: key("A") });
  expect(rateMore(before, document("token", { token: bearer, spare: key("B") }))).toBe("prose");
  expect(rateMore(before, document("login", { login: bearer }))).toBe("prose");
  expect(rateMore(before, document("login", { login: key("A") }))).toBe("breaking");
  expect(rateMore(before, document("spare", { token: bearer, spare: key("A") }))).toBe("breaking");
});

test.each<[number, number, string, string]>([
  [0.3, 0.1, "additive", "breaking"],
  [0.1, 0.3, "breaking", "additive"],
  [0.3, 0.2, "breaking", "breaking"],
])("multiples of %d and then of %d", (before, after, sent, answered) => {
  expect(rateBoth({ multipleOf: before }, { multipleOf: after })).toEqual({ sent, answered });
});

test("decimals in a list are multiples by their notation, not by binary arithmetic", () => {
  expect(rateBoth({ enum: [0.07] }, { enum: [0.07], multipleOf: 0.01 })).toEqual(prose);
  expect(rateBoth({ enum: [0.075] }, { enum: [0.075], multipleOf: 0.01 }).sent).toBe("breaking");
});

test("where nothing is allowed, all that was said has gone narrower", () => {
  const list = (items: unknown) => ({ type: "array", items });
  const items = { type: "object", properties: { id: text } };
  expect(rateBoth(list(items), list(false))).toEqual({ sent: "breaking", answered: "additive" });
  expect(rateBoth(list(false), list(items))).toEqual({ sent: "additive", answered: "breaking" });
  const field = (id: unknown) => ({ properties: { id } });
  expect(rateBoth(field(text), field(false))).toEqual({ sent: "breaking", answered: "breaking" });
});

test.each<[string, JsonObject, JsonObject]>([
  ["beside its member", { allOf: [{ $ref: "#/components/schemas/Call" }] }, { required: ["id"] }],
  [
    "in another member",
    { allOf: [{ $ref: "#/components/schemas/Call" }, {}] },
    { allOf: [{ $ref: "#/components/schemas/Call" }, { required: ["id"] }] },
  ],
  [
    "in a member",
    { properties: { id: { readOnly: true } }, allOf: [{}] },
    { allOf: [{ required: ["id"] }] },
  ],
])("a field that is only read need not be sent, required %s", (_, before, more) => {
  const Call = { properties: { id: { ...text, readOnly: true } } };
  const document = (schema: JsonObject) =>
    toDocument(schema, text, { components: { schemas: { Call } } });
  const findings = compareDocuments(document(before), document({ ...before, ...more }));
  expect(findings).toMatchObject([{ rating: "prose" }]);
});

test.each<[string, JsonObject]>([
  ["enumerated", { enum: ["a", "b"] }],
  ["with fields", { type: "object", properties: { id: text }, required: ["id"] }],
  ["with a decision", { type: "object", properties: { id: text }, "x-decision": "D02" }],
  ["with a format", { type: "string", format: "date-time", deprecated: true }],
])("a reference that becomes the only member of all is prose: %s", (_, Call) => {
  const reference = { $ref: "#/components/schemas/Call" };
  const document = (items: JsonObject) => {
    const list = { type: "array", items };
    return toDocument(list, list, { components: { schemas: { Call } } });
  };
  const [before, after] = [document(reference), document({ allOf: [reference] })];
  expect(greatestOf(compareDocuments(before, after, { rules: ALL_RULES }))).toBe("prose");
});

test("a field more where no other was allowed in an answer is additive, unless the rule is on", () => {
  const closed = (properties: JsonObject) => ({ properties, additionalProperties: false });
  const [one, two] = [closed({ id: text }), closed({ id: text, name: text })];
  expect(rateBoth(one, two)).toEqual({ sent: "additive", answered: "additive" });
  const documents = [toDocument(text, one), toDocument(text, two)] as const;
  expect(compareDocuments(...documents, { rules: { "closed-answer": "on" } })).toMatchObject([
    { rating: "breaking", rule: "closed-answer", message: expect.stringContaining("name is new") },
  ]);
});

test("a new order of fields is reported only for responses, and only if the rule is on", () => {
  const [one, two] = [{ properties: { a: text, b: text } }, { properties: { b: text, a: text } }];
  const documents = [toDocument(text, one), toDocument(text, two)] as const;
  expect(greatestOf(compareDocuments(...documents))).toBe("prose");
  expect(compareDocuments(...documents, { rules: { "field-order": "on" } })).toMatchObject([
    { rating: "breaking", rule: "field-order", message: expect.stringMatching(/order$/) },
  ]);
  const sent = [toDocument(one, text), toDocument(two, text)] as const;
  expect(greatestOf(compareDocuments(...sent, { rules: { "field-order": "on" } }))).toBe("prose");
});

test("an operation that had no name may get one, and one that had may not", () => {
  const named = (operationId?: string) =>
    toDocument(text, text, {
      paths: { "/calls": { get: { ...(operationId && { operationId }), responses: {} } } },
    });
  expect(greatestOf(compareDocuments(named(), named("listCalls")))).toBe("prose");
  expect(greatestOf(compareDocuments(named("listCalls"), named()))).toBe("breaking");
  expect(greatestOf(compareDocuments(named("listCalls"), named("getCalls")))).toBe("breaking");
});

test.each([
  ["application/json", "prose"],
  ["application/xml", "breaking"],
  ["application/problem+xml; charset=utf-8", "breaking"],
])("how a schema is written in XML, of %s: %s", (media, rating) => {
  const answered = (schema: JsonObject) => {
    const content = { [media]: { schema } };
    const get = { operationId: "a", responses: { "200": { description: "A.", content } } };
    return toDocument(text, text, { paths: { "/app/xml": { get } } });
  };
  const [one, two] = [answered({ ...text, xml: { name: "a" } }), answered(text)];
  expect(greatestOf(compareDocuments(one, two))).toBe(rating);
});
