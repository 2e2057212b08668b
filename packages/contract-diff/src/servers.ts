// Where the service is: servers of the document, and those that an operation has in their place.
import { list } from "./places.ts";
import type { Place } from "./json.ts";
import { isSameAt } from "./same.ts";

/** Without any there is one, where the document is from (OpenAPI 3.1, OpenAPI object). */
export function serversOf(root: Place): Place[] {
  const servers = list(root, "servers");
  return servers.length > 0 ? servers : [{ ...root, node: { url: "/" } }];
}

/** Those of an operation or a path; to say the ones of the document again means nothing. */
export function ownServersOf(owner: Place, root: Place): unknown {
  return isSameAt(owner, root, "servers") ? undefined : owner.node["servers"];
}
