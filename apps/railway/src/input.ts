// Validates a request against the parameters and the body that the document defines for its operation.
import { readFileSync } from "node:fs";
import {
  type Parameters,
  Problem,
  queryValue,
  type Request,
} from "@call-media/test-setup/model-service";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { parse } from "yaml";

export interface Input {
  readonly path: Parameters;
  /** Includes the document's defaults; absent parameters without a default stay absent. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** The place where the body breaks a rule. */
export interface Fault {
  /** A JSON pointer. */
  readonly field: string;
  readonly message: string;
}

/** 422: the body is readable, but breaks its schema or a rule. */
export class Unprocessable extends Problem {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(422, "The body breaks its schema or a rule.");
    this.faults = faults;
  }
}

/** An object of the document, with the keys that are read here. */
interface Node {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly type?: string | readonly string[];
  readonly default?: unknown;
  readonly schema?: Node;
  readonly parameters?: readonly Node[];
  readonly [key: string]: unknown;
}

export const documentText = readFileSync(new URL("../openapi.yaml", import.meta.url), "utf8");
const document = parse(documentText) as Node; // our own document
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(document, "document");
const compiled = new Map<string, ValidateFunction>();

/** @throws {Problem} 400, 415 or 422 */
export function parseInput(route: string, request: Request, path: Parameters): Input {
  const [method = "", template = ""] = route.split(" ");
  const own = ["paths", template, method.toLowerCase()];
  const query: Record<string, unknown> = {};
  for (const pointer of listParameters(own)) {
    const { name: key = "", in: place, required = false, schema } = read(pointer);
    const schemaPointer = resolve([...pointer, "schema"]);
    if (place === "path") check400(schemaPointer, path[key], key);
    if (place !== "query") continue;
    const text = queryValue(request, key);
    if (text === undefined && required) throw new Problem(400, `${key} is missing.`);
    const value = text === undefined ? schema?.default : convert(text, read(schemaPointer));
    if (value === undefined) continue;
    check400(schemaPointer, value, key);
    query[key] = value;
  }
  return { path, query, body: parseContent([...own, "requestBody", "content"], request) };
}

function listParameters(own: readonly string[]): string[][] {
  return [own.slice(0, -1), own].flatMap((owner) => {
    const { parameters = [] } = read(owner);
    return parameters.map((_, index) => resolve([...owner, "parameters", String(index)]));
  });
}

function convert(text: string, { type }: Node): unknown {
  if (type === "integer" && /^-?\d{1,9}$/.test(text)) return Number(text);
  if (type === "boolean" && /^(?:true|false)$/.test(text)) return text === "true";
  return text;
}

function parseContent(pointer: readonly string[], request: Request): unknown {
  const [type] = Object.keys(read(pointer));
  if (type === undefined) return undefined;
  if (request.body === "") throw new Problem(400, "There is no body.");
  if (request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase() !== type)
    throw new Problem(415, `The body must be ${type}.`);
  const body = parseJson(request.body);
  const faults = findFaults([...pointer, type, "schema"], body);
  if (faults.length > 0) throw new Unprocessable(faults);
  return body;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(400, "The body is not JSON.");
  }
}

function check400(pointer: readonly string[], value: unknown, name: string): void {
  const [fault] = findFaults(pointer, value);
  if (fault !== undefined) throw new Problem(400, `${name} ${fault.message}.`);
}

function findFaults(pointer: readonly string[], value: unknown): Fault[] {
  const keys = pointer.map((key) =>
    encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1")),
  );
  const $ref = `document#/${keys.join("/")}`;
  const validate = compiled.get($ref) ?? ajv.compile({ $ref });
  compiled.set($ref, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = "is wrong" }) => ({
    field: instancePath,
    message,
  }));
}

/** @returns an empty node if the document has nothing at the pointer */
function read(pointer: readonly string[]): Node {
  return pointer.reduce<Node>((node, key) => (node[key] ?? {}) as Node, document);
}

/** Resolves a reference at the end of the pointer. */
function resolve(pointer: string[]): string[] {
  const { $ref } = read(pointer);
  return $ref === undefined ? pointer : resolve($ref.split("/").slice(1));
}
