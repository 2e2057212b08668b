// The inverted index over every filter field: SQLite's FTS5 holds one term per (field, match key) of a call, keyed by the
// call's id. Any combination of fields, with rights as OR groups and a date range as a range of ids, is one MATCH.
// Why FTS5 and not an index per field: apps/bench/README.md.
import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { fieldsOf } from "@call-media/api";
import type { Filter, FilterField, MetadataRecord, Visibility } from "../call-store.ts";
import { toMatchKey } from "../values/match-key.ts";

const INDEXED_FIELDS = [
  ...fieldsOf("MetadataFilter"),
  ...fieldsOf("CustomFieldsFilter"),
] as readonly FilterField[];

// 64 bits: at five million calls two different values share a term with odds of about one in ten thousand,
// over the whole archive.
const TERM_DIGITS = 16;

// Agents, campaigns and states repeat on every row; a memo for each field saves their hashing on import. Long texts do
// not repeat.
const MEMO_SIZE = 2_000;
const MEMO_LENGTH = 100;

/** Puts calls into the index and takes them out. The terms of a call are made from its record, so both need it. */
export function createIndexWriter(database: DatabaseSync) {
  const insert = database.prepare("INSERT INTO call_index (rowid, terms) VALUES (?, ?)");
  const remove = database.prepare(
    "INSERT INTO call_index (call_index, rowid, terms) VALUES ('delete', ?, ?)",
  );
  const toTerms = createTermLister();
  return {
    add: (id: bigint, record: MetadataRecord) => void insert.run(id, toTerms(record)),
    remove: (id: bigint, record: MetadataRecord) => void remove.run(id, toTerms(record)),
  };
}

/** The terms of a record, each followed by a space. */
export function createTermLister(): (record: MetadataRecord) => string {
  const toTerm = createTermMaker();
  return (record) => {
    let terms = "";
    for (const field of INDEXED_FIELDS) {
      const value = record[field];
      if (value !== null) terms += `${toTerm(field, value)} `;
    }
    return terms;
  };
}

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

function toTermOf(field: string, key: string): string {
  return hash("sha256", `${field}\0${key}`).slice(0, TERM_DIGITS);
}

function createTermMaker() {
  const memos = new Map(INDEXED_FIELDS.map((field) => [field, new Map<string | number, string>()]));
  return (field: FilterField, value: string | number) => {
    const memo = memos.get(field);
    const known = memo?.get(value);
    if (known !== undefined) return known;
    const term = toTermOf(field, toMatchKey(field, value));
    if (memo === undefined || String(value).length > MEMO_LENGTH) return term;
    if (memo.size >= MEMO_SIZE) memo.clear();
    memo.set(value, term);
    return term;
  };
}
