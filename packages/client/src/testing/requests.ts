// From a request to an operation of the contract and its input, checked as the contract has it (D06-D08, D11, D12).
import { type ParameterObject, type Route, routes } from "@call-media/api";

import { findFaults } from "../schema-faults.ts";
import { refuse, toBodySentence, toSentence } from "./refusal.ts";

/** The values of an operation, by where they were: fitting its schemas. */
export interface Input {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** What a path leads to. */
export interface Match {
  readonly route: Route;
  /** Its path parameters, as they stand in the address. */
  readonly values: Readonly<Record<string, string>>;
}

const MAX_BODY_BYTES = 65_536;

/** Methods that a path answers; undefined for a path that there is not. */
export function methodsOf(path: string): readonly string[] | undefined {
  const methods = routes.filter((route) => toValues(route, path)).map(({ method }) => method);
  if (methods.length === 0) return undefined;
  return [...methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : method)), "OPTIONS"];
}

export const pathUnknown = () => refuse(404, "There is no such path");

/** @throws Refusal of 404 or 405. */
export function matchRoute(method: string, path: string): Match {
  const allowed = methodsOf(path);
  if (allowed === undefined) throw pathUnknown();
  for (const route of routes) {
    const values = toValues(route, path);
    if (values && route.method === (method === "HEAD" ? "GET" : method)) return { route, values };
  }
  throw refuse(405, `This path answers ${allowed.join(", ")}`, { Allow: allowed.join(", ") });
}

function toValues({ path: template }: Route, path: string): Record<string, string> | undefined {
  const [wanted, given] = [template.split("/"), path.split("/")];
  const isParameter = (part: string) => part.startsWith("{");
  const fits = wanted.every((part, at) => (isParameter(part) ? given[at] : part === given[at]));
  if (wanted.length !== given.length || !fits) return undefined;
  const pairs = wanted.map((part, at) => [part.slice(1, -1), given[at] ?? ""] as const);
  return Object.fromEntries(pairs.filter((_, at) => isParameter(wanted[at] ?? "")));
}

/** @throws Refusal of 400, 406, 413 or 415 that names the field. */
export async function readInput({ route, values }: Match, request: Request): Promise<Input> {
  checkAccept(route, request.headers.get("Accept"));
  const { searchParams } = new URL(request.url);
  const path: Record<string, string> = {};
  const query: Record<string, unknown> = {};
  for (const parameter of route.parameters) {
    const { name } = parameter;
    if (parameter.in === "path") path[name] = String(check(parameter, decode(values[name] ?? "")));
    if (parameter.in === "query") query[name] = check(parameter, ...searchParams.getAll(name));
  }
  return { path, query, body: route.body && (await readBody(route, request)) };
}

function checkAccept({ responses }: Route, accept: string | null): void {
  const types = Object.keys(responses["200"]?.content ?? {});
  // A stream has the type of its recording, which is not known yet.
  if (types.includes("application/json") && !accepts(accept, types))
    throw refuse(406, "The Accept header allows none of the forms this answer has");
}

/** Whether Accept allows one of the media types (RFC 9110, 12.5.1). */
export function accepts(accept: string | null, types: readonly string[]): boolean {
  if (!accept) return true;
  const ranges = accept
    .split(",")
    .filter((range) => !/;\s*q=0(?:\.0*)?\s*$/i.test(range))
    .map((range) => (range.split(";")[0] ?? "").trim().toLowerCase());
  return types.some((type) =>
    ranges.some((range) => ["*/*", type, `${type.split("/")[0]}/*`].includes(range)),
  );
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw refuse(400, "The path has a malformed percent-encoding");
  }
}

/** The value of a parameter, as its schema types it. */
function check(parameter: ParameterObject, ...given: readonly string[]): unknown {
  const { name, required, schema } = parameter;
  const [text] = given;
  if (given.length > 1) throw refuse(400, `${name} must be given once`);
  if (text === undefined && required) throw refuse(400, `${name} is required`);
  if (text === undefined) return undefined;
  const value = schema.type === "integer" && /^-?\d{1,16}$/.test(text) ? Number(text) : text;
  const [fault] = findFaults(schema, value);
  if (fault) throw refuse(400, toSentence(name, fault));
  return value;
}

async function readBody(route: Route, request: Request): Promise<unknown> {
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^application\/json *(?:; *charset="?utf-8"? *)?$/i.test(type))
    throw refuse(415, "Content-Type must be application/json");
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > MAX_BODY_BYTES)
    throw refuse(413, `The body is larger than ${MAX_BODY_BYTES} bytes`);
  const body = parse(bytes);
  const [fault] = findFaults(route.body?.schema ?? {}, body);
  if (fault) throw refuse(400, toBodySentence(fault));
  return body;
}

function parse(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw refuse(400, "The body is not JSON in UTF-8");
  }
}
