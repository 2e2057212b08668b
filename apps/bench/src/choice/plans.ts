// Four ways of making every filter field searchable in SQLite, over the same table of calls.
import { hash } from "node:crypto";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { fieldsOf } from "@call-media/api";
import { type Filter, type FilterField, type MetadataRecord, toMatchKey } from "@call-media/store";
// The store's own index is what is measured; it is no part of what the package offers.
import { createCallSearch } from "@call-media/store/call-search";
import { INDEX_SCHEMA } from "@call-media/store/index-schema";
import { createIndexWriter, createTermLister } from "@call-media/store/search-index";

export interface Plan {
  readonly name: string;
  readonly schema: string;
  /** Of the tables and indexes that only searching needs, for LIKE. */
  readonly indexNames: string;
  /** Writes a batch in the order of the ids, within a transaction. */
  createWriter(database: DatabaseSync): (calls: readonly PlannedCall[]) => void;
  createReader(database: DatabaseSync, range: Range): PlanReader;
}

export interface PlannedCall {
  readonly id: bigint;
  readonly record: MetadataRecord;
}

/** Instants in ms since 1970: from the first on, up to the second. */
export interface Range {
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface PlanReader {
  /** Reads a page of calls. */
  page(filter: Filter, pageIndex: number): unknown;
  count(filter: Filter): unknown;
}

const FILTER_FIELDS = [...fieldsOf("MetadataFilter"), ...fieldsOf("CustomFieldsFilter")];

const PAGE_ROWS = 50;

/** The id of the first call at that instant: newest last, as the store has it. */
export function toFirstId(instantMs: number): bigint {
  return BigInt(instantMs) << 20n;
}

export const EIGHT_FIELDS: readonly FilterField[] = [
  "agent",
  "campaign",
  "skill",
  "disposition",
  "agent_group",
  "ani_state",
  "phone_number1",
  "customer_email",
];

const PIECES: Plan = {
  name: "pieces",
  schema: `
    CREATE TABLE call (id INTEGER PRIMARY KEY, call_id TEXT, ref_id TEXT, record TEXT NOT NULL) STRICT;
    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    ${INDEX_SCHEMA}`,
  indexNames: "index_%",
  createWriter: (database) => {
    const insert = database.prepare("INSERT INTO call (id, record) VALUES (?, ?)");
    const index = createIndexWriter(database);
    const listTerms = createTermLister(database);
    return (calls) => {
      for (const { id, record } of calls) insert.run(id, JSON.stringify(record));
      index.change(
        [],
        calls.map(({ id, record }) => ({ id, terms: listTerms(record) })),
      );
      index.merge();
    };
  },
  createReader: (database, range) => {
    const search = createCallSearch(database);
    const asked = { ...range, visibility: [] };
    return {
      page: (filter, pageIndex) => search({ ...asked, filter, pageIndex, isCounted: false }),
      // What a page past the end of all others costs beside its count is little.
      count: (filter) => search({ ...asked, filter, pageIndex: 1e9, isCounted: true }),
    };
  },
};

const INVERTED: Plan = {
  name: "FTS5",
  schema: `
    CREATE TABLE call (id INTEGER PRIMARY KEY, record TEXT NOT NULL) STRICT;
    CREATE VIRTUAL TABLE call_index USING fts5(terms, content='', detail=none, columnsize=0, tokenize='ascii');`,
  indexNames: "call_index%",
  createWriter: (database) => {
    const insert = database.prepare("INSERT INTO call (id, record) VALUES (?, ?)");
    const index = database.prepare("INSERT INTO call_index (rowid, terms) VALUES (?, ?)");
    return (calls) => {
      for (const { id, record } of calls) {
        insert.run(id, JSON.stringify(record));
        index.run(id, toTerms(record));
      }
    };
  },
  createReader: (database, range) =>
    createSqlReader(database, range, (filter) => ({
      sql: `SELECT rowid AS id FROM call_index
            WHERE call_index MATCH :match AND rowid >= :from AND rowid < :until`,
      values: {
        match: Object.entries(filter)
          .map(([field, value]) => toTerm(field, value))
          .join(" AND "),
      },
    })),
};

function toTerms(record: MetadataRecord): string {
  const filled = FILTER_FIELDS.filter((field) => record[field] !== null);
  return filled.map((field) => toTerm(field, record[field] ?? "")).join(" ");
}

function toTerm(field: string, value: string | number): string {
  return hash("sha256", `${field}\0${toMatchKey(field, value)}`).slice(0, 16);
}

/** Selects `id` of the calls from `:from` until `:until` that fit. */
interface Selection {
  readonly sql: string;
  readonly values: Record<string, SQLInputValue>;
}

function createSqlReader(
  database: DatabaseSync,
  { fromMs, untilMs }: Range,
  toSelection: (filter: Filter) => Selection,
): PlanReader {
  const bounds = { from: toFirstId(fromMs), until: toFirstId(untilMs) };
  return {
    page: (filter, pageIndex) => {
      const { sql, values } = toSelection(filter);
      const ids = `${sql} ORDER BY id DESC LIMIT ${PAGE_ROWS} OFFSET ${pageIndex * PAGE_ROWS}`;
      const rows = `SELECT record FROM call WHERE id IN (${ids}) ORDER BY id DESC`;
      return database.prepare(rows).all({ ...bounds, ...values });
    },
    count: (filter) => {
      const { sql, values } = toSelection(filter);
      return database
        .prepare(`SELECT count(*) AS calls FROM (${sql})`)
        .all({ ...bounds, ...values });
    },
  };
}

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
      return (calls) => {
        for (const { id, record } of calls) {
          const keys = FILTER_FIELDS.map((field) => {
            const value = record[field];
            return value === null ? null : toMatchKey(field, value);
          });
          insert.run(id, JSON.stringify(record), ...keys);
        }
      };
    },
    createReader: (database, range) =>
      createSqlReader(database, range, (filter) => {
        const conditions = Object.keys(filter).map((field) => `${field} = :${field}`);
        const keys = Object.entries(filter).map(([field, value]) => [
          field,
          toMatchKey(field, value),
        ]);
        return {
          sql: `SELECT id FROM call WHERE ${conditions.join(" AND ")} AND id >= :from AND id < :until`,
          values: Object.fromEntries(keys),
        };
      }),
  };
}

export const PLANS = {
  pieces: PIECES,
  inverted: INVERTED,
  eightFields: createFieldIndexes("(field, id), 8 fields", EIGHT_FIELDS),
  everyField: createFieldIndexes("(field, id), every field", FILTER_FIELDS),
} as const satisfies Record<string, Plan>;
