// An archive as earlier versions left it: they told the records of a call apart by reference, agent and datetime as written.
import { expect } from "vitest";
import type { CallItem, CallStore } from "../../src/index.ts";
import { call, fill } from "../../src/suite/records.ts";
import { toRowDigest } from "../../src/values/row-digest.ts";

const AT = "2025-05-01T10:00:00Z";
const A = { call_id: "A", datetime: AT, agent: "ann" };
const [ANN, BOB] = ["ann", "bob"].map((agent) => ({ call_id: "B", datetime: AT, agent }));

/** A call of one record, and the legs of another that began at one moment; each with an identity that `listEarlier` replaces. */
export const EARLIER: readonly CallItem[] = [A, { ...ANN }, { ...BOB }].map((fields, index) =>
  call(fields, { identity: [String(index)] }),
);

/** What the archive has as the identity of each of these calls, and what it had, in hexadecimal. */
export const listEarlier = () =>
  EARLIER.map(({ record: { ref_id, datetime, agent } }, index) => ({
    stored: Buffer.from(JSON.stringify([String(index)])).toString("hex"),
    earlier: Buffer.from(toRowDigest([ref_id, datetime, agent])).toString("hex"),
  }));

/** Imports what a later export may say of these calls. */
export async function expectKnown(store: CallStore): Promise<void> {
  const legs = await scan(store);
  expect(legs.map(({ identity }) => identity)).toEqual([
    undefined,
    undefined,
    [expect.any(String), "2"],
  ]);
  expect(await scan(store, legs[1]?.id)).toEqual(legs.slice(2));

  const unclear = { rejected: expect.stringContaining("2 records of the call B") };
  for (const [fields, outcome] of [
    [{ ...A, agent: "ann.smith" }, "replaced"],
    [{ ...A, datetime: "2025-05-01T12:00:00+02:00" }, "replaced"],
    [{ ...BOB }, "unchanged"],
    [{ ...ANN, notes: "corrected" }, "replaced"],
    [{ ...BOB, agent: "bob.smith" }, unclear],
  ] as const)
    expect(await fill(store, [call(fields)])).toEqual([outcome]);
  expect(await store.calls.byCallId("A", "everything")).toHaveLength(1);
  expect(await store.calls.byCallId("B", "everything")).toMatchObject([
    { agent: "ann", notes: "corrected" },
    { agent: "bob" },
  ]);
  expect((await store.maintenance.check()).filter(({ level }) => level === "error")).toEqual([]);
}

async function scan(store: CallStore, after?: string) {
  const found: { id: string | undefined; identity: CallItem["identity"] }[] = [];
  await using scanned = await store.maintenance.scan(after === undefined ? {} : { after });
  for await (const { id, items } of scanned.rows())
    for (const item of items) if (item.kind === "call") found.push({ id, identity: item.identity });
  return found;
}
