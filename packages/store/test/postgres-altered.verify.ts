// Each column of each table of an archive in PostgreSQL, altered one after the other, and a row of each table taken out, as another program
// would: nothing that reads it answers as if it were well. The tables are those of the schema, so that a new one without cover fails.
import postgres, { type Sql } from "postgres";
import { expect, test } from "vitest";
import { createMemoryStore } from "../src/memory/memory-store.ts";
import { ArchiveError, isFault, migrateArchive } from "../src/index.ts";
import { createStore, findAdapter, openStore, type Places } from "../src/open.ts";
import {
  ask,
  fillEveryTable,
  listAnswers,
  listCopies,
  listLies,
  type Told,
} from "./support/altered-columns.ts";
import { openConnections } from "../src/postgres/connection.ts";
import { sealMonths } from "../src/postgres/search/segments.ts";
import { usePostgres } from "./support/postgres.ts";

const { createPlaces, server } = usePostgres();

/** Places of an archive with something in every table, and a function that gives those of a copy. */
async function createOriginal() {
  const { records, media } = await createPlaces();
  {
    await using store = await createStore({ records, media });
    await fillEveryTable(store);
  }
  {
    // Months are sealed from far more calls on.
    await using connections = openConnections(records);
    await sealMonths(connections.write, Date.now(), {
      calls: 100,
      fewest: 1,
      values: 100,
      oneOf: 1,
    });
  }
  const template = new URL(records).pathname.slice(1);
  const copy = async (): Promise<Places> => ({
    records: await server().createDatabase(template),
    media,
  });
  return { places: { records, media }, copy };
}

/** What is done by it nobody counts, checks or makes digests of. */
async function change(places: Places, work: (sql: Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(places.records, { max: 1, onnotice: () => {} });
  await sql`SET session_replication_role = replica`;
  await work(sql);
  await sql.end();
}

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

/** Failures of sign-ins may be lost. */
const listColumns = (sql: Sql) => sql<Column[]>`
  SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, NULL) AS type
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> 'sign_in_failure'
  ORDER BY c.relname, a.attnum`;

/** SQL: another value of the same kind. */
const OTHER: Readonly<Record<string, (value: string) => string>> = {
  bigint: (value) => `${value} # (1::int8 << 30)`,
  integer: (value) => `${value} # (1 << 30)`,
  "double precision": (value) => `${value} + 1073741824`,
  numeric: (value) => `${value} + 1073741824`,
  boolean: (value) => `NOT ${value}`,
  bytea: (value) => `set_bit(${value}, 3, 1 - get_bit(${value}, 3))`,
  "bit varying": (value) => `set_bit(${value}, 0, 1 - get_bit(${value}, 0))`,
  uuid: (value) =>
    `(translate(left(${value}::text, 1), '0123456789abcdef', '1032547698badcfe') || substr(${value}::text, 2))::uuid`,
  text: (value) =>
    `overlay(${value} PLACING chr(ascii(substr(${value}, 1 + length(${value}) / 2, 1)) # 3) FROM 1 + length(${value}) / 2 FOR 1)`,
  '"char"': (value) => `CASE ${value} WHEN 'c' THEN 'r' ELSE 'c' END::"char"`,
  "bigint[]": (value) => `array_replace(${value}, ${value}[1], ${value}[1] # (1::int8 << 30))`,
  "integer[]": (value) => `${value} || 1`,
  tsvector: (value) =>
    `CASE WHEN length(${value}) = 0 THEN 'another'::tsvector ELSE ts_delete(${value}, (tsvector_to_array(${value}))[1]) END`,
};

const toOther = ({ column, type }: Column): string =>
  (OTHER[type] ?? OTHER["text"] ?? String)(`"${column}"`);

/** Of a row that has a value there; false where none has. */
async function alterColumn(places: Places, column: Column): Promise<boolean> {
  let rows = 0;
  await change(places, async (sql) => {
    const checks = await sql<{ table: string; name: string }[]>`
      SELECT conrelid::regclass::text AS "table", conname AS name FROM pg_constraint
      WHERE contype = 'c' AND conrelid = ${`"${column.table}"`}::regclass`;
    for (const { table, name } of checks)
      await sql.unsafe(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    const [identity] = await sql`
      SELECT FROM pg_attribute WHERE attrelid = ${`"${column.table}"`}::regclass AND attname = ${column.column} AND attidentity <> ''`;
    if (identity !== undefined)
      await sql.unsafe(`ALTER TABLE "${column.table}" ALTER "${column.column}" DROP IDENTITY`);
    const found = await sql.unsafe(
      `UPDATE "${column.table}" SET "${column.column}" = ${toOther(column)} WHERE (tableoid, ctid) =
         (SELECT tableoid, ctid FROM "${column.table}" WHERE "${column.column}" IS NOT NULL LIMIT 1)`,
    );
    rows = found.count;
  });
  return rows > 0;
}

async function askAll(places: Places): Promise<{ told: Told; isExamined: boolean }> {
  const { maintenance } = await findAdapter(places);
  const findings = await say(async () =>
    (await maintenance.check()).filter(({ level }) => level === "error").map(({ what }) => what),
  );
  const { migration } = listCopies(maintenance);
  const told = new Map(await ask({ ...(migration && { migration }) }));
  const isExamined = findings !== "";
  const opened = await ask({
    opening: async () => (await openStore(places))[Symbol.asyncDispose](),
  });
  for (const [name, one] of opened) told.set(name, one);
  if (opened.get("opening") === "damaged") return { told, isExamined };
  await using store = await openStore(places);
  for (const [name, one] of await ask(listAnswers(store))) told.set(name, one);
  return { told, isExamined };
}

/** What is said: the words of findings or of an error, or nothing. */
async function say(words: () => Promise<readonly string[]>): Promise<string> {
  try {
    return (await words()).join("; ");
  } catch (error) {
    if (error instanceof ArchiveError || isFault(error, "damaged", "lost", "unavailable"))
      return error.message;
    throw error;
  }
}

async function useOriginal() {
  const original = await createOriginal();
  const sql = postgres(original.places.records, { max: 1, onnotice: () => {} });
  const columns = await listColumns(sql);
  await sql.end();
  return { ...original, columns };
}

test("no column of any table can be altered unnoticed", async () => {
  const { copy, columns } = await useOriginal();
  const whole = await askAll(await copy());
  expect([...whole.told].filter(([, told]) => told === "damaged")).toEqual([]);
  const lies: Record<string, readonly string[]> = {};
  const empty: string[] = [];
  const left = [...columns];
  const tryNext = async () => {
    for (let column = left.shift(); column !== undefined; column = left.shift()) {
      const name = `${column.table}.${column.column}`;
      const places = await copy();
      if (!(await alterColumn(places, column))) {
        empty.push(name);
        continue;
      }
      const { told, isExamined } = await askAll(places);
      const own = [...listLies(whole.told, told, isExamined)];
      if (own.length > 0) lies[name] = own;
    }
  };
  await Promise.all([tryNext(), tryNext()]);
  // No recording is linked from a database.
  expect({ lies, empty }).toEqual({
    lies: {},
    empty: ["media.location"],
  });
}, 600_000);

/** What no migration reads: searches read it, or servers and setup. */
const MADE_ANEW: ReadonlySet<string> = new Set([
  "call_key",
  "call_name",
  "call_words",
  "imported_rows",
  "month",
  "read_back",
  "row_sum",
  "segment",
  "segment_bits",
]);

test("no row of any table can be missing unnoticed", async () => {
  const { copy, columns } = await useOriginal();
  const silent: string[] = [];
  for (const table of new Set(columns.map((column) => column.table))) {
    const places = await copy();
    let rows = 0;
    await change(places, async (sql) => {
      const gone = await sql.unsafe(
        `DELETE FROM "${table}" WHERE (tableoid, ctid) = (SELECT tableoid, ctid FROM "${table}" LIMIT 1)`,
      );
      rows = gone.count;
    });
    const { maintenance } = await findAdapter(places);
    const doctor = await say(async () =>
      (await maintenance.check()).flatMap(({ level, what }) => (level === "error" ? what : [])),
    );
    const migrated = await say(async () => {
      await using to = createMemoryStore();
      const report = await migrateArchive({ from: maintenance, to });
      const { damagedRecords, differences, damages } = report;
      return [...damagedRecords, ...differences, ...damages.map(({ fault }) => fault)];
    });
    if (rows === 0) silent.push(`${table} is empty`);
    if (doctor === "") silent.push(`${table}: doctor`);
    if (migrated === "" && !MADE_ANEW.has(table)) silent.push(`${table}: migration`);
  }
  expect(silent).toEqual([]);
}, 600_000);
