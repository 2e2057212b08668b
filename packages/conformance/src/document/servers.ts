// Where an operation is served: a document may give a path servers of its own, next to those of its root.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import { listOf } from "./schemas.ts";

/** The path of the base URL that an operation has instead of that of the root. */
export interface Moved {
  readonly from: string;
  readonly to: string;
}

/**
 * A server of an operation that stands on a host of the root, under another path, moves the operation. Any other host is a matter
 * of the place that the document was written for: the base URL of the run stands for all of them.
 */
export function findMove(root: unknown, own: unknown): Moved | undefined {
  const servers = listOf(own).flatMap(toUrl);
  const roots = listOf(root).flatMap(toUrl);
  for (const { origin, pathname } of servers)
    for (const base of roots) {
      if (base.origin !== origin) continue;
      const [from, to] = [base.pathname, pathname].map((path) => path.replace(/\/+$/, ""));
      return from === undefined || to === undefined || from === to ? undefined : { from, to };
    }
  return undefined;
}

/** The base URL of an operation. Where a base URL does not end like the documented one, nothing is moved. */
export const moveBase = (baseUrl: string, moved: Moved | undefined): string =>
  moved !== undefined && baseUrl.endsWith(moved.from)
    ? `${baseUrl.slice(0, baseUrl.length - moved.from.length)}${moved.to}`
    : baseUrl;

/** Variables have their defaults. A relative URL is on the host that the document came from. */
function toUrl(server: unknown): URL[] {
  if (!isObject(server) || typeof server["url"] !== "string") return [];
  const variables: JsonObject = isObject(server["variables"]) ? server["variables"] : {};
  const url = server["url"].replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const variable = variables[name];
    return isObject(variable) ? String(variable["default"]) : name;
  });
  return URL.canParse(url, "http://document.invalid")
    ? [new URL(url, "http://document.invalid")]
    : [];
}
