// Validates a request against the contract, once: path, query, headers and body of an operation become its input.
import type { OperationId, OperationInput, ParameterObject, Route } from "@call-media/api";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { bodyInvalid, parameterInvalid } from "./errors.ts";
import { EMPTY_FILTER, toBodyFault, toFault } from "./fault.ts";
import type { RequestHeaders } from "./request.ts";

/** The raw parts of a request. `body` is parsed JSON; undefined if the operation has none. */
export interface RawInput {
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly body: unknown;
}

interface CheckedParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly isInteger: boolean;
  readonly check: ValidateFunction;
}

interface CheckedOperation {
  readonly parameters: readonly CheckedParameter[];
  readonly body: ValidateFunction | undefined;
  /** The query parameter without which the body must have at least one field. */
  readonly emptyWith: string | undefined;
}

/** Throws 400 with a sentence that names the field and the fault. */
export function parseInput<Id extends OperationId>(
  route: Route & { operationId: Id },
  raw: RawInput,
): OperationInput<Id> {
  const { parameters, body, emptyWith } = compile(route);
  const query = raw.query === "" ? NO_QUERY : new URLSearchParams(raw.query);
  const input: Record<string, Record<string, unknown>> = { path: {}, query: {}, header: {} };
  for (const parameter of parameters) {
    const value = parseParameter(parameter, readRaw(parameter, raw, query));
    const place = input[parameter.in];
    if (value !== undefined && place !== undefined) place[parameter.name] = value;
  }
  if (body !== undefined && !body(raw.body)) throw bodyInvalid(toBodyFault(body.errors?.[0]));
  if (emptyWith !== undefined && input["query"]?.[emptyWith] === undefined && isEmpty(raw.body))
    throw bodyInvalid(EMPTY_FILTER);
  return { ...input, body: raw.body } as OperationInput<Id>; // just checked against this route's schemas
}

function isEmpty(body: unknown): boolean {
  return typeof body === "object" && body !== null && Object.keys(body).length === 0;
}

// The contract's own checks validate the schemas; doing it here would take a fifth of the startup time.
const ajv = new Ajv2020({ strict: false, verbose: true, validateSchema: false });
// "password" is advice for documentation; there is nothing to check.
formats.default(ajv, ["date", "int32", "int64", "password"]);

const compiled = new Map<Route, CheckedOperation>();

/** Compiled on the first request for a route, so that starting a service does not wait for schemas that it may not need. */
function compile(route: Route): CheckedOperation {
  const known = compiled.get(route);
  if (known !== undefined) return known;
  const schema = route.body?.schema;
  const operation = {
    parameters: route.parameters.map(compileParameter),
    body: schema && ajv.compile(schema),
    emptyWith: schema?.["x-empty-with"],
  };
  compiled.set(route, operation);
  return operation;
}

function compileParameter({
  name,
  in: place,
  required,
  schema,
}: ParameterObject): CheckedParameter {
  return {
    name,
    in: place,
    required,
    isInteger: schema.type === "integer",
    check: ajv.compile(schema),
  };
}

const NO_QUERY = new URLSearchParams();

function readRaw(
  { name, in: place }: CheckedParameter,
  raw: RawInput,
  query: URLSearchParams,
): string | undefined {
  if (place === "path") return raw.path[name];
  if (place === "header") return raw.headers[name.toLowerCase()]?.toString();
  const given = query.getAll(name);
  if (given.length > 1) throw parameterInvalid(`${name} must be given once`);
  if (given[0]?.includes(REPLACEMENT) === true && !isUtf8Query(raw.query))
    throw parameterInvalid(`${name} must be percent-encoded UTF-8`);
  return given[0];
}

/** URLSearchParams replaces bytes that are not UTF-8 by this. */
const REPLACEMENT = "\ufffd";

export function isUtf8Query(query: string): boolean {
  try {
    decodeURIComponent(query.replaceAll(/%(?![\da-f]{2})/gi, "%25"));
    return true;
  } catch {
    return false;
  }
}

// Digits only, as a person writes an integer: no "1e3", no "0x10", no spaces.
const INTEGER = /^-?\d{1,16}$/;

function parseParameter(
  { name, required, isInteger, check }: CheckedParameter,
  text: string | undefined,
): unknown {
  if (text === undefined) {
    if (required) throw parameterInvalid(`${name} is required`);
    return undefined;
  }
  const value = isInteger && INTEGER.test(text) ? Number(text) : text;
  if (!check(value)) throw parameterInvalid(`${name} ${toFault(check.errors?.[0])}`);
  return value;
}
