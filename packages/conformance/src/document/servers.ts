// Server URLs of an operation: a document may give a path its own servers, in addition to those of its root.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import { listOf } from "./schemas.ts";

/** The path of an operation's base URL that replaces that of the root. */
export interface Moved {
  readonly from: string;
  readonly to: string;
}

/**
 * Moves the operation if it has a server on a host of the root, under another path. Other hosts only reflect where the document was
 * written: the base URL of the run stands for all of them.
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

/** The base URL of an operation. Unchanged if the base URL does not end in the documented path. */
export const moveBase = (baseUrl: string, moved: Moved | undefined): string =>
  moved !== undefined && baseUrl.endsWith(moved.from)
    ? `${baseUrl.slice(0, baseUrl.length - moved.from.length)}${moved.to}`
    : baseUrl;

/** Variables have their defaults. A relative URL is on the host of the document. */
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
