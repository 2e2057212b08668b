// A standby that answers for records: how far it is behind is known, and the primary answers when it is too far, or away (D31).
import { type ReplicatedPostgres, startReplicated } from "@call-media/test-setup/postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import type { CallSearch, CallStore, Replica } from "../src/index.ts";
import { createStore, openMaintenance, openStore, type Places } from "../src/open.ts";
import { call, fill } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";

const WAIT = { timeout: 60_000, interval: 50 };

const SEARCH: CallSearch = {
  filter: {},
  startDate: "2026-01-01",
  endDate: "2026-01-31",
  pageIndex: 0,
  visibility: "everything",
  isCounted: true,
};

const MAX_LAG_MS = 60_000;

async function startPair(maxLagMs = MAX_LAG_MS) {
  const media = `file:${await createFolder()}`;
  const pair = await startReplicated(async (records) => {
    await using store = await createStore({ records, media });
    await addCall(store, "first");
  });
  onTestFinished(() => pair[Symbol.asyncDispose]());
  const places = { records: pair.primary, media, replica: { address: pair.standby, maxLagMs } };
  return { pair, places };
}

async function openPair(maxLagMs?: number) {
  const { pair, places } = await startPair(maxLagMs);
  const store = await openStore(places);
  onTestFinished(() => store[Symbol.asyncDispose]());
  const { replica } = store;
  if (replica === undefined) throw new Error("the places name a replica");
  return { pair, places, store, replica };
}

async function addCall(store: CallStore, callId: string): Promise<void> {
  await fill(store, [call({ call_id: callId, ref_id: "r", datetime: "2026-01-05T10:00:00Z" })]);
}

async function untilMeasured({ lagMs, maxLagMs }: Replica): Promise<void> {
  await vi.waitFor(() => expect(lagMs()).toBeLessThan(maxLagMs), WAIT);
}

/** What it finds, by each of its ways. */
async function find(calls: Replica["calls"]): Promise<readonly (readonly unknown[])[]> {
  const { records, recordCount } = await calls.search(SEARCH);
  const found = [
    records,
    await calls.byReference("r", "everything"),
    await calls.byCallId("later", "everything"),
  ];
  const ids = found.map((ones) => ones.map(({ call_id: id }) => id));
  expect(recordCount).toBe(records.length);
  return ids;
}

const ONE = [["first"], ["first"], []];
const BOTH = [["first", "later"], ["first", "later"], ["later"]];

test("the standby answers with what it has replayed, and its lag grows until it replays again", async () => {
  const { pair, store, replica } = await openPair();
  await untilMeasured(replica);
  expect(await find(replica.calls)).toEqual(ONE);

  await pair.pauseReplay();
  await addCall(store, "later");
  expect(await find(store.calls)).toEqual(BOTH);
  expect(await find(replica.calls)).toEqual(ONE);
  // One that had come along would be measured meanwhile.
  await vi.waitFor(() => expect(replica.lagMs()).toBeGreaterThan(3_500), WAIT);

  await pair.resumeReplay();
  await vi.waitFor(() => expect(replica.lagMs()).toBeLessThan(3_500), WAIT);
  expect(await find(replica.calls)).toEqual(BOTH);
});

test("a standby that has died is away, and the primary answers in its place", async () => {
  const { pair, replica } = await openPair();
  await untilMeasured(replica);
  await pair.killStandby();
  expect(await find(replica.calls)).toEqual(ONE);
  expect(replica.lagMs()).toBe(Infinity);
});

test("a standby that is away at the beginning keeps nobody from opening the archive", async () => {
  const { pair, places } = await startPair();
  await pair.killStandby();
  await using store = await openStore(places);
  expect(store.replica?.lagMs()).toBe(Infinity);
  expect(await find(store.calls)).toEqual(ONE);
});

test("a standby that was promoted is not read any more", async () => {
  const { pair, replica } = await openPair();
  await untilMeasured(replica);
  await pair.promote();
  await vi.waitFor(() => expect(replica.lagMs()).toBe(Infinity), WAIT);
});

const check = async (places: Places) =>
  (await (await openMaintenance(places)).check()).filter(({ where }) => where === "replica");

test("doctor says what is wrong with a replica", async () => {
  const { pair, places } = await startPair(2_000);
  expect(await check(places)).toEqual([]);
  const withReplica = (address: string) =>
    check({ ...places, replica: { address, maxLagMs: 2_000 } });
  expect(await withReplica(pair.primary)).toMatchObject([
    { level: "warning", what: expect.stringContaining("does not follow the primary") },
  ]);
  await pair.pauseReplay();
  await addToPrimary(pair, places);
  expect(await check(places)).toMatchObject([
    { what: "the replica is more than 2 s behind: everything is read from the primary" },
  ]);
  await pair.killStandby();
  expect(await check(places)).toMatchObject([
    { what: "the replica does not answer: everything is read from the primary" },
  ]);
});

async function addToPrimary({ primary }: ReplicatedPostgres, { media }: Places): Promise<void> {
  await using store = await openStore({ records: primary, media });
  await addCall(store, "later");
}

test("a replica of another archive is refused, and so are several hosts and folders", async () => {
  const { pair, places } = await startPair();
  const other = await startPair();
  const withReplica = (address: string, records = places.records) =>
    openStore({ ...places, records, replica: { address, maxLagMs: MAX_LAG_MS } });
  await expect(withReplica(other.pair.standby)).rejects.toThrow(
    "the replica has the records of another archive: name one of this archive",
  );
  await expect(withReplica("postgres://cm:S3CRET@one,two/cm")).rejects.toThrow(
    "the address of the replica is not that of one standby: postgres://user@host/database",
  );
  await expect(withReplica(pair.standby, await createFolder())).rejects.toThrow(
    "records in a folder have no replica: leave it out",
  );
});
