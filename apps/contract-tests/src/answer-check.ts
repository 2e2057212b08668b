// Checks a response of a running service against the document: status, headers, media type, body and field order. It is stricter
// than a client should be: a field that the document does not have is a fault.
import type { ResponseObject, Route, SchemaObject } from "@call-media/api";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { type ReceivedAnswer, toJson } from "./exchange.ts";

/**
 * Returns the faults of the response to a request of this operation; empty if it is as documented. `method` is the method of the
 * request, if that was HEAD.
 */
export type AnswerCheck = (route: Route, answer: ReceivedAnswer, method?: string) => string[];

type SchemaCheck = (schema: SchemaObject, value: unknown, at: string) => string[];

/** Creates the check, which compiles each schema on first use. */
export function createAnswerCheck(): AnswerCheck {
  const check = createSchemaCheck();
  return ({ responses }, answer, method) => {
    const response = responses[answer.status];
    if (response === undefined) return [`status ${answer.status} is not documented`];
    return [
      ...checkHeaders(response, answer, check),
      ...(method === "HEAD" ? checkNoBody(answer) : checkBody(response, answer, check)),
    ];
  };
}

/** Creates a check of responses that belong to no operation, according to the document's introduction. */
export function createErrorCheck(error: ResponseObject): (answer: ReceivedAnswer) => string[] {
  const check = createSchemaCheck();
  return (answer) => [...checkHeaders(error, answer, check), ...checkBody(error, answer, check)];
}

function createSchemaCheck(): SchemaCheck {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  ajv.addVocabulary(["x-decision", "x-restricts", "x-empty-with", "example"]);
  // "password" is a hint for documentation, with nothing to check.
  formats.default(ajv, ["date", "date-time", "int32", "int64", "password"]);
  const compiled = new Map<SchemaObject, ValidateFunction>();
  return (schema, value, at) => {
    const validate = compiled.get(schema) ?? ajv.compile(close(schema));
    compiled.set(schema, validate);
    validate(value);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${at}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

function close(schema: SchemaObject): SchemaObject {
  const { properties, items } = schema;
  const closed = Object.entries(properties ?? {}).map(([name, inner]) => [name, close(inner)]);
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(closed), additionalProperties: false }),
    ...(items && { items: close(items) }),
  };
}

function checkHeaders(
  { headers = {} }: ResponseObject,
  answer: ReceivedAnswer,
  check: SchemaCheck,
): string[] {
  return Object.entries(headers).flatMap(([name, { required = false, schema }]) => {
    const text = answer.headers.get(name);
    if (text === null) return required ? [`header ${name} is missing`] : [];
    const value = schema.type === "integer" && /^\d+$/.test(text) ? Number(text) : text;
    return check(schema, value, `header ${name}`);
  });
}

function checkBody(
  { content = {} }: ResponseObject,
  answer: ReceivedAnswer,
  check: SchemaCheck,
): string[] {
  if (Object.keys(content).length === 0) return checkNoBody(answer);
  const type = answer.headers.get("Content-Type")?.split(";")[0] ?? "";
  // The media type of a recording depends on its bytes, and may be one that is not listed (D16).
  const isRecording = "application/octet-stream" in content && type.startsWith("audio/");
  const documented = content[type];
  if (documented === undefined && !isRecording) return [`media type ${type} is not documented`];
  if (documented?.schema === undefined) return [];
  const body = toJson(answer);
  const { data } = documented.schema.properties ?? {};
  // A value that is not an object has no data either.
  const order =
    data === undefined ? [] : checkOrder(data, (body as { data?: unknown }).data, "data");
  return [...check(documented.schema, body, "body"), ...order];
}

function checkNoBody({ body }: ReceivedAnswer): string[] {
  return body.length === 0 ? [] : ["there is a body where there must be none"];
}

/** D27: fields come in the order of the document, at every level. */
function checkOrder({ properties, items }: SchemaObject, value: unknown, at: string): string[] {
  if (Array.isArray(value))
    return items ? value.flatMap((item, index) => checkOrder(items, item, `${at}/${index}`)) : [];
  if (typeof value !== "object" || value === null || properties === undefined) return [];
  const fields = Object.keys(value);
  const expected = Object.keys(properties).filter((name) => name in value);
  const isOrdered = expected.join() === fields.filter((name) => name in properties).join();
  const inner = Object.entries(value).flatMap(([name, field]) =>
    checkOrder(properties[name] ?? {}, field, `${at}/${name}`),
  );
  return isOrdered ? inner : [`${at} has its fields in another order`, ...inner];
}
