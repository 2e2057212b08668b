// The inverted index over every filter field: SQLite's FTS5 holds one term per (field, match key) of a call, keyed by the
// call's id. Any combination of fields, with rights as OR groups and a date range as a range of ids, is one MATCH.
// Why FTS5 and not an index per field: apps/bench/README.md.
import type { DatabaseSync } from "node:sqlite";
import { fieldsOf } from "@call-media/api";
import type { FilterField, MetadataRecord } from "../call-store.ts";
import { toMatchKey } from "../values/match-key.ts";
import { toTermOf } from "./search-terms.ts";

const INDEXED_FIELDS = [
  ...fieldsOf("MetadataFilter"),
  ...fieldsOf("CustomFieldsFilter"),
] as readonly FilterField[];

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
