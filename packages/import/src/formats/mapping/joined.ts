// The records that a join brings: read before the others, because they may be in another file and come in any order.
import { DatabaseSync } from "node:sqlite";
import { isObject, parseJson } from "../../json.ts";
import { RowFault, type SourceFile } from "../../source-row.ts";
import { findRecords, type JsonRecord, readJsonRecords } from "../json-format.ts";
import { bindKey, type Joined, toScope } from "./bind-mapping.ts";
import type { Mapping } from "./mapping.ts";
import { createNames, findInRecord } from "./names.ts";
import type { Join } from "./rows.ts";

export interface JoinedRecords extends Joined {
  readonly find: (join: string, values: readonly string[]) => readonly JsonRecord[] | undefined;
  /**
   * True for a record of a join, which is part of the row of its call. Throws `RowFault` where the import does not bring that call.
   */
  readonly isPart: (record: JsonRecord) => boolean;
}

interface Sources {
  readonly files: readonly SourceFile[];
  /** The marks of records that are calls; empty if any record may be a call. */
  readonly marks: readonly (readonly string[])[];
  readonly see?: (record: JsonRecord, join: string) => void;
}

const IN_PIPE = "which no file has that can be read twice: give files instead of a pipe";
const ELSEWHERE = "which is not imported with it: give the file of the calls as well";

/** Reads the files that can be read twice; a pipe cannot. Undefined for a mapping without joins. */
export async function readJoined(
  mapping: Mapping,
  sources: Sources,
): Promise<JoinedRecords | undefined> {
  const joins = [...mapping.joins].map(([name, join]) =>
    bindJoin(name, join, { mapping, sources }),
  );
  if (joins.length === 0) return undefined;
  const tables = createTables();
  const missing = await readAhead(joins, { ...sources, mapping, tables });
  return {
    find: (name, values) => tables.find(name, values),
    isPart: (record) => {
      const join = joins.find(({ isOne }) => isOne(record));
      if (join === undefined) return false;
      const values = join.toKey(record);
      if (values === undefined)
        throw new RowFault(`${join.name}: nothing in it says which call it belongs to`);
      if (tables.hasCall(join.name, values)) return true;
      throw new RowFault(`${join.name}: it belongs to the call ${values.join(", ")}, ${missing}`);
    },
  };
}

type BoundJoin = ReturnType<typeof bindJoin>;

function bindJoin(
  name: string,
  { marks, records, key, on }: Join,
  { mapping, sources }: { readonly mapping: Mapping; readonly sources: Sources },
) {
  const none = { lets: new Map(), joins: new Map(), nulls: mapping.nulls };
  const find = createNames<JsonRecord>(none, findInRecord(mapping.nulls), () => () => undefined);
  const options = { find, watch: undefined, timeZone: "UTC", findJoined: () => [] };
  const bind = (rules: Join["key"]) => {
    const toKey = bindKey<JsonRecord>(rules, options);
    return (record: JsonRecord) => toKey(toScope([record], { file: "", line: 1 }));
  };
  const fits = (record: JsonRecord, lists: Join["marks"]) =>
    lists.some((list) => list.every((mark) => Object.hasOwn(record, mark)));
  const isOne = (record: JsonRecord) => fits(record, marks) && !fits(record, sources.marks);
  return { name, marks, records, isOne, toKey: bind(key), toOn: bind(on) };
}

interface Reading extends Sources {
  readonly mapping: Mapping;
  readonly tables: ReturnType<typeof createTables>;
}

/** Gives the reason why a call may be missing. */
async function readAhead(
  joins: readonly BoundJoin[],
  { files, marks, mapping, tables, see }: Reading,
): Promise<string> {
  const places: { readonly file: SourceFile; readonly path: string }[] = [];
  let missing = ELSEWHERE;
  const paths = [
    ...new Set([...(mapping.records ?? ["*", ""]), ...joins.flatMap((one) => one.records)]),
  ];
  const all = marks.length === 0 ? [[]] : [...marks, ...joins.flatMap((one) => one.marks)];
  for (const file of files) {
    const head = await file.peek();
    if (head === undefined) missing = IN_PIPE;
    const path = head && findRecords(head, { records: paths, marks: all })?.path;
    if (path !== undefined) places.push({ file, path });
  }
  // Where only calls can be, nothing has to be read twice.
  if (!places.some(({ path }) => joins.some(({ records }) => records.includes(path))))
    return missing;
  for (const { file, path } of places) {
    const take = (record: JsonRecord) => {
      const join = joins.find(({ isOne }) => isOne(record));
      const values = join?.toKey(record);
      if (join !== undefined) see?.(record, join.name);
      if (join !== undefined && values !== undefined) tables.put(join.name, values, record);
      for (const { name, toOn } of join === undefined ? joins : [])
        tables.putCall(name, toOn(record));
      return [];
    };
    const chunks = () => file.readAhead() ?? file.chunks(); // no pipe has a place
    const rows = readJsonRecords({ ...file, chunks }, () => path, take);
    while (!(await rows.next()).done); // what is at fault is said when the file is imported
  }
  return missing;
}

// An unnamed temporary database, which SQLite removes with the connection. Its only transaction is never committed.
function createTables() {
  const database = new DatabaseSync("");
  database.exec(
    `CREATE TABLE call (key TEXT PRIMARY KEY) WITHOUT ROWID;
     CREATE TABLE record (key TEXT, record TEXT, PRIMARY KEY (key, record)) WITHOUT ROWID;
     BEGIN`,
  );
  const putCall = database.prepare("INSERT OR IGNORE INTO call VALUES (?)");
  const getCall = database.prepare("SELECT 1 FROM call WHERE key = ?");
  const put = database.prepare("INSERT OR IGNORE INTO record VALUES (?, ?)");
  const get = database.prepare("SELECT record FROM record WHERE key = ?");
  const filled = new Set<string>();
  const toKey = (join: string, values: readonly string[]) => JSON.stringify([join, ...values]);
  return {
    put: (join: string, values: readonly string[], record: JsonRecord) => {
      filled.add(join);
      put.run(toKey(join, values), JSON.stringify(record));
    },
    putCall: (join: string, values: readonly string[] | undefined) => {
      if (values !== undefined) putCall.run(toKey(join, values));
    },
    find: (join: string, values: readonly string[]): readonly JsonRecord[] | undefined => {
      if (!filled.has(join)) return undefined;
      return get.all(toKey(join, values)).flatMap(({ record }) => {
        const parsed = parseJson(String(record));
        return "value" in parsed && isObject(parsed.value) ? [parsed.value] : [];
      });
    },
    hasCall: (join: string, values: readonly string[]) =>
      getCall.get(toKey(join, values)) !== undefined,
  };
}
