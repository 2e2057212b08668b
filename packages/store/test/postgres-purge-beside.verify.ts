// Imports, purges and searches of one archive in PostgreSQL at the same time, by programs of their own: nobody sees half of anything.
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { ArchiveError, type CallStore, type ErasureFilter } from "../src/index.ts";
import { createStore, openMaintenance, openStore, type Places } from "../src/open.ts";
import { call, fill, query } from "../src/suite/records.ts";
import { usePostgres } from "./support/postgres.ts";

const { createPlaces } = usePostgres();

const BATCHES = 30;
const KEPT = 40;
const PAUSE_MS = 5;

/** Until nobody else is in the way. */
async function insist<Done>(work: () => Promise<Done>): Promise<Done> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      // Refused as a whole: nothing of it was done.
      if (!(error instanceof ArchiveError)) throw error;
      await wait(PAUSE_MS);
    }
}

/** Calls that stay, one that is purged by its call_id, and one of a month that is purged as a whole. */
function toBatch(batch: number) {
  const datetime = `2026-03-${String(1 + (batch % 28)).padStart(2, "0")}T10:00:00Z`;
  return [
    ...Array.from({ length: KEPT }, (_, at) => call({ call_id: `kept ${batch} ${at}`, datetime })),
    call({ call_id: `gone ${batch}`, datetime }),
    call({ call_id: `old ${batch}`, datetime: `2025-0${1 + (batch % 9)}-10T10:00:00Z` }),
  ];
}

async function importAll(places: Places, onWritten: (batch: number) => void): Promise<void> {
  await using store = await openStore(places);
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const outcomes = await insist(() => fill(store, toBatch(batch)));
    expect(outcomes.filter((outcome) => outcome !== "imported")).toEqual([]);
    onWritten(batch);
    await wait(PAUSE_MS);
  }
}

async function eraseAll(places: Places, written: readonly number[]): Promise<number> {
  const maintenance = await openMaintenance(places);
  const run = async (filter: ErasureFilter) =>
    await insist(() => maintenance.erase(filter, { operator: "olive" }));
  let erased = 0;
  for (let done = 0; done < BATCHES;) {
    const batch = written[done];
    if (batch === undefined) {
      await wait(PAUSE_MS);
      continue;
    }
    const { calls, isComplete } = await run({ callId: `gone ${batch}` });
    expect({ calls, isComplete }).toEqual({ calls: 1, isComplete: true });
    erased += calls;
    if (batch % 3 === 0) erased += (await run({ before: "2026-01-01" })).calls;
    done += 1;
  }
  return erased + (await run({ before: "2026-01-01" })).calls;
}

/** What stays only becomes more, and a page and its count are of one state. */
async function searchOn(store: CallStore, signal: AbortSignal): Promise<number> {
  let [searches, known] = [0, 0];
  const days = { startDate: "2025-01-01", endDate: "2026-12-31" };
  while (!signal.aborted) {
    const { records, recordCount = 0, hasNext } = await store.calls.search(query(days));
    expect(hasNext).toBe(recordCount > records.length);
    expect(records.length).toBe(Math.min(recordCount, 50));
    const march = { startDate: "2026-03-01", endDate: "2026-03-31" };
    const { recordCount: now = 0 } = await store.calls.search(query(march));
    // Each batch may have lost its one call, and no other.
    expect(now).toBeGreaterThanOrEqual(known - BATCHES);
    known = Math.max(known, now);
    expect(
      (await store.calls.byCallId(`old ${searches % BATCHES}`, "everything")).length,
    ).toBeLessThan(2);
    searches += 1;
  }
  return searches;
}

test("imports, purges and searches at once: what is purged is gone, all else is there, nobody waits for good", async () => {
  const places = await createPlaces();
  await using store = await createStore(places);
  const sql = postgres(places.records, { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  const over = new AbortController();
  const searching = [searchOn(store, over.signal), searchOn(store, over.signal)];
  const written: number[] = [];
  const [erased] = await Promise.all([
    eraseAll(places, written),
    importAll(places, (batch) => void written.push(batch)),
  ]).finally(() => over.abort());
  expect(Math.min(...(await Promise.all(searching)))).toBeGreaterThan(0);

  expect(erased).toBe(2 * BATCHES);
  const all = query({ startDate: "2025-01-01", endDate: "2026-12-31" });
  expect(await store.calls.search(all)).toMatchObject({ recordCount: BATCHES * KEPT });
  for (let batch = 0; batch < BATCHES; batch += 1) {
    expect(await store.calls.byCallId(`kept ${batch} ${KEPT - 1}`, "everything")).toHaveLength(1);
    expect(await store.calls.byCallId(`gone ${batch}`, "everything")).toEqual([]);
  }
  expect(await fill(store, toBatch(0).slice(-2))).toEqual(["erased", "erased"]);
  expect(await store.maintenance.check()).toEqual([]);
  const [{ deadlocks } = { deadlocks: "" }] =
    await sql`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`;
  expect(deadlocks).toBe("0");
});
