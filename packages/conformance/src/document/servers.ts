// Server URLs of an operation: a document may give a path its own servers, in addition to those of its root.
import { isObject } from "@call-media/contract-diff";
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

/** A base URL of a document. */
export interface Server {
  /** As it is written: `https://{region}.example.com/v1`. */
  readonly url: string;
  readonly defaults: Readonly<Record<string, string>>;
}

export function listServers(root: unknown): readonly Server[] {
  return listOf(root).flatMap((server) => {
    if (!isObject(server) || typeof server["url"] !== "string") return [];
    const variables = isObject(server["variables"]) ? server["variables"] : {};
    const defaults = Object.entries(variables).map(
      ([name, variable]) => [name, String(toDefault(variable))] as const,
    );
    return [{ url: server["url"], defaults: Object.fromEntries(defaults) }];
  });
}

const toDefault = (variable: unknown): unknown =>
  isObject(variable) ? variable["default"] : undefined;

/** The base URL of an operation. Unchanged if the base URL does not end in the documented path. */
export const moveBase = (baseUrl: string, moved: Moved | undefined): string =>
  moved !== undefined && baseUrl.endsWith(moved.from)
    ? `${baseUrl.slice(0, baseUrl.length - moved.from.length)}${moved.to}`
    : baseUrl;

/** Variables have their defaults. A relative URL is on the host of the document. */
function toUrl(server: unknown): URL[] {
  return listServers(server).flatMap(({ url, defaults }) => {
    const filled = url.replaceAll(/\{([^}]+)\}/g, (_, name: string) => defaults[name] ?? name);
    return URL.canParse(filled, "http://document.invalid")
      ? [new URL(filled, "http://document.invalid")]
      : [];
  });
}
