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

  test("the recordings of a call are in the order they were given, over its legs by start, unknown starts last", async () => {
    const store = await create();
    const at = (filename: string, startMs?: number) => toRecording(store, filename, startMs);
    await fill(store, [
      call(
        { call_id: "A", ref_id: "R", agent: "1", datetime: "2025-05-01T10:00:00Z" },
        { recordings: [await at("first", 10), await at("third", 30)] },
      ),
      call(
        { call_id: "A", ref_id: "R", agent: "2", datetime: "2025-05-01T11:00:00Z" },
        { recordings: [await at("second", 20), await at("unknown 1"), await at("unknown 2")] },
      ),
      call({ call_id: "B", ref_id: "R" }, { recordings: [await at("other", 5)] }),
    ]);
    const names = (recordings: readonly Recording[]) => recordings.map(({ filename }) => filename);

    const ofCall = await store.calls.recordings({ callId: "A" }, "everything");

    expect(names(ofCall)).toEqual(["first", "second", "third", "unknown 1", "unknown 2"]);
    expect(ofCall.map(({ startMs }) => startMs)).toEqual([10, 20, 30, undefined, undefined]);
    expect(names(await store.calls.recordings({ reference: "R" }, "everything"))).toEqual([
      "other",
      ...names(ofCall),
    ]);
    expect(await store.calls.recordings({ callId: "C" }, "everything")).toEqual([]);
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
