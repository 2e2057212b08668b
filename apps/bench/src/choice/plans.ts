// Three ways of making every filter field searchable in SQLite, over the same table of calls.
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { fieldsOf } from "@call-media/api";
import { type Filter, type FilterField, type MetadataRecord, toMatchKey } from "@call-media/store";
// The store's own index is what is measured; it is no part of what the package offers.
import { createIndexWriter } from "@call-media/store/search-index";
import { toMatch } from "@call-media/store/search-terms";

export interface Plan {
  readonly name: string;
  readonly schema: string;
  /** Of the tables and indexes that only searching needs, for LIKE. */
  readonly indexNames: string;
  createWriter(database: DatabaseSync): (id: bigint, record: MetadataRecord) => void;
  /** Selects `id` of the calls from `:from` until `:until` that fit. */
  toSelect(filter: Filter): {
    readonly sql: string;
    readonly values: Record<string, SQLInputValue>;
  };
}

const FILTER_FIELDS = [...fieldsOf("MetadataFilter"), ...fieldsOf("CustomFieldsFilter")];

const EIGHT_FIELDS: readonly FilterField[] = [
  "agent",
  "campaign",
  "skill",
  "disposition",
  "agent_group",
  "ani_state",
  "phone_number1",
  "customer_email",
];

const INVERTED: Plan = {
  name: "FTS5",
  schema: `
    CREATE TABLE call (id INTEGER PRIMARY KEY, record TEXT NOT NULL) STRICT;
    CREATE VIRTUAL TABLE call_index USING fts5(terms, content='', detail=none, columnsize=0, tokenize='ascii');`,
  indexNames: "call_index%",
  createWriter: (database) => {
    const insert = database.prepare("INSERT INTO call (id, record) VALUES (?, ?)");
    const index = createIndexWriter(database);
    return (id, record) => {
      insert.run(id, JSON.stringify(record));
      index.add(id, record);
    };
  },
  toSelect: (filter) => ({
    sql: `SELECT rowid AS id FROM call_index
          WHERE call_index MATCH :match AND rowid >= :from AND rowid < :until`,
    values: { match: toMatch(filter, []) ?? null },
  }),
};

function createFieldIndexes(name: string, fields: readonly FilterField[]): Plan {
  const columns = FILTER_FIELDS.map((field) => `${field} TEXT`).join(", ");
  const indexes = fields.map((field) => `CREATE INDEX call_by_${field} ON call (${field}, id);`);
  return {
    name,
    schema: `
      CREATE TABLE call (id INTEGER PRIMARY KEY, record TEXT NOT NULL, ${columns}) STRICT;
      ${indexes.join("\n")}`,
    indexNames: "call_by_%",
    createWriter: (database) => {
      const places = FILTER_FIELDS.map(() => "?").join(", ");
      const insert = database.prepare(`INSERT INTO call VALUES (?, ?, ${places})`);
      return (id, record) => {
        const keys = FILTER_FIELDS.map((field) => {
          const value = record[field];
          return value === null ? null : toMatchKey(field, value);
        });
        insert.run(id, JSON.stringify(record), ...keys);
      };
    },
    toSelect: (filter) => {
      const conditions = Object.keys(filter).map((field) => `${field} = :${field}`);
      const keys = Object.entries(filter).map(([field, value]) => [
        field,
        toMatchKey(field, value),
      ]);
      return {
        sql: `SELECT id FROM call WHERE ${conditions.join(" AND ")} AND id >= :from AND id < :until`,
        values: Object.fromEntries(keys),
      };
    },
  };
}

export const PLANS = {
  inverted: INVERTED,
  eightFields: createFieldIndexes("(field, id), 8 fields", EIGHT_FIELDS),
  everyField: createFieldIndexes("(field, id), every field", FILTER_FIELDS),
} as const satisfies Record<string, Plan>;
