// What two documents differ in for a client, on small documents of all kinds. Edits of the contract itself, each labelled
// by judgement, are in apps/contract-gate.
import { expect, test } from "vitest";
import { compareDocuments, greatestOf, type JsonObject, lookUp } from "../src/index.ts";
import { rateBoth, text, toDocument } from "./documents.ts";

const field = (schema: JsonObject) => ({ type: "object", properties: { id: schema } });

test.each<[string, JsonObject, JsonObject, object]>([
  [
    "a field more",
    field(text),
    { type: "object", properties: { id: text, no: text } },
    { sent: "additive", answered: "additive" },
  ],
  [
    "a choice more",
    { anyOf: [text] },
    { anyOf: [text, { type: "null" }] },
    { sent: "additive", answered: "breaking" },
  ],
  [
    "one of fewer",
    { oneOf: [text, { type: "null" }] },
    { oneOf: [text] },
    { sent: "breaking", answered: "additive" },
  ],
  [
    "a condition more",
    { allOf: [text] },
    { allOf: [text, { maxLength: 3 }] },
    { sent: "breaking", answered: "additive" },
  ],
  [
    "items that are described",
    { type: "array" },
    { type: "array", items: text },
    { sent: "breaking", answered: "additive" },
  ],
  [
    "items that are so no more",
    { type: "array", items: text },
    { type: "array" },
    { sent: "additive", answered: "breaking" },
  ],
  [
    "other keys of one type",
    { additionalProperties: true },
    { additionalProperties: text },
    { sent: "breaking", answered: "additive" },
  ],
  ["an extension", text, { ...text, "x-note": 1 }, { sent: "prose", answered: "prose" }],
  [
    "a type that the listed values have anyway",
    { type: ["string", "null"], enum: ["in", "out", null] },
    { enum: ["in", "out", null] },
    { sent: "prose", answered: "prose" },
  ],
  [
    "an empty list, said by its bound and said by its value",
    { type: "array", items: text, maxItems: 0 },
    { const: [] },
    { sent: "breaking", answered: "additive" },
  ],
  [
    "a type that a listed value does not have",
    { type: "integer" },
    { enum: [1, 1.5] },
    { sent: "breaking", answered: "breaking" },
  ],
  [
    "items in place of a list of values that have some",
    { const: ["a"] },
    { const: ["a"], items: text },
    { sent: "breaking", answered: "additive" },
  ],
])("%s", (_, before, after, ratings) => {
  expect(rateBoth(before, after)).toEqual(ratings);
});

test.each<[string, JsonObject, JsonObject]>([
  ["a keyword that has no rule", {}, { unknown: 1 }],
  ["one that is lifted", { unknown: 1 }, {}],
  ["a condition that is another", { not: text }, { not: { type: "integer" } }],
])("%s cannot be judged, which is breaking", (_, before, after) => {
  expect(rateBoth(before, after)).toEqual({ sent: "breaking", answered: "breaking" });
});

test.each([
  ["a webhook", { webhooks: { called: { post: { responses: {} } } } }, "additive"],
  [
    "servers, where it was its own",
    { servers: [{ url: "https://archive.example.com" }] },
    "breaking",
  ],
  ["its own server, and another", { servers: [{ url: "/" }, { url: "/v2" }] }, "additive"],
  ["its own server, said", { servers: [{ url: "/", description: "Here." }] }, "prose"],
  ["tags", { tags: [{ name: "Calls" }] }, "prose"],
])("%s of the document", (_, more, rating) => {
  expect(greatestOf(compareDocuments(toDocument(text, text), toDocument(text, text, more)))).toBe(
    rating,
  );
});

test("another version is not a change", () => {
  const later = { info: { title: "Archive", version: "7.0.0" } };
  expect(compareDocuments(toDocument(text, text), toDocument(text, text, later))).toEqual([]);
});

test("the removal of a nested part is reported once, for its outermost part and at its old place", () => {
  const before = toDocument(text, { type: "object", properties: { call: field(text) } });
  const after = toDocument(text, { type: "object", properties: {} });
  const findings = compareDocuments(before, after);
  expect(findings).toEqual([
    {
      rating: "breaking",
      rule: "gone",
      pointer: expect.stringMatching(/\/properties\/call$/),
      message: "POST /calls 200 application/json .call is gone",
      operations: ["POST /calls"],
    },
  ]);
  expect(lookUp(before, findings[0]?.pointer ?? "")).toEqual(field(text));
});

test("the message has short values before and after", () => {
  const [finding] = compareDocuments(toDocument(text, text), toDocument(text, { type: "null" }));
  expect(finding?.message).toBe(
    'POST /calls 200 application/json: type allows other values ("string" -> "null")',
  );
});

test.each<[JsonObject, JsonObject, string, string]>([
  [
    { maxLength: 5 },
    { maxLength: 9 },
    "maxLength allows more values",
    "maxLength allows more values",
  ],
  [{ enum: [1, 2] }, { enum: [1] }, "enum allows fewer values", "enum allows fewer values"],
  [
    { pattern: "a" },
    { pattern: "b" },
    "pattern allows other values",
    "pattern allows other values",
  ],
  [{}, { required: ["id"] }, "more fields must be sent", "more fields are always there"],
  [{ required: ["id"] }, {}, "fewer fields must be sent", "fewer fields are always there"],
])(
  "the message tells a tighter schema from a looser one: %j to %j",
  (before, after, sent, answered) => {
    const [one, other] = [
      { ...field(text), ...before },
      { ...field(text), ...after },
    ];
    const messages = compareDocuments(toDocument(one, one), toDocument(other, other)).map(
      ({ message }) => message.replace(/ \(.*\)$/, "").replace(/^.*: /, ""),
    );
    expect(messages).toEqual([sent, answered]);
  },
);

test("so is whether something is needed", () => {
  const withParameter = (required: boolean) => {
    const parameters = [{ name: "agent", in: "query", schema: text, required }];
    const headers = { "X-Count": { schema: text, required } };
    const responses = { "200": { description: "Calls.", headers } };
    return toDocument(text, text, { paths: { "/calls": { get: { parameters, responses } } } });
  };
  const tell = (before: boolean, after: boolean) =>
    compareDocuments(withParameter(before), withParameter(after)).map(({ message }) => message);
  expect(tell(false, true)).toEqual([
    expect.stringContaining("it must be sent now"),
    expect.stringContaining("it is always there now"),
  ]);
  expect(tell(true, false)).toEqual([
    expect.stringContaining("it need not be sent now"),
    expect.stringContaining("it may be missing now"),
  ]);
});

test("a change of a schema with two uses is reported once, at its definition", () => {
  const shared = { $ref: "#/components/schemas/Call" };
  const document = (call: JsonObject) =>
    toDocument(shared, shared, { components: { schemas: { Call: call } } });
  const findings = compareDocuments(document(text), document({ type: "integer" }));
  expect(findings.map(({ pointer }) => pointer)).toEqual(["#/components/schemas/Call/type"]);
});

test("a change of a shared part is reported for each operation that gains or loses it", () => {
  const page = (name: string) => ({ name, in: "query", schema: text });
  const document = (name: string, ...lost: readonly string[]) => {
    const use = { $ref: "#/components/parameters/Page" };
    const toPath = (path: string) => {
      const refused = lost.includes(path) ? {} : { 406: { $ref: "#/components/responses/No" } };
      return [path, { get: { parameters: [use], responses: refused } }];
    };
    const components = {
      parameters: { Page: page(name) },
      responses: { No: { description: "No." } },
    };
    const paths = Object.fromEntries(["/a", "/b", "/c"].map(toPath));
    return toDocument(text, text, { paths, components });
  };
  const tell = (after: JsonObject) =>
    compareDocuments(document("pageIndex"), after).map(
      ({ pointer, message }) => `${message} ${pointer}`,
    );
  expect(tell(document("pageIndex", "/a", "/c"))).toEqual([
    "GET /a 406 is gone #/paths/~1a/get/responses/406",
    "GET /c 406 is gone #/paths/~1c/get/responses/406",
  ]);
  const renamed = tell(document("page")).join("\n");
  for (const path of ["a", "b", "c"]) {
    expect(renamed).toContain(
      `GET /${path} query pageIndex is gone #/paths/~1${path}/get/parameters/0`,
    );
    expect(renamed).toContain(`GET /${path} query page is new`);
  }
});

test("a schema that contains itself is followed", () => {
  const tree = (more: JsonObject) => {
    const Tree = {
      ...field(text),
      items: { $ref: "#/components/schemas/Tree", description: "Below.", ...more },
    };
    return toDocument(
      text,
      { $ref: "#/components/schemas/Tree" },
      { components: { schemas: { Tree } } },
    );
  };
  expect(compareDocuments(tree({}), tree({ description: "Inside." }))).toMatchObject([
    { rating: "prose" },
  ]);
});

test.each<[string, JsonObject, JsonObject, string]>([
  ["comes", {}, { Below: {} }, "additive"],
  ["goes", { Below: {} }, {}, "breaking"],
])("a field that leads back to what it is in %s", (_what, before, after, rating) => {
  const tree = (fields: JsonObject) => {
    const reference = { $ref: "#/components/schemas/Tree" };
    const below = Object.fromEntries(Object.keys(fields).map((name) => [name, reference]));
    const Tree = { type: "object", properties: { id: text, ...below } };
    return toDocument(text, reference, { components: { schemas: { Tree } } });
  };
  const findings = compareDocuments(tree(before), tree(after));
  expect(findings).toHaveLength(1);
  expect(findings[0]?.message).toContain("POST /calls 200 application/json .Below is");
  expect(greatestOf(findings)).toBe(rating);
});

test("a reference may be percent-encoded", () => {
  const at = (name: string) =>
    toDocument({ $ref: `#/components/schemas/${name}` }, text, {
      components: { schemas: { "Call of a day": text } },
    });
  const findings = compareDocuments(at("Call of a day"), at("Call%20of%20a%20day"));
  expect(findings).toMatchObject([{ rating: "prose" }]);
});

test.each<[string, unknown[], unknown[], string]>([
  ["asks for another scope", [{ login: ["read"] }], [{ login: ["list"] }], "breaking"],
  ["asks for a scope more", [{ login: ["read"] }], [{ login: ["list", "read"] }], "breaking"],
  ["asks for a scope less", [{ login: ["list", "read"] }], [{ login: ["read"] }], "additive"],
  ["takes another scope", [{ login: ["a"] }], [{ login: ["a"] }, { login: ["b"] }], "additive"],
  ["names its scopes otherwise", [{ login: ["a", "b"] }], [{ login: ["b", "a"] }], "prose"],
])("an operation that %s", (_what, before, after, rating) => {
  const [old, now] = [before, after].map((security) => toDocument(text, text, { security }));
  expect(greatestOf(compareDocuments(old ?? {}, now ?? {}))).toBe(rating);
});

test("keys next to a reference count", () => {
  const components = { schemas: { Name: text } };
  const named = (beside: JsonObject) =>
    toDocument({ $ref: "#/components/schemas/Name", ...beside }, text, { components });
  expect(greatestOf(compareDocuments(named({}), named({ maxLength: 9 })))).toBe("breaking");
});

test.each([
  [{ swagger: "2.0", paths: {} }, "no OpenAPI document: openapi must be 3.0.x, 3.1.x or 3.2.x"],
  [
    toDocument({ $ref: "call.yaml" }, text),
    "refers to call.yaml, which is not in the document: bundle it first",
  ],
  [
    toDocument({ $ref: "#/components/schemas/None" }, text),
    "refers to #/components/schemas/None, which is not there",
  ],
  [
    toDocument({ $ref: "#/components/schemas/A" }, text, {
      components: { schemas: { A: { $ref: "#/components/schemas/A" } } },
    }),
    "refers to #/components/schemas/A, and so to itself",
  ],
  [toDocument({ $ref: "#/components/schemas/%" }, text), "schemas/%, which is not there"],
])("a document that cannot be read is refused with its fault: %#", (document, fault) => {
  expect(() => compareDocuments(toDocument(text, text), document)).toThrow(fault);
  expect(() => compareDocuments(document, document)).toThrow(fault);
});

test.each([
  ["404", "additive"],
  ["5XX", "additive"],
  ["default", "breaking"],
  ["201", "breaking"],
])("an answer %s that comes no more is %s", (status, rating) => {
  const toResponses = (statuses: readonly string[]) => {
    const responses = Object.fromEntries(statuses.map((each) => [each, { description: "" }]));
    return toDocument(text, text, { paths: { "/a": { get: { responses } } } });
  };
  const found = compareDocuments(toResponses(["200", status]), toResponses(["200"]));
  expect(found).toMatchObject([{ rating, rule: "gone" }]);
});
