// Shared by the tests of holds.
import { expect } from "vitest";
import type { CallStore, ErasureFilter, NewHold } from "../index.ts";

export const AT = "2025-05-01T10:00:00Z";
const OLIVE = { operator: "olive" };

export const erase = (store: CallStore, filter: ErasureFilter) =>
  store.maintenance.erase(filter, OLIVE);

export const add = (store: CallStore, name: string, holds: NewHold["holds"]) =>
  store.maintenance.holds.add(
    { name, reason: `reason of ${name}`, holds },
    { operation: "hold add", operator: "olive", run: "r" },
  );

export const release = (store: CallStore, name: string) => store.maintenance.holds.release(name);

export const isThere = async (store: CallStore, callId: string) =>
  (await store.calls.byCallId(callId, "everything")).length > 0;

export async function expectWell(store: CallStore) {
  const findings = await store.maintenance.check();
  expect(findings.filter(({ level }) => level === "error")).toEqual([]);
}
