// The recordings that a call keeps when it is imported again.
import { expect, test } from "vitest";
import type { CallStore, Recording } from "../index.ts";
import { addRecording, call, type CallExtras, fill } from "./records.ts";
import type { CreateStore } from "./stores.ts";

const DATETIME = "2026-08-21T09:00:06Z";

const toCall = (notes: string, extras: CallExtras = {}, recordings: string | null = null) =>
  call({ call_id: "A", agent: "ann", datetime: DATETIME, notes, recordings }, extras);

export function describeKeptRecordings(create: CreateStore): void {
  test.each([
    ["undated", [undefined, undefined]],
    ["of a later state", [1, 2]],
  ])("a source that says nothing of recordings takes none away: %s", async (_what, moments) => {
    const store = await create();
    const [first, second] = moments.map((revisedMs) => revisedMs && { revisedMs });
    const recordings = await addRecordings(store, "r1.wav");
    await fill(store, [toCall("open", { ...first, recordings }, "r1.wav; r9")]);
    const again = toCall("closed", { ...second, keepsRecordings: true });

    expect(await fill(store, [again, again])).toEqual(["replaced", "unchanged"]);
    expect(await listFiles(store)).toEqual(["r1.wav"]);
    expect(await store.calls.byCallId("A", "everything")).toMatchObject([
      { notes: "closed", recordings: "r1.wav; r9" },
    ]);
  });

  test("of a transferred call each leg keeps its own, also under another reference", async () => {
    const store = await create();
    const legs = ["ann", "bob", "cy"];
    const state = async (revisedMs: number, toExtras: (agent: string) => Promise<CallExtras>) =>
      await Promise.all(
        legs.map(async (agent) =>
          call(
            { call_id: "A", agent, datetime: DATETIME, ref_id: `${agent} ${revisedMs}` },
            { revisedMs, identity: [agent], ...(await toExtras(agent)) },
          ),
        ),
      );
    const ofFiles = async (agent: string) => ({
      recordings: await addRecordings(store, `${agent}.wav`),
    });
    await fill(store, await state(1, ofFiles));

    for (const revisedMs of [2, 3]) {
      const outcomes = await fill(
        store,
        await state(revisedMs, async () => ({ keepsRecordings: true })),
      );
      expect(outcomes).toEqual(["replaced", "imported", "imported"]);
      const found = await store.calls.byCallId("A", "everything");
      expect(new Map(found.map(({ agent, recordings }) => [agent, recordings]))).toEqual(
        new Map(legs.map((agent) => [agent, `${agent}.wav`])),
      );
    }
    expect(await listFiles(store)).toHaveLength(3);
  });

  test("legs that name their recordings alike keep their own in a later state, under another agent as well", async () => {
    const store = await create();
    // The last state has only the names.
    const legs = ["ann", "bob", "cy"];
    const state = async (
      revisedMs: number,
      suffix: string,
      toExtras: (leg: string) => Promise<CallExtras>,
    ) =>
      await Promise.all(
        legs.map(async (leg, index) => {
          const datetime = `2026-08-21T09:0${index}:00${suffix}Z`;
          const ids = { call_id: "A", agent: leg + suffix, datetime, ref_id: leg };
          return call(
            { ...ids, recordings: "r.wav; r.wav" },
            { revisedMs, ...(await toExtras(leg)) },
          );
        }),
      );
    const toFile = (content: string) => addRecording(store, { filename: "r.wav", content });
    const listOf = async (reference: string) =>
      (await store.calls.recordings({ reference }, "everything")).map(({ media }) => media.sha256);
    const listAll = async () => await Promise.all(legs.map(listOf));
    const ofFiles = async (leg: string) =>
      leg === "cy" ? {} : { recordings: [await toFile(`${leg} 1`), await toFile(`${leg} 2`)] };
    await fill(store, await state(1, "", ofFiles));
    const before = await listAll();

    await fill(store, await state(2, ".000", async () => ({})));

    expect(new Set(before.flat()).size).toBe(4);
    expect(await listAll()).toEqual(before);
  });

  test("a name that two legs have is not the recording of a third that names it alike", async () => {
    const store = await create();
    const ids = { call_id: "A", datetime: DATETIME };
    const leg = async (agent: string) =>
      call(
        { ...ids, agent },
        {
          identity: [agent],
          revisedMs: 1,
          recordings: [await addRecording(store, { filename: "r.wav", content: agent })],
        },
      );
    await fill(store, [await leg("ann"), await leg("bob")]);
    const later = { revisedMs: 2, keepsRecordings: true };
    const known = ["ann", "bob"].map((agent) =>
      call({ ...ids, agent, notes: "later" }, { ...later, identity: [agent] }),
    );

    await fill(store, [
      ...known,
      call(
        { ...ids, agent: "cy", ref_id: "third", recordings: "r.wav" },
        { identity: ["cy"], revisedMs: 2 },
      ),
    ]);

    const ofThird = { reference: "third" };
    expect(await store.calls.recordings(ofThird, "everything")).toEqual([]);
    expect(await listFiles(store)).toEqual(["r.wav", "r.wav"]);
  });

  test("a leg that its source says nothing about keeps no recordings of another leg", async () => {
    const store = await create();
    const recordings = await addRecordings(store, "r1.wav");
    await fill(store, [call({ call_id: "A" }, { recordings })]);
    const extras = { revisedMs: 1, keepsRecordings: true };
    expect(await fill(store, [call({ call_id: "A", datetime: DATETIME }, extras)])).toEqual([
      "imported",
    ]);
    expect(await listFiles(store)).toEqual(["r1.wav"]);
  });

  test("of the names that come without files the archive's recordings stay, in the order of their starts", async () => {
    const store = await create();
    const [first, second] = await addRecordings(store, "r1.wav", "r2.wav");
    const starts = { r1: { ...first, startMs: 1 }, r2: { ...second, startMs: 2 } } as {
      readonly [Name in "r1" | "r2"]: Recording;
    };
    await fill(store, [toCall("a", { recordings: [starts.r1, starts.r2] })]);
    await fill(store, [toCall("b", { recordings: [starts.r2] }, "r2.wav; r1.wav; r3.wav")]);

    expect(await listFiles(store)).toEqual(["r1.wav", "r2.wav"]);
    expect(await store.calls.byCallId("A", "everything")).toMatchObject([
      { recordings: "r1.wav; r2.wav; r3.wav", notes: "b" },
    ]);
  });

  test("a name may be a path, and have no extension", async () => {
    const store = await create();
    await fill(store, [toCall("a", { recordings: await addRecordings(store, "r1.wav") })]);

    for (const [index, name] of ["r1", "/monitor/r1.wav", "calls\\r1"].entries()) {
      expect(await fill(store, [toCall(`${index}`, {}, name)])).toEqual(["replaced"]);
      expect(await listFiles(store)).toEqual(["r1.wav"]);
    }
    expect(await fill(store, [toCall("b", {}, "r")])).toMatchObject([
      { rejected: expect.stringContaining("leave its recording r1.wav without one") },
    ]);
  });

  test("legs that their identity tells apart keep their own, in whatever order they come", async () => {
    const store = await create();
    const leg = (name: string, extras: CallExtras) =>
      toCall("a", { identity: [name], ...extras }, name);
    const files = ["r1.wav", "r2.wav"];
    for (const name of files)
      await fill(store, [leg(name, { recordings: await addRecordings(store, name) })]);

    const named = files.toReversed().map((name) => leg(name, {}));
    expect(await fill(store, named)).toEqual(["unchanged", "unchanged"]);
    expect(await listFiles(store)).toEqual(files);
  });

  test("a recording in another form takes the place of the one before", async () => {
    const store = await create();
    await fill(store, [toCall("a", { recordings: await addRecordings(store, "r1.wav") })]);
    const recordings = [await addRecording(store, { filename: "r1.mp3", content: "smaller" })];

    expect(await fill(store, [toCall("a", { recordings })])).toEqual(["replaced"]);
    expect(await listFiles(store)).toEqual(["r1.mp3"]);
  });

  test("the session that the names of files have told stays with them", async () => {
    const store = await create();
    const recordings = await addRecordings(store, "r1.wav");
    await fill(store, [toCall("a", { recordings, sessionId: "S" })]);
    await fill(store, [toCall("b", {}, "r1.wav")]);

    expect(await store.calls.byReference("S", "everything")).toMatchObject([{ notes: "b" }]);
  });
}

const addRecordings = (store: CallStore, ...names: readonly string[]) =>
  Promise.all(
    names.map((filename) => addRecording(store, { filename, content: `sound of ${filename}` })),
  );

async function listFiles(store: CallStore): Promise<string[]> {
  const found = await store.calls.recordings({ callId: "A" }, "everything");
  return found.map(({ filename }) => filename);
}
