// Recordings that are erased before their records (D41): the records stay, and no import brings the recordings back.
import { expect, test } from "vitest";
import type { ArchiveItem, CallStore, ErasureFilter, Recording } from "../index.ts";
import { createRetention, parsePolicy } from "../values/retention.ts";
import { add, AT, erase, expectWell } from "./holding.ts";
import { addRecording, call, type CallExtras, fill, fillRows } from "./records.ts";
import type { CreateStore } from "./stores.ts";

const NIGHT: ErasureFilter = { before: "2025-05-02", isSound: true };

const toFile = (store: CallStore, filename: string) =>
  addRecording(store, { filename, content: `sound of ${filename}` });

async function hasFile(store: CallStore, { media }: Recording): Promise<boolean> {
  for await (const { sha256 } of store.media.list()) if (sha256 === media.sha256) return true;
  return false;
}

const listFiles = async (store: CallStore, callId: string) =>
  (await store.calls.recordings({ callId }, "everything")).map(({ filename }) => filename);

const toA = (extras: CallExtras, fields: object = {}) =>
  call({ call_id: "A", datetime: AT, agent: "ann", ...fields }, extras);

export function describeErasedSound(create: CreateStore): void {
  test("the record stays and names its files, and the recordings are gone", async () => {
    const store = await create();
    const [a, b, other] = [
      await toFile(store, "a.wav"),
      await toFile(store, "b.wav"),
      await toFile(store, "other.wav"),
    ];
    await fill(store, [
      toA({ recordings: [b, a] }, { recordings: "c.wav" }),
      call({ call_id: "B", datetime: AT }, { recordings: [other] }),
      call({ call_id: "silent", datetime: AT }),
    ]);
    const [before] = await store.calls.byCallId("A", "everything");
    const filter: ErasureFilter = { callId: "A", isSound: true };
    expect(await store.maintenance.planErasure(filter)).toMatchObject({ calls: 1, files: 2 });
    expect(await erase(store, filter)).toMatchObject({ calls: 1, chats: 0, files: 2 });

    expect(before).toMatchObject({ recordings: "b.wav; a.wav; c.wav" });
    expect(await store.calls.byCallId("A", "everything")).toEqual([before]);
    expect(await listFiles(store, "A")).toEqual([]);
    expect([await hasFile(store, a), await hasFile(store, other)]).toEqual([false, true]);
    expect(await erase(store, filter)).toMatchObject({ calls: 0, files: 0, soundless: 1 });
    expect((await erase(store, filter)).taken?.asked).toEqual({ call_id: "A", sound: true });
    expect(await erase(store, { callId: "silent", isSound: true })).toMatchObject({
      calls: 0,
      soundless: 1,
      taken: undefined,
    });
    await expectWell(store);
  });

  test("a later import does not bring them back, and replaces nothing", async () => {
    const store = await create();
    const [a, b] = [await toFile(store, "a.wav"), await toFile(store, "b.wav")];
    const whole = toA({ recordings: [a, b] });
    const anonymous = call({ agent: "bob", datetime: AT }, { recordings: [b] });
    await fill(store, [whole, anonymous]);
    await erase(store, NIGHT);

    expect(await fill(store, [anonymous])).toEqual(["unchanged"]);
    const again: ArchiveItem[] = [
      whole,
      toA({}, { recordings: "b.wav; audio/a.wav" }),
      toA({ keepsRecordings: true }),
      anonymous,
      call({ agent: "bob", datetime: AT, recordings: "b.wav" }),
    ];
    const unchanged = again.map(() => "unchanged");
    expect(await fill(store, again)).toEqual(unchanged);
    expect(await fill(store, [toA({ recordings: [a, b] }, { notes: "corrected" })])).toEqual([
      "replaced",
    ]);
    expect(await listFiles(store, "A")).toEqual([]);
    expect(await store.calls.byCallId("A", "everything")).toMatchObject([
      { notes: "corrected", recordings: "a.wav; b.wav" },
    ]);
    await toFile(store, "a.wav");
    const later = toA({ recordings: [a] }, { datetime: "2025-08-01T10:00:00Z" });
    expect(await fill(store, [later])).toEqual(["imported"]);
    expect(await listFiles(store, "A")).toEqual(["a.wav"]);
    await expectWell(store);
  });

  test("an import brings them back if it is told to, and a row without them does not", async () => {
    const store = await create();
    const a = await toFile(store, "a.wav");
    await fill(store, [toA({ recordings: [a] })]);
    await erase(store, { callId: "A", isSound: true });
    const restore = async (item: ArchiveItem) => {
      await using session = await store.openImport({ restoresErased: true });
      return await session.write([[item]]);
    };
    expect(await restore(toA({}, { recordings: "a.wav" }))).toEqual(["unchanged"]);
    await toFile(store, "a.wav");
    expect(await fill(store, [toA({ recordings: [a] })])).toEqual(["unchanged"]);
    expect(await restore(toA({ recordings: [a] }))).toEqual(["replaced"]);
    expect(await listFiles(store, "A")).toEqual(["a.wav"]);
    expect(await fill(store, [toA({ recordings: [a] })])).toEqual(["unchanged"]);
    await expectWell(store);
  });

  test("those of earlier states go as well, and each state still fits its digest", async () => {
    const store = await create();
    const [wav, mp3] = [await toFile(store, "a.wav"), await toFile(store, "a.mp3")];
    await fill(store, [toA({ recordings: [wav] }, { notes: "first" })]);
    await fill(store, [toA({ recordings: [mp3] }, { notes: "second" })]);
    await fill(store, [toA({}, { notes: "third", recordings: "a" })]);
    expect(await erase(store, { callIds: ["A"], isSound: true })).toMatchObject({ files: 2 });

    const states = await store.maintenance.history({ callId: "A" });
    expect(states.map(({ state, isWhole }) => ({ isWhole, state }))).toMatchObject(
      [["third"], ["second", "a.mp3"], ["first", "a.wav"]].map(([notes, recordings]) => ({
        isWhole: true,
        state: { record: { notes, ...(recordings && { recordings }) }, recordings: [] },
      })),
    );
    expect([await hasFile(store, wav), await hasFile(store, mp3)]).toEqual([false, false]);
    await expectWell(store);
  });

  test("all recordings of a call go at once, and none of a held call", async () => {
    const store = await create();
    const [a, b, held] = [
      await toFile(store, "a.wav"),
      await toFile(store, "b.wav"),
      await toFile(store, "held.wav"),
    ];
    const leg = (agent: string, ref_id: string, recordings: readonly Recording[]) =>
      call({ call_id: "T", datetime: AT, agent, ref_id }, { identity: [agent], recordings });
    await fillRows(store, [
      [leg("ann", "r1", [a]), leg("bob", "r2", [b])],
      [call({ call_id: "held", datetime: AT }, { recordings: [held] })],
    ]);
    await add(store, "smith", { callIds: ["held"] });
    expect(await erase(store, { reference: "r1", isSound: true })).toMatchObject({ files: 2 });
    expect(await listFiles(store, "T")).toEqual([]);
    const kept = { calls: 1, holds: ["smith"], isOwed: false };
    expect(await erase(store, { callId: "held", isSound: true })).toMatchObject({
      calls: 0,
      held: kept,
    });
    expect(await store.maintenance.holds.release("smith")).toBe(0);
    expect(await listFiles(store, "held")).toEqual(["held.wav"]);
    await expectWell(store);
  });

  test("a policy has periods of its own for sound: the longest counts, and none without recordings is due", async () => {
    const store = await create();
    const policy = parsePolicy(
      JSON.stringify({
        retention: 1,
        otherwise: { keep: "2 years", sound: "90 days" },
        rules: [
          { name: "sales", where: { campaign: ["Sales"] }, keep: "3 years", sound: "30 days" },
          { name: "complaints", where: { campaign: ["Complaints"] }, keep: "7 years" },
        ],
      }),
    );
    const day = "2025-09-01";
    const { findSoundRule, findRule, ...ends } = createRetention(policy, { day, timeZone: "UTC" });
    const found = new Map<string, string | undefined>();
    const due = {
      day,
      ...ends,
      isDue: (records: Parameters<typeof findSoundRule>[0]) => {
        const rule = findSoundRule(records);
        found.set(records[0]?.record.call_id ?? "", rule);
        return rule !== undefined;
      },
    };
    const toCall = async (call_id: string, campaign: string, datetime = AT) =>
      call(
        { call_id, campaign, datetime },
        { recordings: [await toFile(store, `${call_id}.wav`)] },
      );
    await fill(store, [
      await toCall("other", "x"),
      await toCall("sale", "Sales", "2025-07-01T10:00:00Z"),
      await toCall("young", "x", "2025-07-01T10:00:00Z"),
      await toCall("complaint", "Complaints"),
      await toCall("both", "Sales"),
      call({ call_id: "both", campaign: "Complaints", datetime: AT }, { identity: ["2"] }),
      await toCall("due itself", "x", "2020-01-01T10:00:00Z"),
      call({ call_id: "silent", campaign: "x", datetime: AT }),
    ]);
    expect(await erase(store, { due, isSound: true })).toMatchObject({ calls: 2, files: 2 });
    expect(Object.fromEntries(found)).toEqual({
      other: "otherwise",
      sale: "sales",
      young: undefined,
      complaint: undefined,
      both: undefined,
      "due itself": undefined,
    });
    expect(findRule([{ record: call({}).record, instantMs: 0 }])).toBe("otherwise");
    await expectWell(store);
  });
}
