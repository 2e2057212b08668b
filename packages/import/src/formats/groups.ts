// Rows of a table that together are one call: a row that continues the one above, or rows anywhere in the file with equal values.
import { DatabaseSync } from "node:sqlite";
import type { CsvRecord } from "../csv-records.ts";
import type { SourceRow, UnfitRow } from "../source-row.ts";

/** Undefined for a record that does not say it. */
export type Grouping<R = readonly string[]> =
  | { readonly continues: (record: R, line: number) => boolean }
  | { readonly toKey: (record: R, line: number) => string | undefined };

type Make = (records: readonly CsvRecord[]) => SourceRow | Promise<SourceRow>;

export interface Groups {
  /** The rows that are complete with this record. */
  readonly add: (record: CsvRecord | UnfitRow) => Promise<readonly SourceRow[]>;
  readonly end: () => AsyncGenerator<SourceRow>;
}

export const createGroups = (grouping: Grouping, make: Make): Groups =>
  "toKey" in grouping
    ? createKeyed(grouping.toKey, make)
    : createContinued(grouping.continues, make);

function createContinued(
  continues: (values: readonly string[], line: number) => boolean,
  make: Make,
): Groups {
  let open: (CsvRecord | UnfitRow)[] = [];
  const close = async (): Promise<SourceRow[]> => {
    const [first, ...others] = open.splice(0);
    if (first === undefined) return [];
    const records = [first, ...others].filter((one) => "values" in one);
    if (!("reason" in first)) return [await make(records)];
    return [{ ...first, raw: [first, ...others].map(({ raw }) => raw).join("\n") }];
  };
  return {
    add: async (record) => {
      const isMore = "values" in record && continues(record.values, record.line);
      if (isMore && open.length > 0) open.push(record);
      else if (isMore) return [{ line: record.line, raw: record.raw, reason: NONE_ABOVE }];
      else {
        const rows = await close();
        open = [record];
        return rows;
      }
      return [];
    },
    end: async function* () {
      yield* await close();
    },
  };
}

const NONE_ABOVE = "the row continues the one above it, and none stands above";
const NO_KEY =
  "none of the values of group.by is in the row, so that nothing says which call it is of";

// An unnamed temporary database, which SQLite removes with the connection: memory does not grow with the file.
function createKeyed(
  toKey: (values: readonly string[], line: number) => string | undefined,
  make: Make,
): Groups {
  const database = new DatabaseSync("");
  database.exec(
    `CREATE TABLE record (number INTEGER PRIMARY KEY, key TEXT, line INTEGER, raw TEXT, row TEXT);
     CREATE INDEX of_key ON record (key, number);
     BEGIN`,
  );
  const put = database.prepare("INSERT INTO record (key, line, raw, row) VALUES (?, ?, ?, ?)");
  return {
    add: async (record) => {
      if ("reason" in record) return [record];
      const { line, raw, values } = record;
      const key = toKey(values, line);
      if (key === undefined) return [{ line, raw, reason: NO_KEY }];
      put.run(key, line, raw, JSON.stringify(values));
      return [];
    },
    end: async function* () {
      using _ = database;
      const keys = database.prepare("SELECT key FROM record GROUP BY key ORDER BY min(number)");
      const get = database.prepare(
        "SELECT line, raw, row FROM record WHERE key = ? ORDER BY number",
      );
      for (const { key } of keys.iterate()) {
        const records = get.all(String(key)).map(({ line, raw, row }) => ({
          line: Number(line),
          raw: String(raw),
          values: JSON.parse(String(row)) as string[], // as it was put in
        }));
        yield await make(records);
      }
    },
  };
}
