// What it asks of a client that a part of the document is gone, or is new.
import type { Rating } from "../rating.ts";
import type { Part, PartKind } from "../parts.ts";
import { rateShift } from "./shift.ts";

// A scheme counts where an operation asks for it, a member in its list; there are rules for `security` and the lists.
const UNUSED: ReadonlySet<PartKind> = new Set(["document", "info", "scheme", "member"]);

/** What is in the path was sent all along, since the path has a place for it: it is new in the document alone. */
const isInPath = ({ kind, node }: Part): boolean => kind === "parameter" && node["in"] === "path";

/** Whoever used it fails. */
export function rateGone(part: Part): Rating {
  const { kind, direction } = part;
  if (UNUSED.has(kind) || isInPath(part)) return "none";
  // What was said of a value is said no more: more is allowed.
  if (kind === "schema") return rateShift("wider", direction);
  return isError(part) ? "additive" : "breaking";
}

/** Whoever was ready for it need not be; it is no result that anybody called for. */
const isError = ({ kind, direction, pointer, usedAt }: Part): boolean =>
  kind === "answer" &&
  direction === "response" &&
  [pointer, usedAt].some((at) => /\/responses\/[45][\dX]{2}$/.test(at));

/** Nobody has used it; but what must be sent was not sent. */
export function rateAdded(part: Part): Rating {
  const { kind, direction, node } = part;
  if (UNUSED.has(kind) || isInPath(part)) return "none";
  if (kind === "schema") return rateShift("narrower", direction);
  return direction === "request" && node["required"] === true ? "breaking" : "additive";
}

/** A reader that holds an answer to its schema refuses a field that the schema did not allow. */
export function rateInClosed({ kind, direction }: Part, owner: Part | undefined): Rating {
  return kind === "field" && direction === "response" && isClosed(owner) ? "breaking" : "none";
}

const isClosed = (owner: Part | undefined): boolean =>
  owner?.node["additionalProperties"] === false || owner?.node["unevaluatedProperties"] === false;
