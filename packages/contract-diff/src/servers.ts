// The URLs of the service: servers of the document, and those that replace them for an operation.
import { list } from "./places.ts";
import type { Place } from "./json.ts";
import { isSameAt } from "./same.ts";

/** Without any, there is one at the location of the document (OpenAPI 3.1, OpenAPI object). */
export function serversOf(root: Place): Place[] {
  const servers = list(root, "servers");
  return servers.length > 0 ? servers : [{ ...root, node: { url: "/" } }];
}

/** The servers of an operation or path. Undefined if they only repeat those of the document. */
export function ownServersOf(owner: Place, root: Place): unknown {
  return isSameAt(owner, root, "servers") ? undefined : owner.node["servers"];
}
