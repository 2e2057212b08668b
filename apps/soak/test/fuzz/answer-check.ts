// Whether an answer is one that the document allows for the request: its status, headers and body, whatever was asked.
import {
  document,
  type ResponseObject,
  type Route,
  routes,
  type SchemaObject,
} from "@call-media/api";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { type Probe } from "./probe.ts";
import type { Answer } from "./send.ts";

/** Says what is wrong with an answer; undefined when nothing is. */
export type AnswerCheck = (probe: Probe, answer: Answer) => string | undefined;

// The statuses that the document's introduction gives to what belongs to no operation.
const UNREADABLE = new Set([400, 408, 414, 431]);

// What a request that keeps the contract may meet: it finds something or not, and its caller may see it or not.
const RIGHT = new Set([200, 206, 304, 401, 403, 404, 416, 429]);

export function createAnswerCheck(): AnswerCheck {
  const check = createResponseCheck();
  return (probe, answer) => {
    const { status } = answer;
    // Documented for every operation, and never the fault of a request.
    if (status >= 500) return `status ${status}`;
    if (probe.kind === "right" && !RIGHT.has(status))
      return `a right request was answered ${status}: ${answer.body.toString().slice(0, 200)}`;
    const response = findResponse(probe, status);
    if (typeof response === "string") return response;
    return check(response, answer, probe.method === "HEAD");
  };
}

/** The same for an answer to bytes of which nobody can say what they ask for. */
export function createEnvelopeCheck(): (answer: Answer) => string | undefined {
  const check = createResponseCheck();
  return (answer) => {
    if (answer.status >= 500) return `status ${answer.status}`;
    if (answer.status < 400)
      return answer.headers.has("X-Request-Id") ? undefined : "no X-Request-Id";
    return check(ERROR, answer, false);
  };
}

const ERROR: ResponseObject = toError(routes[0]);

function toError(route: Route | undefined): ResponseObject {
  const error = route?.responses["400"];
  if (error === undefined) throw new Error("the document has no error");
  return error;
}

function findResponse({ method, target }: Probe, status: number): ResponseObject | string {
  const ofPath = findRoutes(target);
  const route = ofPath.find((one) => one.method === (method === "HEAD" ? "GET" : method));
  if (UNREADABLE.has(status)) return route?.responses[status] ?? ERROR;
  if (route !== undefined)
    return route.responses[status] ?? `${status} is not documented for ${route.operationId}`;
  if (status === 405) return { ...ERROR, headers: { ...ERROR.headers, Allow: ALLOW } };
  if (ofPath.length === 0) return status === 404 ? ERROR : `${status} for an unknown path`;
  const isOptions = method === "OPTIONS" && status === 204;
  return isOptions ? { description: "", headers: { Allow: ALLOW } } : `${status} for ${method}`;
}

const ALLOW = { required: true, schema: { type: "string", pattern: "^[A-Z]+(, [A-Z]+)*$" } };

/** The operations of a target, found without the service's own router. */
function findRoutes(target: string): readonly Route[] {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, "").split("?")[0] ?? "";
  return PATTERNS.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route);
}

const PATTERNS = routes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, "[^/]+")}$`, "s"),
}));

// A schema's own keyword that is misspelt is a fault; the document's extensions say nothing of a value.
const ANNOTATIONS = new Set(JSON.stringify(document).match(/(?<=")x-[\w-]+(?=":)/g));

function createResponseCheck() {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  ajv.addVocabulary([...ANNOTATIONS, "example"]);
  // "password" is advice for documentation; there is nothing to check.
  formats.default(ajv, ["date", "date-time", "int32", "int64", "password"]);
  const compiled = new Map<SchemaObject, ValidateFunction>();
  const find = (schema: SchemaObject, value: unknown, at: string): string | undefined => {
    const validate = compiled.get(schema) ?? ajv.compile(close(schema));
    compiled.set(schema, validate);
    if (validate(value)) return undefined;
    return `${at}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)?.slice(0, 200)}`;
  };
  return ({ headers = {}, content = {} }: ResponseObject, answer: Answer, isHead: boolean) => {
    for (const [name, { required = false, schema }] of Object.entries(headers)) {
      const text = answer.headers.get(name);
      if (text === null && required) return `header ${name} is missing from ${answer.status}`;
      const fault = text === null ? undefined : find(schema, toTyped(schema, text), name);
      if (fault !== undefined) return fault;
    }
    if (isHead || Object.keys(content).length === 0)
      return answer.body.length === 0 ? undefined : "there is a body where there must be none";
    return checkBody(content, answer, find);
  };
}

type Find = (schema: SchemaObject, value: unknown, at: string) => string | undefined;

function checkBody(
  content: NonNullable<ResponseObject["content"]>,
  { headers, body }: Answer,
  find: Find,
): string | undefined {
  const type = headers.get("Content-Type")?.split(";")[0] ?? "";
  if (Number(headers.get("Content-Length")) !== body.length) return "Content-Length is wrong";
  // A recording has the media type of its own bytes, one of those listed or another (D16).
  if ("application/octet-stream" in content && type !== "application/json") return undefined;
  const { schema } = content[type] ?? {};
  if (schema === undefined) return `media type ${type} is not documented`;
  return find(schema, JSON.parse(body.toString()), "body");
}

function toTyped({ type }: SchemaObject, text: string): unknown {
  return type === "integer" && /^\d+$/.test(text) ? Number(text) : text;
}

/** A field that the document does not have is a fault of the service, which knows the document. */
function close(schema: SchemaObject): SchemaObject {
  const { properties, items } = schema;
  const closed = Object.entries(properties ?? {}).map(([name, inner]) => [name, close(inner)]);
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(closed), additionalProperties: false }),
    ...(items && { items: close(items) }),
  };
}
