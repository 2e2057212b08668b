// Rows of which the policy of retention would leave out something, and the later rows of their calls. They are judged when all others are
// written: a policy judges all records and messages of a call as one, and these may come in rows of their own, in any order. The rows of one
// call are written in their order, because a later state of a record replaces an earlier one.
import { DatabaseSync } from "node:sqlite";
import { deserialize, serialize } from "node:v8";
import type { ParsedRow } from "./prepare-row.ts";

/** Rows to be judged together, and the rows that are judged with them only for the sake of their calls. */
export interface LateGroup {
  readonly rows: readonly ParsedRow[];
  readonly others: readonly ParsedRow[];
}

export interface LateRows extends Disposable {
  readonly put: (row: ParsedRow) => void;
  /** True if a row of one of its calls is here. */
  readonly isWaitedFor: (row: ParsedRow) => boolean;
  readonly isEmpty: () => boolean;
  readonly listGroups: () => Generator<LateGroup>;
}

// A placeholder such as "0" may stand in all rows of a file: of one call, only so many rows are judged as one.
const MAX_TOGETHER = 1_000;

// An unnamed temporary database, which SQLite removes with the connection: memory does not grow with the rows.
export function createLateRows(): LateRows {
  let tables: ReturnType<typeof createTables> | undefined;
  let count = 0;
  return {
    put: (row) => {
      tables ??= createTables();
      count += 1;
      const callIds = listCallIds(row);
      // What is of no call is judged on its own.
      tables.put(count, callIds.length === 0 ? String(count) : JSON.stringify(callIds), row);
      for (const callId of callIds) tables.putCall(callId, count);
    },
    isWaitedFor: (row) => tables !== undefined && listCallIds(row).some(tables.hasCall),
    isEmpty: () => count === 0,
    listGroups: function* () {
      yield* tables?.list() ?? [];
    },
    [Symbol.dispose]: () => tables?.close(),
  };
}

function listCallIds({ entries }: ParsedRow): readonly string[] {
  const callIds = entries.flatMap(({ item }) =>
    (item.kind === "call" || item.kind === "chat") && item.record.call_id !== null
      ? [item.record.call_id]
      : [],
  );
  return [...new Set(callIds)].toSorted();
}

function createTables() {
  const database = new DatabaseSync("");
  database.exec(
    `CREATE TABLE late (number INTEGER PRIMARY KEY, calls TEXT, row BLOB);
     CREATE INDEX late_of ON late (calls, number);
     CREATE TABLE part (call_id TEXT, number INTEGER, PRIMARY KEY (call_id, number)) WITHOUT ROWID;
     BEGIN`,
  );
  const put = database.prepare("INSERT INTO late VALUES (?, ?, ?)");
  const putCall = database.prepare("INSERT INTO part VALUES (?, ?)");
  const getCall = database.prepare("SELECT 1 FROM part WHERE call_id = ? LIMIT 1");
  const get = database.prepare(
    "SELECT number, row FROM late WHERE calls = ? AND number > ? ORDER BY number LIMIT ?",
  );
  const getOthers = database.prepare(
    `SELECT row FROM late WHERE calls <> ?1 AND number IN
       (SELECT number FROM part JOIN json_each(?2) AS one ON part.call_id = one.value) ORDER BY number LIMIT ?3`,
  );
  const toRow = (row: unknown): ParsedRow => deserialize(row as Uint8Array); // as it was put in
  function* listOf(calls: string): Generator<LateGroup> {
    const shared = calls.startsWith("[") ? getOthers.all(calls, calls, MAX_TOGETHER) : [];
    const others = shared.map(({ row }) => toRow(row));
    for (let last = 0; ;) {
      const rows = get.all(calls, last, MAX_TOGETHER);
      if (rows.length === 0) return;
      yield { rows: rows.map(({ row }) => toRow(row)), others };
      last = Number(rows.at(-1)?.["number"]);
    }
  }
  return {
    put: (number: number, calls: string, row: ParsedRow) =>
      void put.run(number, calls, serialize(row)),
    putCall: (callId: string, number: number) => void putCall.run(callId, number),
    hasCall: (callId: string) => getCall.get(callId) !== undefined,
    list: function* () {
      const all = database.prepare("SELECT calls FROM late GROUP BY calls ORDER BY min(number)");
      for (const { calls } of all.iterate()) yield* listOf(String(calls));
    },
    close: () => database.close(),
  };
}
