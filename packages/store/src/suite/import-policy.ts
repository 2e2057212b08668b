// Imports leave out what the policy of the archive would make due at once, by the rules of `retention plan` (D43).
import { expect, test } from "vitest";
import type { ArchiveItem, CallStore } from "../index.ts";
import { add, erase, expectWell, isThere } from "./holding.ts";
import { addRecording, call, type CallExtras, fill, fillRows, message } from "./records.ts";
import type { CreateStore } from "./stores.ts";

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const [OLD, YOUNG] = [daysAgo(500), daysAgo(10)];

const setPolicy = (store: CallStore, policy: object) => {
  const value = JSON.stringify({ retention: 1, rules: [], ...policy });
  return store.maintenance.internals.write([{ kind: "setting", name: "policy", value }]);
};

const toCall = (call_id: string, datetime: string, extras: CallExtras = {}, fields: object = {}) =>
  call({ call_id, datetime, ...fields }, extras);

const toChat = (call_id: string | null, text: string, datetime: string): ArchiveItem => ({
  kind: "chat",
  record: { ...message("", text, datetime), call_id },
});

export function describeImportPolicy(create: CreateStore): void {
  test("what would be due at once is not taken, with its chat, and what is there stays as it is", async () => {
    const store = await create();
    await fill(store, [toCall("known", OLD)]);
    await setPolicy(store, {
      otherwise: { keep: "1 year" },
      rules: [{ name: "complaints", where: { campaign: ["Complaints"] }, keep: "7 years" }],
    });
    const outcomes = await fillRows(store, [
      [toCall("old", OLD), toChat("old", "Yes.", YOUNG)],
      [toCall("young", YOUNG), toChat("young", "Yes.", OLD)],
      [toCall("kept", OLD, {}, { campaign: "complaints" })],
      [toCall("over night", OLD), toCall("over night", YOUNG)],
      [call({ call_id: "undated" })],
      [call({ agent: "nobody", datetime: OLD })],
      [toCall("known", OLD)],
      [toCall("known", OLD, {}, { notes: "corrected" })],
      [toCall("old", OLD), toCall("other", YOUNG)],
      [toChat(null, "old", OLD)],
      [toChat(null, "young", YOUNG)],
    ]);
    expect(outcomes).toEqual([
      "due",
      "imported",
      "imported",
      "imported",
      "imported",
      "due",
      "unchanged",
      "replaced",
      "imported",
      "due",
      "imported",
    ]);
    const there = ["old", "young", "kept", "over night", "undated", "known", "other"];
    expect(await Promise.all(there.map((one) => isThere(store, one)))).toEqual([
      false,
      ...there.slice(1).map(() => true),
    ]);
    expect(await store.calls.chat("old", "everything")).toEqual([]);
    expect((await store.calls.chat("young", "everything")).length).toBe(1);
    expect((await store.importedRows()).erased).toBe(3);
    await expectWell(store);
  });

  test("what a hold would catch is taken, whether by its call_id, its fields or its words", async () => {
    const store = await create();
    await setPolicy(store, { otherwise: { keep: "1 year", sound: "30 days" } });
    await add(store, "named", { callIds: ["A"] });
    await add(store, "words", { words: "storm" });
    const recordings = [await addRecording(store, { filename: "a.wav", content: "sound" })];
    const rows = [
      [toCall("A", OLD, { recordings })],
      [toCall("B", OLD, {}, { notes: "a storm" })],
      [toCall("C", OLD), toChat("C", "the storm", OLD)],
      [toCall("D", OLD)],
    ];
    expect(await fillRows(store, rows)).toEqual(["imported", "imported", "imported", "due"]);
    expect(await store.calls.recordings({ callId: "A" }, "everything")).toHaveLength(1);
    expect(await fillRows(store, rows)).toEqual(["unchanged", "unchanged", "unchanged", "due"]);
    await expectWell(store);
  });

  test("sound that would be due at once is not taken, and what is there is not replaced without it", async () => {
    const store = await create();
    const recordings = [await addRecording(store, { filename: "a.wav", content: "sound" })];
    await fill(store, [toCall("known", OLD, { recordings })]);
    await setPolicy(store, { otherwise: { keep: "9 years", sound: "30 days" } });
    const [known, fresh] = [
      toCall("known", OLD, { recordings }),
      toCall("fresh", OLD, { recordings }),
    ];
    {
      await using session = await store.openImport();
      const { items, soundless, due } = await session.leaveOutErased([known, fresh]);
      expect([items, [...soundless], [...due]]).toEqual([[known, fresh], [fresh], []]);
    }
    expect(await fill(store, [known, fresh, fresh])).toEqual([
      "unchanged",
      "imported",
      "unchanged",
    ]);
    expect(await store.calls.recordings({ callId: "known" }, "everything")).toHaveLength(1);
    expect(await store.calls.recordings({ callId: "fresh" }, "everything")).toEqual([]);
    expect(await store.calls.byCallId("fresh", "everything")).toMatchObject([
      { recordings: "a.wav" },
    ]);
    await expectWell(store);
  });

  test("what a purge has erased counts as erased, and is not let in again while it is due", async () => {
    const store = await create();
    await fill(store, [toCall("A", OLD)]);
    await erase(store, { callId: "A" });
    await setPolicy(store, { otherwise: { keep: "1 year" } });
    expect(await fill(store, [toCall("A", OLD)])).toEqual(["erased"]);
    {
      await using session = await store.openImport({ restoresErased: true });
      const row = [toCall("A", OLD)];
      expect((await session.leaveOutErased(row)).due).toEqual(new Set(row));
      expect(await session.write([row])).toEqual(["due"]);
    }
    await setPolicy(store, { otherwise: { keep: "9 years" } });
    expect(await fill(store, [toCall("A", OLD)])).toEqual(["erased"]);
    await expectWell(store);
  });
}
