// What the parts of a later document are called: as in the earlier one, where only the notation has changed.
import type { JsonObject } from "./json.ts";
import type { Part, Surface } from "./parts.ts";

export interface Names {
  /** `GET /calls/{id}`; a path that differs in the names of its parameters alone is the same. */
  readonly toOperation: (method: string, route: string) => string;
  readonly toParameter: (operation: string, route: string, parameter: JsonObject) => string;
  /** Of a header or a media type, whose letter case means nothing (RFC 9110, 5.1 and 8.3.1). */
  readonly toFolded: (owner: string, name: string) => string;
}

/** The names as they are written, where there is no earlier document. */
export function createNames(earlier: Surface): Names {
  const folded = new Map<string, string>();
  const operations = new Map<string, string>();
  for (const { kind, name, node } of earlier.values()) {
    if (isFolded(kind, node)) folded.set(name.toLowerCase(), name);
    if (kind === "operation") operations.set(withoutNames(name), name);
  }
  const toFolded: Names["toFolded"] = (owner, name) => {
    const known = folded.get(`${owner} ${name}`.toLowerCase());
    // Paths keep their letter case, and so the owner's part of the name does.
    return known?.startsWith(`${owner} `) === true ? known : `${owner} ${name}`;
  };
  return {
    toOperation: (method, route) => {
      const name = `${method} ${route}`;
      return earlier.has(name) ? name : (operations.get(withoutNames(name)) ?? name);
    },
    toParameter: (operation, route, { in: place, name }) => {
      if (place === "header") return toFolded(`${operation} header`, String(name));
      const at = place === "path" ? namesOf(route).indexOf(String(name)) : -1;
      return `${operation} ${String(place)} ${namesOf(operation)[at] ?? String(name)}`;
    },
    toFolded,
  };
}

const isFolded = (kind: Part["kind"], { in: place }: JsonObject) =>
  kind === "header" || kind === "media" || (kind === "parameter" && place === "header");

const PARAMETER = /\{([^{}]*)\}/g;

const withoutNames = (route: string) => route.replaceAll(PARAMETER, "{}");

const namesOf = (route: string) => Array.from(route.matchAll(PARAMETER), ([, name]) => name);
