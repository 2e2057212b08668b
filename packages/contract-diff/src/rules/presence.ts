// The impact of removed and new parts of the document on clients.
import type { Rating } from "../rating.ts";
import type { Part, PartKind } from "../parts.ts";
import { rateShift } from "./shift.ts";

// A scheme counts where an operation requires it, and a member counts in its list: `security` and the lists have their own rules.
const UNUSED: ReadonlySet<PartKind> = new Set(["document", "info", "scheme", "member"]);

/** A path parameter was always sent, because the path has a place for it. It is new only in the document. */
const isInPath = ({ kind, node }: Part): boolean => kind === "parameter" && node["in"] === "path";

/** Clients that used the part fail. */
export function rateGone(part: Part): Rating {
  const { kind, direction } = part;
  if (UNUSED.has(kind) || isInPath(part)) return "none";
  // Without the schema, more values are allowed.
  if (kind === "schema") return rateShift("wider", direction);
  return isError(part) ? "additive" : "breaking";
}

/** Clients handle errors, but never request one: a removed error breaks nothing. */
const isError = ({ kind, direction, pointer, usedAt }: Part): boolean =>
  kind === "answer" &&
  direction === "response" &&
  [pointer, usedAt].some((at) => /\/responses\/[45][\dX]{2}$/.test(at));

/** No client used a new part, but no client sent a new required one either. */
export function rateAdded(part: Part): Rating {
  const { kind, direction, node } = part;
  if (UNUSED.has(kind) || isInPath(part)) return "none";
  if (kind === "schema") return rateShift("narrower", direction);
  return direction === "request" && node["required"] === true ? "breaking" : "additive";
}

/** A reader that validates responses rejects a field that the schema did not allow. */
export function rateInClosed({ kind, direction }: Part, owner: Part | undefined): Rating {
  return kind === "field" && direction === "response" && isClosed(owner) ? "breaking" : "none";
}

const isClosed = (owner: Part | undefined): boolean =>
  owner?.node["additionalProperties"] === false || owner?.node["unevaluatedProperties"] === false;
