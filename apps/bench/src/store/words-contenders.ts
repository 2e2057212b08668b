// What searches by words are measured beside: the full-text search of SQLite and of PostgreSQL, as a program would use them that
// knows nothing of D30.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { MetadataRecord } from "@call-media/store";
import { toSearched } from "@call-media/words";
import postgres from "postgres";
import { toBatches } from "../rows.ts";
import { RESTRICTED, YEAR } from "../search/queries.ts";
import type { WordQuestion } from "./word-questions.ts";

export interface Asked {
  readonly question: WordQuestion;
  readonly isCounted: boolean;
  readonly isRestricted: boolean;
}

export interface Contender extends AsyncDisposable {
  /** Resolves to how many calls match, if it is to count them. */
  readonly ask: (asked: Asked) => Promise<number | undefined>;
}

const FROM_MS = Date.parse(YEAR.startDate);
const UNTIL_MS = Date.parse(YEAR.endDate) + 86_400_000;
const PAGE = 51;

interface Row {
  readonly n: number;
  readonly ms: number;
  readonly allowed: readonly string[];
  readonly record: string;
  readonly text: string;
}

function* toRows(records: readonly MetadataRecord[], first: number): Generator<Row> {
  for (const [index, record] of records.entries()) {
    const { texts, numbers } = toSearched(record);
    yield {
      n: first + index,
      ms: Date.parse(record.datetime ?? ""),
      allowed: RESTRICTED.map(({ field }) => String(record[field]).toLowerCase()),
      record: JSON.stringify(Object.values(record)),
      text: [...texts, ...numbers].join("\n"),
    };
  }
}

/** SQL: the conditions of the rights. */
const ALLOWED = RESTRICTED.map(
  ({ field, allowed }) => `AND ${field} IN (${allowed.map((one) => `'${one}'`).join()})`,
).join(" ");

/** FTS5 without a copy of the texts, and row ids in the order of time: the least that it can take. */
export function createFts5(directory: string, records: Iterable<MetadataRecord>): Contender {
  const database = new DatabaseSync(join(directory, "fts5.db"));
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE call (n INTEGER PRIMARY KEY, ms INTEGER, agent TEXT, skill TEXT, agent_group TEXT, record TEXT);
    CREATE INDEX call_by_ms ON call (ms);
    CREATE VIRTUAL TABLE words USING fts5 (text, content = '', columnsize = 0)`);
  const insertCall = database.prepare("INSERT INTO call VALUES (?, ?, ?, ?, ?, ?)");
  const insertWords = database.prepare("INSERT INTO words (rowid, text) VALUES (?, ?)");
  let count = 0;
  for (const batch of toBatches(records)) {
    database.exec("BEGIN");
    for (const { n, ms, allowed, record, text } of toRows(batch, count)) {
      insertCall.run(n, ms, ...allowed, record);
      insertWords.run(n, text);
    }
    database.exec("COMMIT");
    count += batch.length;
  }
  const bounds = database.prepare("SELECT min(n) AS n FROM call WHERE ms >= ?");
  const [fromN, untilN] = [FROM_MS, UNTIL_MS].map((ms) => Number(bounds.get(ms)?.["n"]));
  const prepare = (rights: string) => {
    const from = rights === "" ? "words" : "words CROSS JOIN call ON call.n = words.rowid";
    const where = `words MATCH ? AND words.rowid >= ${fromN} AND words.rowid < ${untilN} ${rights}`;
    return {
      page: database.prepare(
        `SELECT (SELECT record FROM call WHERE n = words.rowid) AS record FROM ${from}
         WHERE ${where} ORDER BY words.rowid DESC LIMIT ${PAGE}`,
      ),
      count: database.prepare(`SELECT count(*) AS n FROM ${from} WHERE ${where}`),
    };
  };
  const [all, restricted] = [prepare(""), prepare(ALLOWED)];
  return {
    ask: async ({ question: { typed }, isCounted, isRestricted }) => {
      const { page, count: counting } = isRestricted ? restricted : all;
      for (const { record } of page.all(typed)) JSON.parse(String(record));
      return isCounted ? Number(counting.get(typed)?.["n"]) : undefined;
    },
    [Symbol.asyncDispose]: async () => database.close(),
  };
}

/** A tsvector by the configuration `simple`, in a GIN index, as PostgreSQL's manual has it. */
export async function createFullText(
  address: string,
  records: Iterable<MetadataRecord>,
): Promise<Contender> {
  const sql = postgres(address, { max: 1, onnotice: () => {} });
  await sql.unsafe(`CREATE TABLE plain_call (n int8 PRIMARY KEY, ms int8, agent text, skill text, agent_group text,
    record text, words tsvector)`);
  let count = 0;
  for (const batch of toBatches(records)) {
    const rows = [...toRows(batch, count)];
    const texts = [rows.map(({ record }) => record), rows.map(({ text }) => text)];
    const places = RESTRICTED.map((_, place) => rows.map(({ allowed }) => allowed[place] ?? ""));
    const [n, ms] = [rows.map((row) => row.n), rows.map((row) => row.ms)];
    await sql.unsafe(
      `INSERT INTO plain_call SELECT n, ms, agent, skill, agent_group, record, to_tsvector('simple', text)
       FROM unnest($1::int8[], $2::int8[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
         AS given (n, ms, agent, skill, agent_group, record, text)`,
      [n, ms, ...places, ...texts],
    );
    count += batch.length;
  }
  await sql.unsafe("CREATE INDEX ON plain_call USING gin (words)");
  await sql.unsafe("CREATE INDEX ON plain_call (ms)");
  await sql.unsafe("VACUUM ANALYZE plain_call");
  const toWhere = (isRestricted: boolean) =>
    `words @@ to_tsquery('simple', $1::text) AND ms >= $2::int8 AND ms < $3::int8 ${isRestricted ? ALLOWED : ""}`;
  return {
    ask: async ({ question: { tsquery }, isCounted, isRestricted }) => {
      const values = [tsquery ?? "", FROM_MS, UNTIL_MS];
      const where = toWhere(isRestricted);
      const found = await sql.unsafe(
        `SELECT record FROM plain_call WHERE ${where} ORDER BY ms DESC LIMIT ${PAGE}`,
        values,
        { prepare: true },
      );
      for (const row of found) JSON.parse(String(row["record"]));
      if (!isCounted) return undefined;
      const [row] = await sql.unsafe(
        `SELECT count(*) AS n FROM plain_call WHERE ${where}`,
        values,
        {
          prepare: true,
        },
      );
      return Number(row?.["n"]);
    },
    [Symbol.asyncDispose]: async () => await sql.end(),
  };
}
