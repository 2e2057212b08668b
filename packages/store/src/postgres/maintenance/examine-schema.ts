// Compares an archive's tables, indexes and triggers with those that this program creates. For that it creates them in a scratch schema,
// in a transaction that is rolled back. A missing trigger lets rows go unnoticed, and an added one may do anything to them.
import type { Finding } from "../../port/finding.ts";
import type { Pool, Transaction } from "../connection.ts";
import { hasCode } from "../faults.ts";
import { MIGRATIONS } from "../schema/migrations.ts";
import { readVersion } from "../schema/settle-schema.ts";

const SCRATCH = "call_media_as_made";

/** Changes nothing. */
export async function examineSchema({ transact }: Pick<Pool, "transact">): Promise<Finding[]> {
  try {
    return await transact(compare, { isLong: true });
  } catch (error) {
    if (!hasCode(error, MAY_NOT) && !hasCode(error, IS_STANDBY)) throw error;
    return [UNCOMPARED];
  }
}

const MAY_NOT = "42501";
const IS_STANDBY = "25006";

const UNCOMPARED: Finding = {
  level: "warning",
  what: "tables, indexes and triggers were not compared with those that this program makes: that needs a role that may make a schema",
  where: "the database",
  todo: 'run doctor as the role that ran "setup", or grant CREATE on the database to that role',
};

async function compare(transaction: Transaction): Promise<Finding[]> {
  // This program does not know the schema of a later version.
  const version = (await readVersion(transaction))?.version;
  if (version !== MIGRATIONS.at(-1)?.version) return [];
  const found = await readSchema(transaction);
  // Nothing remains for a standby to confirm, and the standby may be unreachable.
  await transaction.run(
    `SET LOCAL synchronous_commit = off; SAVEPOINT before; CREATE SCHEMA ${SCRATCH}; SET LOCAL search_path = ${SCRATCH}`,
  );
  for (const { sql } of MIGRATIONS) await transaction.run(sql);
  const made = withMonths(await readSchema(transaction), found);
  await transaction.run("ROLLBACK TO SAVEPOINT before");
  const altered = [...made].flatMap(([name, definition]) =>
    found.get(name) === definition
      ? []
      : toFinding(`the ${name} is ${found.has(name) ? "altered" : "missing"}`, AS_BEFORE),
  );
  const foreign = [...found.keys()].filter((name) => !made.has(name) && isOfOurs(name, made));
  return [
    ...altered,
    ...foreign.map((name) => toFinding(`the ${name} is not of this program`, REMOVE)),
  ];
}

const toFinding = (what: string, todo: string): Finding => ({
  level: "error",
  what,
  where: "the database",
  todo,
});

const AS_BEFORE = "restore the database as it was before, and look for who changed it";

const REMOVE = "find out who made it and what it does, and remove it";

type Schema = ReadonlyMap<string, string>;

/** Other tables in the database belong to others; an index that others added changes no result. */
const isOfOurs = (name: string, made: Schema): boolean => {
  const [, kind, table] = /^(\w+) .* of (.*)$/.exec(name) ?? [];
  return kind !== undefined && kind !== "index" && made.has(`table ${table}`);
};

/** Each month has the same as the partition of calls without a datetime. */
function withMonths(made: Schema, found: Schema): Schema {
  const suffixes = [...found.keys()].flatMap((name) => MONTH.exec(name)?.[1] ?? []);
  const whole = new Map(made);
  for (const suffix of new Set(suffixes))
    for (const [name, definition] of made)
      if (name.includes(UNDATED))
        whole.set(name.replaceAll(UNDATED, suffix), definition.replaceAll(UNDATED, suffix));
  return whole;
}

const UNDATED = "_undated";
const MONTH = /^table (?:call|call_key|call_words|recording)(_\d+_\d\d)$/;

/** SQL: the schema of the archive's tables, or of the tables created for comparison. */
const OWN = "SELECT relnamespace FROM pg_class WHERE oid = 'call'::regclass";

/** Definitions by their subject, such as "trigger access_kept of access". */
async function readSchema({ ask }: Transaction): Promise<Schema> {
  const rows = await ask<{ name: string; definition: string }>(
    `WITH own AS (SELECT c.*, c.relname::text AS name FROM pg_class c WHERE relnamespace = (${OWN}))
     SELECT 'table ' || name AS name, concat_ws(' ', relkind, relpersistence, relispartition, relrowsecurity,
         (SELECT string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attstorage,
            (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = attrelid AND adnum = attnum)), ',' ORDER BY attname)
          FROM pg_attribute WHERE attrelid = own.oid AND attnum > 0 AND NOT attisdropped)) AS definition
       FROM own WHERE relkind IN ('r', 'p')
     UNION ALL SELECT 'index ' || i.name || ' of ' || own.name,
         concat_ws(' ', indisvalid, regexp_replace(pg_get_indexdef(indexrelid), ' WITH [(]gin_pending_list_limit=[^)]*[)]', ''))
       FROM pg_index JOIN own AS i ON i.oid = indexrelid JOIN own ON own.oid = indrelid
     UNION ALL SELECT 'trigger ' || tgname || ' of ' || own.name, concat_ws(' ', tgenabled, pg_get_triggerdef(pg_trigger.oid))
       FROM pg_trigger JOIN own ON own.oid = tgrelid WHERE NOT tgisinternal
     UNION ALL SELECT 'constraint ' || conname || ' of ' || own.name, pg_get_constraintdef(pg_constraint.oid)
       FROM pg_constraint JOIN own ON own.oid = conrelid WHERE contype IN ('c', 'f', 'p', 'u')
     UNION ALL SELECT 'rule ' || rulename || ' of ' || own.name, pg_get_ruledef(pg_rewrite.oid)
       FROM pg_rewrite JOIN own ON own.oid = ev_class WHERE relkind IN ('r', 'p')
     UNION ALL SELECT 'function ' || proname, concat_ws(' ', prosecdef, provolatile, prosrc)
       FROM pg_proc WHERE pronamespace = (${OWN}) AND prokind = 'f'
         AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')`,
  );
  const [schema] = await ask<{ name: string }>(
    `SELECT quote_ident(nspname) AS name FROM pg_namespace WHERE oid = (${OWN})`,
  );
  return new Map(
    rows.map(({ name, definition }) => [name, definition.replaceAll(`${schema?.name}.`, "")]),
  );
}
