// Holds against a model: what a hold has caught is there in every state, whatever is imported, released and purged (D43).
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ArchiveItem, CallStore, ErasureFilter, NewHold } from "../index.ts";
import { add, AT, erase, expectWell, release } from "./holding.ts";
import { call, fill } from "./records.ts";
import { close, type CreateStore, type Extent, toRuns } from "./stores.ts";

export function describeHoldsModel(create: CreateStore, extent: Extent): void {
  test("whatever is imported, held, released and purged, what a hold has caught is there in every state", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 2, maxLength: 12 }), async (steps) => {
        const store = await create();
        const world = createWorld(store);
        for (const step of steps) await world.take(step);
        await expectWell(store);
        await close(store);
      }),
      toRuns(24, extent),
    );
  });
}

const CAMPAIGNS = ["x", "y"] as const;
const NAMES = ["h1", "h2"] as const;

const STEP = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("import" as const),
      id: fc.constantFrom("A", "B"),
      leg: fc.constantFrom("1", "2"),
      campaign: fc.constantFrom(...CAMPAIGNS, "z"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("hold" as const),
      name: fc.constantFrom(...NAMES),
      what: fc.constantFrom<NewHold["holds"]>(
        ...CAMPAIGNS.map((campaign) => ({ where: { campaign: [campaign] } })),
        { callIds: ["A"] },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("release" as const),
      name: fc.constantFrom(...NAMES),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("purge" as const),
      filter: fc.constantFrom<ErasureFilter>(
        { callId: "A" },
        { callIds: ["A", "B"] },
        { before: "2026-01-01" },
        { isOwed: true },
      ),
    }),
  },
);

type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never;

/** Drives an archive, and knows what each hold has caught. */
function createWorld(store: CallStore) {
  const holds = new Map<string, { what: NewHold["holds"]; caught: Set<string> }>();
  const states = new Map<string, Set<string>>();
  const owed = new Set<string>();
  const erased = new Set<string>();
  const look = () => {
    for (const { what, caught } of holds.values())
      for (const [id, seen] of states)
        if (
          "callIds" in what ? what.callIds.includes(id) : [...seen].some((one) => fits(one, what))
        )
          caught.add(id);
  };
  const isHeld = (id: string) => [...holds.values()].some(({ caught }) => caught.has(id));
  const faults: string[] = [];
  const check = async () => {
    look();
    expect(faults).toEqual([]);
    for (const [id, seen] of states) {
      const found = await store.maintenance.history({ callId: id });
      const there = new Set(found.map(({ state }) => toText(state as ArchiveItem)));
      expect(there, `the states of ${id}`).toEqual(seen);
    }
    const { calls } = await store.maintenance.planErasure({ isOwed: true });
    const free = [...owed].filter((id) => states.has(id) && !isHeld(id));
    expect(calls > 0, "what is owed and free").toBe(free.length > 0);
  };
  const forget = (id: string) => {
    states.delete(id);
    for (const { caught } of holds.values()) caught.delete(id);
  };
  const purge = async (filter: ErasureFilter) => {
    const isOfIds = !("before" in filter);
    const ids = toIds(filter, { states, owed });
    const held = ids.filter((id) => isHeld(id) && states.has(id));
    const report = await erase(store, filter);
    expect(report.held?.calls ?? 0, "the calls that are held").toBe(held.length);
    for (const id of ids) {
      if (isHeld(id) && states.has(id)) {
        if (isOfIds) owed.add(id);
        continue;
      }
      if (states.has(id) || "isOwed" in filter) owed.delete(id);
      if (states.has(id)) erased.add(id);
      forget(id);
    }
  };
  const take = async (step: Step): Promise<void> => {
    if (step.kind === "import") {
      const { id, leg, campaign } = step;
      const item = call({ call_id: id, datetime: AT, campaign }, { identity: [leg] });
      const [outcome] = await fill(store, [item]);
      if (outcome === "erased" && !erased.has(id)) faults.push(`${id} was never erased`);
      if (outcome !== "erased") states.set(id, (states.get(id) ?? new Set()).add(toText(item)));
    } else if (step.kind === "hold") {
      if (!holds.has(step.name)) {
        await add(store, step.name, step.what);
        holds.set(step.name, { what: step.what, caught: new Set() });
      }
    } else if (step.kind === "release") {
      const isReleased = (await release(store, step.name)) !== undefined;
      if (holds.delete(step.name) !== isReleased) faults.push(`${step.name} is not what it was`);
    } else {
      look();
      await purge(step.filter);
    }
    await check();
  };
  return { take };
}

function toIds(
  filter: ErasureFilter,
  { states, owed }: { states: ReadonlyMap<string, unknown>; owed: ReadonlySet<string> },
): readonly string[] {
  if ("isOwed" in filter) return [...owed];
  if ("callId" in filter) return [filter.callId];
  return "callIds" in filter ? filter.callIds : [...states.keys()];
}

const fits = (text: string, what: NewHold["holds"]) =>
  "where" in what &&
  (what.where?.campaign ?? []).some((campaign) => text.endsWith(`"${campaign}"]`));

function toText(item: ArchiveItem): string {
  const { record, identity } = item as Extract<ArchiveItem, { kind: "call" }>;
  return JSON.stringify([identity, record.campaign]);
}
