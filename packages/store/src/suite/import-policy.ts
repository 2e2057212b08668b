// Imports leave out what the policy of the archive would make due at once, by the rules of `retention plan` (D43).
import { expect, test } from "vitest";
import type { ArchiveItem, CallStore } from "../index.ts";
import { add, erase, expectWell, isThere } from "./holding.ts";
import { addRecording, call, type CallExtras, fill, fillRows, message } from "./records.ts";
import type { CreateStore } from "./stores.ts";

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const [OLDER, OLD, YOUNG] = [daysAgo(501), daysAgo(500), daysAgo(10)];

const setPolicy = (store: CallStore, policy: object) => {
  const value = JSON.stringify({ retention: 1, rules: [], ...policy });
  return store.maintenance.internals.write([{ kind: "setting", name: "policy", value }]);
};

const toCall = (call_id: string, datetime: string, extras: CallExtras = {}, fields: object = {}) =>
  call({ call_id, datetime, ...fields }, extras);

type ChatItem = Extract<ArchiveItem, { kind: "chat" }>;

const toChat = (call_id: string | null, text: string, datetime: string): ChatItem => ({
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

  test("a hold by words catches a due call by messages that came before", async () => {
    const store = await create();
    await setPolicy(store, { otherwise: { keep: "1 year" } });
    await add(store, "words", { words: "storm" });
    await fill(store, [toChat("A", "the storm came", YOUNG), toChat("B", "the rain came", YOUNG)]);
    {
      await using session = await store.openImport();
      const [held, due] = [toCall("A", OLD), toCall("B", OLD)];
      expect((await session.leaveOutErased([held, due])).due).toEqual(new Set([due]));
    }
    expect(await fill(store, [toCall("A", OLD), toCall("B", OLD)])).toEqual(["imported", "due"]);
    const rows = [[toChat("C", "a storm", YOUNG)], [toCall("C", OLD)]];
    expect(await fillRows(store, rows)).toEqual(["imported", "imported"]);
    await expectWell(store);
  });

  test("a message whose call is not there goes by its own time, unless a hold names the call", async () => {
    const store = await create();
    await fill(store, [toCall("known", OLD)]);
    await setPolicy(store, { otherwise: { keep: "1 year" } });
    await add(store, "named", { callIds: ["named"] });
    await add(store, "words", { words: "storm" });
    const messages = [
      toChat("gone", "old", OLD),
      toChat("gone", "the storm", OLD),
      toChat("gone", "young", YOUNG),
      toChat("known", "old", OLD),
      toChat("named", "old", OLD),
    ];
    expect(await fill(store, messages)).toEqual([
      "due",
      ...messages.slice(1).map(() => "imported"),
    ]);
    await expectWell(store);
  });

  test("what was said of a row with all others of its call is not judged again", async () => {
    const store = await create();
    await setPolicy(store, { otherwise: { keep: "1 year", sound: "30 days" } });
    const recordings = [await addRecording(store, { filename: "a.wav", content: "sound" })];
    const [old, young] = [toCall("A", OLD), toCall("A", YOUNG, {}, { agent: "ann" })];
    const rows: ArchiveItem[][] = [
      [young],
      [{ ...old, verdict: "due" }],
      [{ ...toCall("B", OLD), verdict: "kept" }],
      [{ ...toChat("C", "old", OLD), verdict: "kept" }],
      [{ ...toChat("D", "young", YOUNG), verdict: "due" }],
      [{ ...toCall("E", YOUNG, { recordings }), verdict: "soundless" }],
    ];
    const outcomes = ["imported", "due", "imported", "imported", "due", "imported"];
    expect(await fillRows(store, rows)).toEqual(outcomes);
    expect((await store.calls.byCallId("A", "everything")).length).toBe(1);
    expect(await store.calls.recordings({ callId: "E" }, "everything")).toEqual([]);
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

  test("sound is judged with the records that the archive has", async () => {
    const store = await create();
    const recordings = [await addRecording(store, { filename: "a.wav", content: "sound" })];
    await setPolicy(store, { otherwise: { keep: "9 years", sound: "30 days" } });
    await fill(store, [toCall("young", YOUNG), toCall("old", OLD)]);
    const legs = ["young", "old"].map((one) => toCall(one, OLDER, { recordings }));
    {
      await using session = await store.openImport();
      expect((await session.leaveOutErased(legs)).dueSound).toEqual(new Set(legs.slice(1)));
    }
    expect(await fill(store, legs)).toEqual(["imported", "imported"]);
    expect(await store.calls.recordings({ callId: "young" }, "everything")).toHaveLength(1);
    expect(await store.calls.recordings({ callId: "old" }, "everything")).toEqual([]);
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
