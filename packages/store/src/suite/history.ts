// The states of what was replaced, and who replaced it (D42).
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type ArchiveItem, type CallItem, type CallStore, verifyMedia } from "../index.ts";
import { addRecording, call, type CallExtras, fill, flag, toUser } from "./records.ts";
import { close, type CreateStore, type Extent, toRuns } from "./stores.ts";

const AT = "2025-05-01T10:00:00Z";

export function describeHistory(create: CreateStore, extent: Extent): void {
  test("each state of a call can be made again, with who brought and who replaced it", async () => {
    const store = await create();
    const a = { call_id: "A", datetime: AT, agent: "ann" };
    const first = call({ ...a, notes: "first" }, { sessionId: "s" });
    const second = call({ ...a, notes: "second", disposition: "sold" }, { masterId: "m" });
    await importAs(store, "olive", [first]);
    await importAs(store, "oscar", [second, call({ call_id: "B", datetime: AT })]);
    await importAs(store, "otto", [second]);

    const [now, before, ...others] = await store.maintenance.history({ callId: "A" });
    const by = (operator: string) => ({ operation: "import", operator, run: `run of ${operator}` });
    expect(now).toMatchObject({
      state: { record: second.record, masterId: "m" },
      brought: by("oscar"),
      replaced: undefined,
      isCurrent: true,
    });
    expect(before).toMatchObject({
      state: { record: first.record, sessionId: "s" },
      brought: by("olive"),
      replaced: by("oscar"),
      isCurrent: false,
    });
    expect(now?.state).not.toHaveProperty("sessionId", "s");
    expect(others).toEqual([]);
    expect(await store.maintenance.history({ callId: "B" })).toHaveLength(1);
    expect(await store.maintenance.history({ callId: "C" })).toEqual([]);
    expect(await store.maintenance.listReplaced(["C", "B", "A", "Ä"])).toEqual(["A"]);
    await expectWell(store);
  });

  test("users and flags have states, too", async () => {
    const store = await create();
    const user = (city: string): ArchiveItem => ({ kind: "user", record: toUser(1, { city }) });
    const vip = (name: string): ArchiveItem => ({ kind: "flag", record: flag(7, "Public", name) });
    await importAs(store, "olive", [user("Leeds"), vip("vip")]);
    await importAs(store, "oscar", [user("York"), vip("very"), user("York")]);

    for (const [of, field, values] of [
      [{ userId: 1 }, "city", ["York", "Leeds"]],
      [{ flagId: 7 }, "Name", ["very", "vip"]],
    ] as const) {
      const states = await store.maintenance.history(of);
      expect(states.map(({ state }) => (state as Record<string, unknown>)[field])).toEqual(values);
      expect(states.map(({ brought }) => brought?.operator)).toEqual(["oscar", "olive"]);
      expect(states.map(({ replaced }) => replaced?.operator)).toEqual([undefined, "oscar"]);
    }
    await expectWell(store);
  });

  test("a recording that came again in another form stays until its call is erased", async () => {
    const store = await create();
    const [wav, mp3] = [
      await addRecording(store, { filename: "a.wav", content: "original" }),
      await addRecording(store, { filename: "a.mp3", content: "smaller" }),
    ];
    const toA = (extras: CallExtras) => call({ call_id: "A", datetime: AT }, extras);
    await fill(store, [toA({ recordings: [wav] }), call({ call_id: "B", datetime: AT })]);
    await fill(store, [toA({ recordings: [mp3] })]);

    expect(await store.maintenance.erase({ callId: "B" }, OLIVE)).toMatchObject({ files: 0 });
    const [, before] = await store.maintenance.history({ callId: "A" });
    expect(before?.state).toMatchObject({ recordings: [{ filename: "a.wav", media: wav.media }] });
    expect(await verifyMedia(store.maintenance)).toMatchObject({ files: 2, damages: [] });
    expect(await store.maintenance.referencedMedia({ isCurrent: true })).toMatchObject({
      files: 1,
    });

    const plan = await store.maintenance.planErasure({ callId: "A" });
    expect(plan).toMatchObject({ calls: 1, files: 2, ofNoRecord: [] });
    await store.maintenance.erase({ callId: "A" }, OLIVE);
    expect(await store.maintenance.history({ callId: "A" })).toEqual([]);
    expect(await verifyMedia(store.maintenance)).toMatchObject({ files: 0, unreferenced: [] });
    await expectWell(store);
  });

  test("whatever is imported and erased, each state that was accepted of what is there can be made again", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 1, maxLength: 14 }), async (steps) => {
        const store = await create();
        const model = new Map<string, CallItem[]>();
        const outcomes: unknown[] = [];
        const wanted: unknown[] = [];
        for (const step of steps) {
          if ("erase" in step) {
            await store.maintenance.erase({ before: step.erase }, OLIVE);
            const calls = Map.groupBy(model, ([, [newest]]) => newest?.record.call_id);
            for (const legs of calls.values())
              if (legs.every(([, [newest]]) => (newest?.record.datetime ?? "") < step.erase))
                for (const [key] of legs) model.delete(key);
          } else {
            const key = step.item.record.call_id + String(step.item.identity);
            const [outcome] = await fill(store, [step.item]);
            if (outcome === "erased") continue;
            const known = model.get(key) ?? [];
            outcomes.push(outcome);
            wanted.push(toOutcome(known[0], step.item));
            if (outcome !== "unchanged") model.set(key, [step.item, ...known]);
          }
        }
        expect(outcomes).toEqual(wanted);
        const expected = [...model.values()].flat().map(toText).toSorted();
        const found = [
          ...(await store.maintenance.history({ callId: "A" })),
          ...(await store.maintenance.history({ callId: "B" })),
        ];
        expect(found.map(({ state }) => toText(state as CallItem)).toSorted()).toEqual(expected);
        await expectWell(store);
        await close(store);
      }),
      toRuns(60, extent),
    );
  });
}

const OLIVE = { operator: "olive" };

const STEP = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record({
        call_id: fc.constantFrom("A", "A", "B"),
        leg: fc.constantFrom("1", "2"),
        notes: fc.constantFrom("x", "y", null),
        datetime: fc.constantFrom(AT, "2025-05-09T10:00:00Z"),
        sessionId: fc.constantFrom("s", "t", undefined),
      })
      .map(({ leg, sessionId, ...fields }) => ({
        item: call(fields, { identity: [leg], ...(sessionId !== undefined && { sessionId }) }),
      })),
  },
  { weight: 1, arbitrary: fc.constant({ erase: "2025-05-05" }) },
);

const toText = ({ record, sessionId }: Pick<CallItem, "record" | "sessionId">) =>
  JSON.stringify([record.call_id, record.datetime, record.notes, sessionId ?? null]);

function toOutcome(known: CallItem | undefined, item: CallItem) {
  if (known === undefined) return "imported";
  return toText(known) === toText(item) ? "unchanged" : "replaced";
}

async function importAs(store: CallStore, operator: string, items: readonly ArchiveItem[]) {
  const writer = { operation: "import", operator, run: `run of ${operator}` } as const;
  await using session = await store.openImport({ writer });
  await session.write(items.map((item) => [item]));
}

async function expectWell(store: CallStore) {
  const findings = await store.maintenance.check();
  expect(findings.filter(({ level }) => level === "error")).toEqual([]);
}
