// The measurement that chose the search index: the same calls and questions, in SQLite each time.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Filter } from "@call-media/store";
import { createTemporaryFolder } from "../archive.ts";
import { measureSpent, measureTimes } from "../measure.ts";
import { createRows, toBatches } from "../rows.ts";
import { toAgent, toCampaign, toRare, toThree, YEAR } from "../search/queries.ts";
import { type Line, printTable } from "../table.ts";
import { type Plan, type PlanReader, PLANS, toFirstId } from "./plans.ts";

// Indexes on every field outgrow the cache: filling them with a million rows would take longer than all the rest.
const MAX_ROWS_OF_EVERY_FIELD = 100_000;

/** Fills a database after each plan with `rows` calls, asks it, and removes it. */
export async function benchIndex(rows: number): Promise<void> {
  const plans = Object.values(PLANS).filter(
    (plan) => plan !== PLANS.everyField || rows <= MAX_ROWS_OF_EVERY_FIELD,
  );
  const figures: Figures[] = [];
  for (const plan of plans) figures.push(await measurePlan(plan, rows));
  const lines = Object.keys(figures[0] ?? {}).map((name): Line => [
    name,
    ...figures.map((of) => of[name] ?? ""),
  ]);
  printTable(`Search index, ${rows.toLocaleString("en")} calls, one year of two (p50, ms)`, [
    ["", ...plans.map(({ name }) => name)],
    ...lines,
  ]);
}

type Figures = Readonly<Record<string, string>>;

async function measurePlan(plan: Plan, rows: number): Promise<Figures> {
  await using folder = await createTemporaryFolder();
  using database = new DatabaseSync(join(folder.path, "calls.db"));
  database.exec(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536;
    ${plan.schema}`);
  const cpuSeconds = await fill(plan, database, rows);
  database.exec("ANALYZE"); // the planner would otherwise have to guess which of several indexes is the best
  const size = database
    .prepare("SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE ?")
    .get(plan.indexNames);
  return {
    ...(await measureQuestions(plan.createReader(database, RANGE))),
    "index, MB": (Number(size?.["bytes"]) / 1e6).toFixed(0),
    "rows in per CPU second": (rows / cpuSeconds).toFixed(0),
  };
}

async function fill(plan: Plan, database: DatabaseSync, rows: number): Promise<number> {
  const write = plan.createWriter(database);
  let cpuSeconds = 0;
  for (const batch of toBatches(createRows(rows))) {
    const spent = await measureSpent(() => {
      database.exec("BEGIN");
      write(
        batch.map((record, index) => ({
          id: toFirstId(Date.parse(record.datetime ?? "")) + BigInt(index),
          record,
        })),
      );
      database.exec("COMMIT");
    });
    cpuSeconds += spent.cpuSeconds;
  }
  return cpuSeconds;
}

const RANGE = {
  fromMs: Date.parse(YEAR.startDate),
  untilMs: Date.parse(YEAR.endDate) + 86_400_000,
};

type ToFilter = (index: number) => Filter;

async function measureQuestions(reader: PlanReader): Promise<Figures> {
  const page = (toFilter: ToFilter, pageIndex = 0) =>
    measureP50((index) => reader.page(toFilter(index), pageIndex));
  const count = (toFilter: ToFilter) => measureP50((index) => reader.count(toFilter(index)));
  return {
    "agent, page 0": await page(toAgent),
    "campaign, page 0": await page(toCampaign),
    "campaign, pageIndex 200": await page(() => toCampaign(0), 200),
    "campaign, count": await count(toCampaign),
    "3 filters, page 0": await page(toThree),
    "3 filters, count": await count(toThree),
    "a field outside of the 8, page 0": await page(toRare),
    "a field outside of the 8, count": await count(toRare),
  };
}

async function measureP50(ask: (index: number) => unknown): Promise<string> {
  return (await measureTimes(ask)).p50Ms.toFixed(2);
}
