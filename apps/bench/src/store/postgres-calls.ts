// The same calls in PostgreSQL, with indexes as one would make them there: eight fields, each with the datetime.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fieldsOf } from "@call-media/api";
import type { Filter, FilterField, MetadataRecord } from "@call-media/store";
import type { Sql } from "postgres";
import { toBatches } from "../rows.ts";
import { YEAR } from "../search/queries.ts";

const FIELDS = fieldsOf("MetadataRecord");
const INTEGERS: ReadonlySet<string> = new Set(["handle_time", "talk_time"]);
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
const PAGE_ROWS = 50;
const DAY_MS = 86_400_000;

export interface PostgresCalls {
  load(rows: Iterable<MetadataRecord>): Promise<void>;
  page(filter: Filter, pageIndex: number): Promise<unknown>;
  count(filter: Filter): Promise<number>;
}

/** Values are compared unchanged, without folding or trimming: PostgreSQL has less to do than the store. */
export function createPostgresCalls(sql: Sql): PostgresCalls {
  const toCondition = (filter: Filter) => {
    const values = Object.values(filter);
    const fields = Object.keys(filter).map((field, index) => `${field} = $${index + 3}`);
    return {
      where: ["ts >= $1", "ts < $2", ...fields].join(" AND "),
      values: [new Date(YEAR.startDate), new Date(Date.parse(YEAR.endDate) + DAY_MS), ...values],
    };
  };
  return {
    load: async (rows) => {
      const columns = FIELDS.map((field) => `${field} ${INTEGERS.has(field) ? "integer" : "text"}`);
      await sql.unsafe(`CREATE TABLE call (ts timestamptz, ${columns.join(", ")})`);
      const copy = await sql`COPY call FROM STDIN`.writable();
      await pipeline(Readable.from(toLines(rows)), copy);
      for (const field of EIGHT_FIELDS) await sql.unsafe(`CREATE INDEX ON call (${field}, ts)`);
      await sql.unsafe("CREATE INDEX ON call (ts)");
      await sql.unsafe("VACUUM ANALYZE call");
    },
    page: (filter, pageIndex) => {
      const { where, values } = toCondition(filter);
      const limit = `LIMIT ${PAGE_ROWS + 1} OFFSET ${pageIndex * PAGE_ROWS}`;
      const text = `SELECT ${FIELDS.join(", ")} FROM call WHERE ${where} ORDER BY ts DESC ${limit}`;
      return sql.unsafe(text, values, { prepare: true });
    },
    count: async (filter) => {
      const { where, values } = toCondition(filter);
      const text = `SELECT count(*)::integer AS calls FROM call WHERE ${where}`;
      const [row] = await sql.unsafe<{ calls: number }[]>(text, values, { prepare: true });
      return row?.calls ?? 0;
    },
  };
}

// PostgreSQL's text format: a tab between two values, \N for null.
function* toLines(rows: Iterable<MetadataRecord>): Generator<string> {
  for (const batch of toBatches(rows))
    yield batch
      .map(
        (row) => `${[row.datetime, ...FIELDS.map((field) => row[field])].map(toText).join("\t")}\n`,
      )
      .join("");
}

function toText(value: string | number | null): string {
  return value === null ? "\\N" : String(value).replaceAll(/[\\\t\n]/g, "\\$&");
}
