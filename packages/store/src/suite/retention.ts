// What is due by a policy: it goes with its chat, and all records of one call_id are one call (D43).
import { expect, test } from "vitest";
import type { CallStore, DueCalls } from "../index.ts";
import { createRetention, parsePolicy } from "../values/retention.ts";
import { add, AT, erase, expectWell, isThere, release } from "./holding.ts";
import { call, fill, message } from "./records.ts";
import type { CreateStore } from "./stores.ts";

/** Due on 1 June 2025 by these rules, otherwise after a year. */
function toDue(...rules: readonly object[]): DueCalls {
  const policy = parsePolicy(
    JSON.stringify({ retention: 1, otherwise: { keep: "1 year" }, rules }),
  );
  const day = "2025-06-01";
  const { findRule, ...ends } = createRetention(policy, { day, timeZone: "UTC" });
  return { day, isDue: (records) => findRule(records) !== undefined, ...ends };
}

export function describeRetention(create: CreateStore): void {
  test("what is due goes with its chat, and what is held is never due", async () => {
    const store = await create();
    const toCall = (call_id: string, datetime: string | null, campaign: string) =>
      call({ call_id, datetime, campaign });
    await fill(store, [
      toCall("old", "2024-05-01T10:00:00Z", "x"),
      toCall("held", "2024-05-01T10:00:00Z", "x"),
      toCall("kept", "2024-05-01T10:00:00Z", "complaints"),
      toCall("young", AT, "x"),
      toCall("undated", null, "x"),
      { kind: "chat", record: message("old", "said", "2026-01-01T10:00:00Z") },
      { kind: "chat", record: message("nobody's", "old", "2024-05-01T10:00:00Z") },
      { kind: "chat", record: message("nobody's", "young", AT) },
    ]);
    await add(store, "smith", { callIds: ["held"] });
    const due = toDue({ name: "complaints", where: { campaign: ["Complaints"] }, keep: "7 years" });

    const held = { calls: 1, holds: ["smith"], isOwed: false };
    expect(await store.maintenance.planErasure({ due })).toMatchObject({
      calls: 1,
      chats: 2,
      held,
    });
    expect(await erase(store, { due })).toMatchObject({ calls: 1, chats: 2, held });
    const left = ["old", "held", "kept", "young", "undated"].map((id) => isThere(store, id));
    expect(await Promise.all(left)).toEqual([false, true, true, true, true]);
    expect(await erase(store, { due })).toMatchObject({ calls: 0, chats: 0, held });
    expect(await fill(store, [toCall("old", "2024-05-01T10:00:00Z", "x")])).toEqual(["erased"]);
    await release(store, "smith");
    expect(await erase(store, { due })).toMatchObject({ calls: 1 });
    await expectWell(store);
  });

  test("which of the calls that are due are held is known by their keys", async () => {
    const store = await create();
    const old = "2024-05-01T10:00:00Z";
    await fill(store, [
      call({ call_id: "A", datetime: old, agent: "ann" }),
      call({ call_id: "A", datetime: "2024-05-02T10:00:00Z", agent: "bob" }),
      call({ call_id: "B", datetime: old, agent: "bob" }),
      call({ datetime: old, agent: "ann", ref_id: "held" }),
      call({ datetime: old, agent: "bob", ref_id: "due" }),
    ]);
    await add(store, "ann", { where: { agent: ["ann"] } });
    const names = new Map<string, string | null>();
    const due: DueCalls = {
      ...toDue(),
      isDue: ([first], key) => {
        names.set(key, first?.record.call_id ?? first?.record.ref_id ?? null);
        return true;
      },
    };
    const { calls, held } = await store.maintenance.planErasure({ due });
    expect({ calls, keys: held?.keys.size }).toEqual({ calls: 2, keys: 2 });
    const left = [...names].flatMap(([key, name]) => (held?.keys.has(key) ? [] : [name]));
    expect(new Set(left)).toEqual(new Set(["B", "due"]));
  });

  test("a call is due whole or not at all, by the rules of each of its records and the age of the last", async () => {
    const store = await create();
    const due = toDue(
      { name: "complaints", where: { campaign: ["Complaints"] }, keep: "7 years" },
      { name: "payments", where: { disposition: ["Paid"] }, erase: "30 days" },
    );
    const [evening, midnight] = ["2024-01-31T23:58:00Z", "2024-02-01T00:03:00Z"];
    const recent = "2025-05-20T10:00:00Z";
    const leg = (call_id: string, datetime: string | null, given: object = {}) =>
      call({ call_id, datetime, campaign: "Sales", agent: "ann", ...given });
    await fill(store, [
      leg("transferred", evening),
      leg("transferred", midnight, { campaign: "Complaints" }),
      leg("transferred back", evening, { campaign: "Complaints" }),
      leg("transferred back", midnight),
      leg("sold", evening),
      leg("sold", midnight),
      { kind: "chat", record: message("sold", "Yes.", recent) },
      leg("paid", "2025-04-01T10:00:00Z"),
      leg("paid", "2025-04-01T10:05:00Z", { disposition: "Paid", campaign: "Complaints" }),
      leg("used again", evening),
      leg("used again", recent),
      leg("paid again", evening, { disposition: "Paid" }),
      leg("paid again", recent),
      leg("partly undated", evening),
      leg("partly undated", null, { agent: "bob" }),
      call({ datetime: evening, agent: "of no call_id" }),
    ]);
    const seen = new Map<string, number>();
    const counting: DueCalls = {
      ...due,
      isDue: (records, key) => {
        const [first] = records;
        const id = first?.record.call_id ?? "none";
        seen.set(id, (seen.get(id) ?? 0) + 1);
        return due.isDue(records, key);
      },
    };
    const asked = { sold: 1, paid: 1, "partly undated": 1, "used again": 1, none: 1 };

    expect(await store.maintenance.planErasure({ due: counting })).toMatchObject({ calls: 5 });
    expect(Object.fromEntries(seen)).toMatchObject(asked);
    expect(await erase(store, { due })).toMatchObject({ calls: 5, chats: 1 });
    expect(await countLegs(store)).toEqual({
      transferred: 2,
      "transferred back": 2,
      sold: 0,
      paid: 0,
      "used again": 2,
      "paid again": 2,
      "partly undated": 2,
    });
    expect(await store.maintenance.planErasure({ due })).toMatchObject({ calls: 0, chats: 0 });
    await expectWell(store);
  });
}

async function countLegs(store: CallStore) {
  const ids = ["transferred", "transferred back", "sold", "paid", "used again", "paid again"];
  const counts = [...ids, "partly undated"].map(async (id) => {
    const legs = await store.calls.byCallId(id, "everything");
    return [id, legs.length] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}
