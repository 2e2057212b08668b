// Searches by words in PostgreSQL: what is so in this adapter alone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseQuery } from "@call-media/words";
import postgres from "postgres";
import { expect, test, vi } from "vitest";
import type { CallStore, Visibility } from "../src/index.ts";
import { createStore } from "../src/open.ts";
import { call, fill, message, query } from "../src/suite/records.ts";
import { toVector } from "../src/postgres/words.ts";
import { MAX_CALLS_OF_BEGINNING, MAX_CALLS_READ } from "../src/values/beginnings.ts";
import { usePostgres } from "./support/postgres.ts";

const { create, createPlaces } = usePostgres();

const AT = "2025-05-01T10:00:00Z";

const find = async (
  store: CallStore,
  words: string,
  more: Partial<Parameters<typeof query>[0]> = {},
) => {
  const { records, recordCount } = await store.calls.search(
    query({ words: parseQuery(words), ...more }),
  );
  expect(recordCount).toBe(records.length);
  return records.map(({ call_id }) => String(call_id)).toSorted();
};

test("a text with more words than PostgreSQL indexes is searched as a whole", async () => {
  await using store = await create();
  const many = Array.from({ length: 90_000 }, (_, index) => `word${index}aaaaaaaa`).join(" ");
  expect(toVector({ texts: [many], numbers: [] })).toBe("'\u2026'");
  await fill(store, [
    call({ call_id: "long", datetime: AT, transcript: `${many} refund`, ani: "6145550121" }),
    call({ call_id: "short", datetime: AT, notes: "refund" }),
  ]);
  expect(await find(store, "refund")).toEqual(["long", "short"]);
  expect(await find(store, "word77aaaaaaaa")).toEqual(["long"]);
  expect(await find(store, "0121")).toEqual(["long"]);
  expect(await find(store, '"aaa refund"')).toEqual([]);
  const visibility: Visibility = [{ field: "agent", allowed: ["ann"] }];
  expect(await find(store, "refund", { visibility })).toEqual([]);
});

test("a right to a field without a place in the index is kept", async () => {
  await using store = await create();
  await fill(store, [
    call({ call_id: "A", datetime: AT, notes: "refund", disposition: "sold" }),
    call({ call_id: "B", datetime: AT, notes: "refund", disposition: "lost" }),
  ]);
  const visibility: Visibility = [{ field: "disposition", allowed: ["sold"] }];
  expect(await find(store, "refund", { visibility })).toEqual(["A"]);
  expect(await find(store, "refund", { filter: { disposition: "lost" } })).toEqual(["B"]);
});

test("a call and its chat that are imported at the same time find each other", async () => {
  await using store = await create();
  const ids = Array.from({ length: 40 }, (_, index) => `call ${index}`);
  for (const at of ids)
    await Promise.all([
      fill(store, [call({ call_id: at, datetime: AT })]),
      fill(store, [{ kind: "chat", record: message(at, "a refund", AT) }]),
    ]);
  expect(await find(store, "refund")).toEqual(ids.toSorted());
});

test("a month whose calls are all erased leaves no words", async () => {
  await using store = await create();
  await fill(store, [
    call({ call_id: "A", datetime: "2025-01-15T10:00:00Z", notes: "termination" }),
    call({ call_id: "B", datetime: AT, notes: "termination" }),
  ]);
  await store.maintenance.erase({ before: "2025-03-01" }, { operator: "olive" });
  expect(await find(store, "termination")).toEqual(["B"]);
});

// In a process of its own, which kills itself when the first rows are gone.
const KILLED_PURGE = `
  const { openMaintenance } = await import(process.argv[1]);
  const maintenance = await openMaintenance(JSON.parse(process.argv[2]));
  const onProgress = () => process.kill(process.pid, "SIGKILL");
  await maintenance.erase({ before: "2025-05-20" }, { operator: "olive", onProgress });
`;

test("a killed purge leaves no words of what has gone, and each other call with its chat", async () => {
  const places = await createPlaces();
  await using store = await createStore(places);
  const later = "2025-05-01T12:00:00Z";
  const others = Array.from({ length: 499 }, (_, index) =>
    call({ call_id: `other ${index}`, datetime: later, notes: "termination" }),
  );
  // The newest go first, 500 at a time.
  await fill(store, [
    call({ call_id: "A", datetime: AT, notes: "termination" }),
    ...others,
    call({ call_id: "damaged", datetime: "2025-05-01T13:00:00Z", notes: "termination" }),
    { kind: "chat", record: message("A", "reimbursement", AT) },
    { kind: "chat", record: message("damaged", "reimbursement", AT) },
  ]);
  const sql = postgres(places.records, { max: 1, onnotice: () => {} });
  await sql`UPDATE call SET record = '["cut' WHERE id = (SELECT max(id) FROM call)`;
  const module = new URL("../src/open.ts", import.meta.url).href;
  const child = spawn(
    process.execPath,
    ["--input-type=module", "--eval", KILLED_PURGE, module, JSON.stringify(places)],
    { stdio: "inherit" },
  );
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);

  expect(await find(store, "termination")).toEqual(["A"]);
  expect(await find(store, "reimbursement")).toEqual(["A"]);
  // PostgreSQL may not have noticed yet that nobody holds the archive any more.
  await vi.waitFor(() => store.maintenance.erase({ before: "2025-05-20" }, { operator: "olive" }));
  expect(await sql`SELECT words::text FROM call_words`).toEqual([]);
  await sql.end();
});

test("a search by words that meets a damaged record fails as damaged, and no other does", async () => {
  const places = await createPlaces();
  await using store = await createStore(places);
  const toCall = (agent: string) =>
    call({ call_id: agent, agent, datetime: AT, notes: "no refund" });
  await fill(store, [toCall("bad"), toCall("good")]);
  const sql = postgres(places.records, { max: 1, onnotice: () => {} });
  await sql`UPDATE call SET record = '["no refund' WHERE position('bad' in record) > 0`;
  await sql.end();
  // The chat of a call that cannot be read may go on.
  await fill(store, [{ kind: "chat", record: message("bad", "more", AT) }]);

  const of = (agent: string) => ({ visibility: [{ field: "agent", allowed: [agent] }] }) as const;
  for (const typed of ["refund", "ref*", '"no refund"'])
    await expect(find(store, typed, of("bad"))).rejects.toMatchObject({ reason: "damaged" });
  expect(await find(store, '"no refund"', of("good"))).toEqual(["good"]);
  expect(await find(store, "absent", of("bad"))).toEqual([]);
});

test("a beginning that the index lists for too long is looked for in the calls that the caller sees", async () => {
  const places = await createPlaces();
  await using store = await createStore(places);
  const calls = Array.from({ length: MAX_CALLS_OF_BEGINNING + 1 }, (_, index) =>
    call({
      call_id: `c${index}`,
      datetime: AT,
      agent: "ann",
      notes: index < 3 ? "refunds" : "bill",
    }),
  );
  await fill(store, [...calls, call({ call_id: "hidden", datetime: AT, notes: "refunded" })]);
  const sql = postgres(places.records, { max: 1, onnotice: () => {} });
  const [row] = await sql`SELECT tableoid::regclass::text AS name FROM call_words LIMIT 1`;
  const name = String(row?.["name"]);
  // What the index is asked takes as long as with some ten million words.
  await sql.unsafe(
    `ALTER TABLE ${name} RENAME TO slow; CREATE VIEW ${name} AS SELECT slow.* FROM slow,
     pg_sleep(CASE WHEN current_query() LIKE '%words @@ $%' AND current_query() NOT LIKE '%IS TRUE%' THEN 60 ELSE 0 END)`,
  );
  await sql.end();
  const visibility: Visibility = [{ field: "agent", allowed: ["ann"] }];
  expect(await find(store, "ref*", { visibility })).toEqual(["c0", "c1", "c2"]);
  expect(await find(store, '"refu*" bill', { visibility })).toEqual([]);
});

test("of more calls than can be looked through a beginning is refused to whom some calls are hidden", async () => {
  const places = await createPlaces();
  await using store = await createStore(places);
  await fill(store, [call({ call_id: "a", datetime: AT, agent: "ann", notes: "refunds" })]);
  const sql = postgres(places.records, { max: 1, onnotice: () => {} });
  // Calls as the index alone has them: no record of these is read.
  await sql.unsafe(`
    DO $$ DECLARE name text := (SELECT tableoid::regclass FROM call_key LIMIT 1); BEGIN
      EXECUTE format('INSERT INTO %s SELECT id - n, terms FROM %1$s, generate_series(1, ${MAX_CALLS_READ}) AS n', name);
    END $$`);
  await sql.end();
  const search = async (words: string, visibility: Visibility) =>
    store.calls.search(query({ words: parseQuery(words), visibility, isCounted: false }));
  const ofAnn: Visibility = [{ field: "agent", allowed: ["ann"] }];
  const ofBob: Visibility = [{ field: "agent", allowed: ["bob"] }];
  await expect(search("ref*", ofAnn)).rejects.toMatchObject({
    reason: "broad",
    message: expect.stringContaining("at most 300,000 calls"),
  });
  expect((await search("refunds", ofAnn)).records).toHaveLength(1);
  expect((await search("ref*", ofBob)).records).toEqual([]);
  expect((await search("ref*", "everything")).records).toHaveLength(1);
});
