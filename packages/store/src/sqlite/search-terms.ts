// What is asked of the search index: the terms of fields, and the MATCH of a filter seen with somebody's rights.
import { hash } from "node:crypto";
import type { Filter, Visibility } from "../call-store.ts";
import { toMatchKey } from "../values/match-key.ts";

// 64 bits: at five million calls two different values share a term with odds of about one in ten thousand,
// over the whole archive.
const TERM_DIGITS = 16;

/** The MATCH expression of a filter seen with `visibility`; undefined when nothing is asked and everything is seen. */
export function toMatch(filter: Filter, visibility: Visibility): string | undefined {
  const wanted = Object.entries(filter).map(([field, value]) =>
    toTermOf(field, toMatchKey(field, value)),
  );
  const seen = visibility.flatMap(({ field, allowed }) => {
    const asked = filter[field];
    if (asked === undefined) return `(${toAny(field, allowed)})`;
    // Of a field that is asked for, one value is left: whether it is allowed needs no index, which would read every
    // allowed one's calls.
    return allowed.includes(toMatchKey(field, asked)) ? [] : NO_TERM;
  });
  return [...wanted, ...seen].join(" AND ") || undefined;
}

// Longer than any term, so that no call has it: the group of a right with an empty list.
const NO_TERM = "0".repeat(TERM_DIGITS + 1);

// FTS5 asks every term of an OR at every call, and adds terms one by one to a list that it copies each time: 20,000 values
// took 22 s over 200,000 calls. In groups they take 0.8 s. Of twenty values groups save nothing.
const MAX_UNGROUPED = 64;

function toAny(field: string, keys: readonly string[]): string {
  const terms = keys.map((key) => toTermOf(field, key));
  if (terms.length <= MAX_UNGROUPED) return terms.join(" OR ") || NO_TERM;
  const size = Math.ceil(Math.sqrt(terms.length));
  const groups = Array.from({ length: Math.ceil(terms.length / size) }, (_, index) =>
    terms.slice(index * size, (index + 1) * size).join(" OR "),
  );
  // FTS5 would put the terms of an OR within an OR into one list again; NOT keeps it from that.
  return groups.map((group) => `((${group}) NOT ${NO_TERM})`).join(" OR ");
}

/** The term of a field with that match key. */
export function toTermOf(field: string, key: string): string {
  return hash("sha256", `${field}\0${key}`).slice(0, TERM_DIGITS);
}
