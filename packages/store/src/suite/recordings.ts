import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { CallStore, Recording } from "../index.ts";
import { call, fill, message } from "./records.ts";
import type { CreateStore } from "./stores.ts";

export function describeRecordings(create: CreateStore): void {
  test("what was declared of a recording, and its time, are its own, whatever else has the same bytes", async () => {
    const store = await create();
    const content = new TextEncoder().encode("no sound");
    const toCall = async (call_id: string, type: string, modifiedMs: number) => {
      const media = await store.media.put({ name: "a", content, type });
      return call(
        { call_id },
        { recordings: [{ filename: "a", media: { ...media, modifiedMs } }] },
      );
    };
    const items = [
      await toCall("A", "audio/basic", 1_000),
      await toCall("B", "audio/x-other", 2_000),
    ];
    await fill(store, items);
    const mediaOf = async (callId: string) =>
      (await store.calls.recordings({ callId }, "everything"))[0]?.media;

    expect(await mediaOf("A")).toMatchObject({ type: "audio/basic", modifiedMs: 1_000 });
    expect(await mediaOf("B")).toMatchObject({ type: "audio/x-other", modifiedMs: 2_000 });
    expect(await fill(store, items)).toEqual(["unchanged", "unchanged"]);
    expect(await mediaOf("A")).toMatchObject({ type: "audio/basic", modifiedMs: 1_000 });
  });

  test("what was found of its sound is of its bytes, and stays known when they come without it", async () => {
    const store = await create();
    const content = new Uint8Array(8_000).fill(0xff);
    const heard = await store.media.put({ name: "a.ulaw", content });
    const facts = {
      container: "raw",
      durationMs: 1_000,
      assumed: "mulaw",
      findings: [{ kind: "silent" }],
    };
    expect(heard.sound).toMatchObject(facts);
    const { sound = { version: 0, container: "raw", findings: [] }, ...unheard } = heard;
    const toCall = (call_id: string, media: typeof unheard) =>
      call({ call_id }, { recordings: [{ filename: "a.ulaw", media }] });
    const soundOf = async (callId: string) =>
      (await store.calls.recordings({ callId }, "everything"))[0]?.media.sound;

    await fill(store, [toCall("A", heard)]);
    await fill(store, [toCall("B", unheard)]);
    expect(await soundOf("A")).toEqual(sound);
    expect(await soundOf("B")).toEqual(sound);
    await store.maintenance.noteVerified([unheard]);
    expect(await soundOf("A")).toEqual(sound);
    const later = { ...sound, version: 2 };
    await store.maintenance.noteVerified([{ ...heard, sound: later }]);
    // Lookups in one turn of the event loop see one state.
    await setImmediate();
    expect(await soundOf("B")).toEqual(later);
    await using referenced = await store.maintenance.referencedMedia();
    for await (const { media } of referenced) expect(media.sound).toEqual(later);
  });

  const toNames = (recordings: readonly Recording[]) => recordings.map(({ filename }) => filename);

  test("the recordings of a call are in the order of their starts, else of the datetimes of their records", async () => {
    const store = await create();
    const at = (filename: string, time?: string) =>
      toRecording(store, filename, time === undefined ? undefined : toMs(time));
    const leg = async (agent: string, time: string | null, recordings: Promise<Recording>[]) =>
      call(
        { call_id: "A", ref_id: "R", agent, datetime: time === null ? null : toDatetime(time) },
        { recordings: await Promise.all(recordings), identity: [agent] },
      );
    await fill(store, [
      await leg("none", null, [at("last 1"), at("last 2"), at("10:04", "10:04")]),
      await leg("bo", "10:05", [at("bo 1"), at("bo 2")]),
      await leg("eve", "10:05", [at("eve"), at("09:00", "09:00")]),
      await leg("ana", "10:00", [at("10:03", "10:03"), at("ana")]),
      call({ call_id: "B", ref_id: "R" }, { recordings: [await at("other", "08:00")] }),
    ]);

    const ofCall = await store.calls.recordings({ callId: "A" }, "everything");

    const order = ["09:00", "ana", "10:03", "10:04", "bo 1", "bo 2", "eve", "last 1", "last 2"];
    expect(toNames(ofCall)).toEqual(order);
    // Each names its owner.
    expect(ofCall.map(({ owner: { datetime } }) => datetime?.slice(11, 16))).toEqual([
      "10:05",
      "10:00",
      "10:00",
      undefined,
      "10:05",
      "10:05",
      "10:05",
      undefined,
      undefined,
    ]);
    const ofReference = await store.calls.recordings({ reference: "R" }, "everything");
    expect(ofReference[0]?.owner).toEqual({ call_id: "B", ref_id: "R", datetime: null });
    expect(toNames(ofReference)).toEqual(["other", ...order]);
    expect(await store.calls.recordings({ callId: "C" }, "everything")).toEqual([]);
    // A record lists its own recordings in the same order.
    const listed = await store.calls.byCallId("A", "everything");
    expect(listed.map(({ recordings }) => recordings)).toEqual([
      "bo 1; bo 2",
      "09:00; eve",
      "ana; 10:03",
      "10:04; last 1; last 2",
    ]);
  });

  test("of recordings that began at once, that of the older record comes first", async () => {
    const store = await create();
    const leg = async (agent: string, time: string) =>
      call(
        { call_id: "A", agent, datetime: toDatetime(time) },
        { recordings: [await toRecording(store, agent, toMs("10:00"))] },
      );
    await fill(store, [await leg("late", "10:05"), await leg("early", "10:00")]);

    expect(toNames(await store.calls.recordings({ callId: "A" }, "everything"))).toEqual([
      "early",
      "late",
    ]);
  });

  test("the record's recordings are the names of its files, and behind them those without a file", async () => {
    const store = await create();
    const recordings = [await toRecording(store, "a.wav", 1), await toRecording(store, "b.wav")];
    await fill(store, [
      call({ call_id: "A", recordings: "gone" }, { recordings }),
      call({ call_id: "B", recordings: "gone" }),
      call({ call_id: "C", recordings: "gone; b.wav" }, { recordings }),
      call({ call_id: "D", recordings: "a.wav; b.wav" }, { recordings }),
    ]);
    const names = async (callId: string) =>
      (await store.calls.byCallId(callId, "everything"))[0]?.recordings;

    expect(await names("A")).toBe("a.wav; b.wav; gone");
    expect(await names("B")).toBe("gone");
    expect(await names("C")).toBe("a.wav; b.wav; gone");
    expect(await names("D")).toBe("a.wav; b.wav");
  });

  test("a chat is in the order of its instants, equal ones in import order", async () => {
    const store = await create();
    const times = [
      "2025-05-01T12:00:00+02:00",
      "2025-05-01T11:00:00Z",
      "2025-05-01T10:00:00.000Z",
      "2025-05-01T09:00:00-02:00",
    ];
    const records = times.map((datetime, index) => message("A", String(index), datetime));
    await fill(
      store,
      [...records, message("B", "other", "2025-05-01T10:30:00Z")].map((record) => ({
        kind: "chat",
        record,
      })),
    );

    const chat = await store.calls.chat("A", "everything");

    expect(chat).toEqual([records[0], records[2], records[1], records[3]]);
    expect(await store.calls.chat("C", "everything")).toEqual([]);
  });
}

const toDatetime = (time: string) => `2025-05-01T${time}:00Z`;
const toMs = (time: string) => Date.parse(toDatetime(time));

async function toRecording(
  store: CallStore,
  filename: string,
  startMs?: number,
): Promise<Recording> {
  const media = await store.media.put({
    name: filename,
    content: new TextEncoder().encode(filename),
  });
  return { filename, startMs, media };
}
