// Finds the operation that a recorded request is for: by the base URL, the method and the path.
import type { JsonObject } from "@call-media/contract-diff";
import type { ApiDocument, Operation, Parameter } from "../document/document.ts";
import { type Server, moveBase } from "../document/servers.ts";

export interface Matched {
  readonly operation: Operation;
  /** Path parameters, as texts. */
  readonly path: Readonly<Record<string, string>>;
}

/** Undefined: a request to another host, or outside of the base URL. A text: the path of no operation. */
export type Found = Matched | string | undefined;

export interface Router {
  readonly find: (method: string, url: URL) => Found;
  /** The base URLs, for people. */
  readonly bases: readonly string[];
}

interface Template {
  readonly operation: Operation;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  /** For each step, whether it has no parameter; then the number of characters outside of parameters. */
  readonly literal: readonly number[];
}

/** `baseUrl`: default: the servers of the document. Schemes are not compared, since a proxy may record either. */
export function createRouter(document: ApiDocument, baseUrl: string | undefined): Router {
  const servers: readonly Server[] =
    baseUrl === undefined ? document.servers : [{ url: baseUrl, defaults: {} }];
  const bases = servers
    // A host that is a variable as a whole is any host.
    .filter(({ url }) => /^https?:\/\/(?!\{[^}]*\}(?:[/:]|$))/i.test(url))
    .map(({ url, defaults }) => ({ url: url.replace(/\/+$/, ""), defaults }));
  const groups = Map.groupBy(document.operations.values(), ({ moved }) =>
    moved === undefined ? "" : `${moved.from} ${moved.to}`,
  );
  const tables = [...groups.values()].map((operations) => {
    const [first] = operations;
    return {
      patterns: bases.map(({ url, defaults }) =>
        toBasePattern({ url: moveBase(url, first?.moved), defaults }),
      ),
      bySteps: Map.groupBy(operations.map(toTemplate), ({ operation }) =>
        countSteps(operation.path),
      ),
    };
  });
  return {
    bases: bases.map(({ url }) => url),
    find: (method, { host, pathname }) => {
      let unknown: string | undefined;
      for (const { patterns, bySteps } of tables) {
        const rest = findRest(patterns, `${host}${pathname}`);
        if (rest === undefined) continue;
        const templates = bySteps.get(countSteps(rest)) ?? [];
        const found = findTemplate(templates, method, rest);
        if (found !== undefined) return found;
        unknown ??= rest;
      }
      return unknown;
    },
  };
}

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

const countSteps = (path: string): number => path.split("/").length;

/** The path below the longest of the base URLs that the address begins with. */
function findRest(patterns: readonly RegExp[], address: string): string | undefined {
  const rests = patterns.flatMap((pattern) => {
    const found = pattern.exec(address);
    return found === null ? [] : [address.slice(found[0].length)];
  });
  const [shortest] = rests.toSorted((one, other) => one.length - other.length);
  return shortest === "" ? "/" : shortest;
}

/** A variable stands for its default, or any text without a slash. */
function toBasePattern({ url, defaults }: Server): RegExp {
  const parts = url.replace(/^https?:\/\//i, "").split(/(\{[^}]+\})/);
  const written = parts.map((part) => {
    const [, name] = /^\{([^}]+)\}$/.exec(part) ?? [];
    if (name === undefined) return escape(part);
    const usual = defaults[name];
    return usual === undefined ? "[^/]+" : `(?:${escape(usual)}|[^/]+)`;
  });
  return new RegExp(`^${written.join("")}(?=/|$)`, "i");
}

function toTemplate(operation: Operation): Template {
  const names: string[] = [];
  // Some documents tell operations apart by a query or fragment in the path.
  const path = operation.path.replace(/[?#].*$/, "");
  const pattern = path
    .split(/(\{[^}]+\})/)
    .map((part) => {
      const [, name] = /^\{([^}]+)\}$/.exec(part) ?? [];
      if (name === undefined) return escape(part);
      names.push(name);
      return "([^/]+?)";
    })
    .join("");
  const steps = path.split("/");
  const literal = steps.map((step) => Number(!step.includes("{")));
  const total = literal.reduce((sum, one) => sum + one, 0);
  const letters = path.replaceAll(/\{[^}]+\}/g, "").length;
  return {
    operation,
    pattern: new RegExp(`^${pattern}$`),
    names,
    literal: [total, ...literal, letters],
  };
}

/** The one with more literal steps, then the one whose literal steps come first. HEAD is for the operation that GET is for. */
function findTemplate(
  templates: readonly Template[],
  method: string,
  path: string,
): Matched | undefined {
  const decoded = path.split("/").map(decode).join("/");
  for (const wanted of method === "HEAD" ? ["HEAD", "GET"] : [method]) {
    const matching = templates
      .filter(({ operation }) => operation.method === wanted)
      .flatMap((template) => {
        // A literal may be escaped in the request; a slash inside of a value must stay escaped.
        const found = template.pattern.exec(path) ?? template.pattern.exec(decoded);
        return found === null ? [] : [{ template, values: found.slice(1) }];
      })
      .toSorted((one, other) => compare(other.template.literal, one.template.literal));
    const [best] = matching;
    if (best === undefined) continue;
    const { template, values } = best;
    const pairs = template.names.map((name, at) => [name, decode(values[at] ?? "")] as const);
    return { operation: template.operation, path: Object.fromEntries(pairs) };
  }
  return undefined;
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not percent-encoded
  }
}

/** The values of a query: repeated names and documented lists as arrays, numbers and flags as their schemas say. */
export function toQuery(
  { schemas }: ApiDocument,
  { parameters }: Operation,
  searchParams: URLSearchParams,
): JsonObject {
  const given = Map.groupBy(searchParams, ([name]) => name);
  return Object.fromEntries(
    [...given].map(([name, pairs]) => {
      const parameter = parameters.find((one) => one.in === "query" && one.name === name);
      const view = parameter?.schema === undefined ? undefined : schemas.view(parameter.schema);
      const isList = view?.types.includes("array") === true;
      const { separator } = parameter ?? {};
      const texts = pairs.flatMap(([, value]) =>
        isList && separator !== undefined ? value.split(decode(separator)) : [value],
      );
      const types = view?.items === undefined ? view?.types : schemas.view(view.items).types;
      const values = texts.map((text) => toTyped(types, text));
      return [name, values.length > 1 || isList ? values : values[0]];
    }),
  );
}

/** The value of a path parameter as its schema says. */
export const toValue = (
  { schemas }: ApiDocument,
  parameter: Parameter | undefined,
  text: string,
): unknown =>
  toTyped(parameter?.schema === undefined ? [] : schemas.view(parameter.schema).types, text);

function toTyped(types: readonly string[] = [], text: string): unknown {
  const isNumber = types.includes("integer") || types.includes("number");
  if (isNumber && !types.includes("string") && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (types.includes("boolean") && !types.includes("string") && /^(?:true|false)$/.test(text))
    return text === "true";
  return text;
}
