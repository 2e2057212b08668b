// Every example of the contract fits the schema it illustrates, and the schemas refuse bad bodies.
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { routes } from "../src/index.ts";
import type { MediaTypeObject, OperationId, SchemaObject } from "../src/index.ts";

// Not strict: a schema of the contract may carry x-decision.
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

function faults(schema: SchemaObject, value: unknown): string[] {
  const validate = ajv.compile(schema);
  validate(value);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

/** Where the keys of a value are not those of its schema in the same order (D27). */
function misordered(schema: SchemaObject, value: unknown, at = "$"): string[] {
  const { items, properties } = schema;
  if (Array.isArray(value)) {
    return items === undefined ? [] : value.flatMap((item) => misordered(items, item, `${at}[]`));
  }
  if (properties === undefined || typeof value !== "object" || value === null) return [];
  const wrong = Object.keys(value).join() === Object.keys(properties).join() ? [] : [at];
  const inner = Object.entries(value).flatMap(([key, field]) =>
    misordered(properties[key] ?? {}, field, `${at}.${key}`),
  );
  return [...wrong, ...inner];
}

function bodyOf(id: OperationId): MediaTypeObject & { schema: SchemaObject } {
  const body = routes.find((route) => route.operationId === id)?.body;
  if (body?.schema === undefined) throw new Error(`${id} takes no body`);
  return { ...body, schema: body.schema };
}

const answers = routes.flatMap((route) =>
  Object.entries(route.responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content).map(([type, media]) => ({
      name: `${route.operationId} ${status} ${type}`,
      media,
    })),
  ),
);

test.each(answers)("$name has named examples", ({ media }) => {
  expect(Object.keys(media.examples ?? {})).not.toHaveLength(0);
});

const jsonAnswers = answers.filter(({ name }) => name.endsWith(" application/json"));

test.each(jsonAnswers)("the examples of $name are valid and in order", ({ media }) => {
  const { schema = {}, examples = {} } = media;
  for (const [name, { value }] of Object.entries(examples)) {
    expect(faults(schema, value), name).toEqual([]);
    const message = `${name}: these lack fields of their schema, or have them in another order`;
    expect(misordered(schema, value), message).toEqual([]);
  }
});

test.each(["createToken", "searchMetadata", "searchMetadataByCustomFields"] as const)(
  "the request examples of %s are valid",
  (id) => {
    const { schema, examples = {} } = bodyOf(id);
    expect(Object.keys(examples)).not.toHaveLength(0);
    for (const { value } of Object.values(examples)) expect(faults(schema, value)).toEqual([]);
  },
);

test.each(routes)("the examples of the parameters of $operationId are valid", (route) => {
  for (const { name, schema, example } of route.parameters) {
    expect(example, name).toBeDefined();
    expect(faults(schema, example), name).toEqual([]);
  }
});

test.each([
  ["searchMetadata", { colour: "red" }, " must NOT have additional properties"],
  ["searchMetadata", { talk_time: "221" }, "/talk_time must be integer"],
  ["searchMetadata", { agent: null }, "/agent must be string"],
  ["searchMetadata", { ani: "2025550147" }, " must NOT have additional properties"],
  ["searchMetadata", [], " must be object"],
  [
    "searchMetadataByCustomFields",
    { custom_field_21: "x" },
    " must NOT have additional properties",
  ],
  ["searchMetadataByCustomFields", { custom_field_1: 5 }, "/custom_field_1 must be string"],
  ["createToken", { secretID: "app" }, " must have required property 'secretKey'"],
  ["createToken", { secretID: 1, secretKey: "k" }, "/secretID must be string"],
] as const)("%s refuses %j", (id, body, fault) => {
  expect(faults(bodyOf(id).schema, body)).toEqual([fault]);
});

test.each([
  ["searchMetadata", { talk_time: 0 }],
  ["searchMetadata", { agent: "" }],
  ["searchMetadataByCustomFields", {}],
] as const)("%s takes %j (D08, D11)", (id, body) => {
  expect(faults(bodyOf(id).schema, body)).toEqual([]);
});
