// Conditional and partial requests for one representation (RFC 9110, sections 13 and 14), decided before a byte is read.
import { rangeNotSatisfiable, rangePastTheEnd } from "./errors.ts";

/**
 * The representation that a range is taken from. `etag` is a strong validator; `modifiedMs` has the resolution of a
 * second on the wire.
 */
export interface Representation {
  readonly bytes: number;
  readonly etag: string;
  readonly modifiedMs: number;
}

/** The request headers that decide; the names are the contract's. */
export interface Choice {
  readonly Range?: string;
  readonly "If-Range"?: string;
  readonly "If-None-Match"?: string;
}

export type Selection =
  | { readonly kind: "unchanged" }
  | { readonly kind: "whole" }
  | { readonly kind: "part"; readonly first: number; readonly last: number };

const RANGE = /^bytes=(\d*)-(\d*)$/i;

/**
 * The bytes that the headers request. Several ranges in one request get the whole, which RFC 9110 allows:
 * no player requests a recording this way. Throws 416 for a range past the end, and for an unreadable one.
 */
export function selectRange(choice: Choice, representation: Representation): Selection {
  const { Range: range, "If-Range": ifRange, "If-None-Match": noneMatch } = choice;
  if (noneMatch !== undefined && isListed(noneMatch, representation.etag))
    return { kind: "unchanged" };
  if (range === undefined || !isCurrent(ifRange, representation)) return { kind: "whole" };
  // An unknown unit and a list must be ignored (RFC 9110, section 14.2), whatever their content.
  if (!/^bytes=/i.test(range) || range.includes(",")) return { kind: "whole" };
  return parseRange(range, representation.bytes);
}

function parseRange(range: string, bytes: number): Selection {
  const [, first = "", last = ""] = RANGE.exec(range) ?? [];
  if (first === "" && last === "")
    throw rangeNotSatisfiable("Range must be written bytes=first-last", bytes);
  if (first !== "" && last !== "" && Number(last) < Number(first))
    throw rangeNotSatisfiable("Range must not end before it starts", bytes);
  const start = first === "" ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === "" || last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (start > end) throw rangePastTheEnd(bytes);
  return { kind: "part", first: start, last: end };
}

/** True if a tag is in the list of If-None-Match (RFC 9110, section 13.1.2). */
export function isListed(list: string, etag: string): boolean {
  return (
    list.trim() === "*" || list.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag)
  );
}

// RFC 9110, section 13.1.5: the strong comparison for a tag, the exact date for a date.
function isCurrent(condition: string | undefined, { etag, modifiedMs }: Representation): boolean {
  if (condition === undefined) return true;
  if (condition.includes('"')) return condition.trim() === etag;
  return Date.parse(condition) === Math.floor(modifiedMs / 1000) * 1000;
}
