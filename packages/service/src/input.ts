// Checks a request against the contract, once: path, query, headers and body of an operation become its input.
import type { OperationId, OperationInput, ParameterObject, Route } from "@call-media/api";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { bodyInvalid, parameterInvalid } from "./errors.ts";
import { toBodyFault, toFault } from "./fault.ts";
import type { RequestHeaders } from "./request.ts";

/** The raw parts of a request. `body` is parsed JSON, undefined where the operation takes none. */
export interface RawInput {
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly body: unknown;
}

/** Throws 400 with a sentence that names the field and the fault. */
export type InputParser = <Id extends OperationId>(
  route: Route & { operationId: Id },
  raw: RawInput,
) => OperationInput<Id>;

interface CheckedParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly isInteger: boolean;
  readonly check: ValidateFunction;
}

/** Compiles the schemas of every route once. */
export function createInputParser(routes: readonly Route[]): InputParser {
  // The contract's own checks validate the schemas; here it would take a fifth of the start.
  const ajv = new Ajv2020({ strict: false, verbose: true, validateSchema: false });
  // "password" is advice for documentation; there is nothing to check.
  formats.default(ajv, ["date", "int32", "int64", "password"]);
  const compiled = new Map(
    routes.map((route) => [
      route.operationId,
      {
        parameters: route.parameters.map((parameter) => compileParameter(ajv, parameter)),
        body: route.body?.schema && ajv.compile(route.body.schema),
      },
    ]),
  );

  return (route, raw) => {
    const operation = compiled.get(route.operationId);
    if (operation === undefined) throw new TypeError(`no input is known of ${route.operationId}`);
    const { parameters, body } = operation;
    const query = raw.query === "" ? NO_QUERY : new URLSearchParams(raw.query);
    const input: Record<string, Record<string, unknown>> = { path: {}, query: {}, header: {} };
    for (const parameter of parameters) {
      const value = parseParameter(parameter, readRaw(parameter, raw, query));
      const place = input[parameter.in];
      if (value !== undefined && place !== undefined) place[parameter.name] = value;
    }
    if (body !== undefined && !body(raw.body)) throw bodyInvalid(toBodyFault(body.errors?.[0]));
    return { ...input, body: raw.body } as OperationInput<typeof route.operationId>; // checked against this route's schemas just now
  };
}

function compileParameter(
  ajv: Ajv2020,
  { name, in: place, required, schema }: ParameterObject,
): CheckedParameter {
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
  { path, headers }: RawInput,
  query: URLSearchParams,
): string | undefined {
  if (place === "path") return path[name];
  if (place === "header") return headers[name.toLowerCase()]?.toString();
  const given = query.getAll(name);
  if (given.length > 1) throw parameterInvalid(`${name} must be given once`);
  return given[0];
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
