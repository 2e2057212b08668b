// Random imports and erasures: each row has the same outcome as in memory, and the archives are equal.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ArchiveItem, CallItem, CallStore, ErasureFilter } from "../index.ts";
import { createMemoryStore } from "../memory/memory-store.ts";
import { addRecording, call, flag, message, query, toUser } from "./records.ts";
import { close, type CreateStore, type Extent, toRuns } from "./stores.ts";

// Few values, or nothing would ever come again.
const FILES = ["a.wav", "a.mp3", "b.wav"] as const;
const REFERENCES = ["r", "s", "session"];
const CALL_IDS = ["A", "B"];
const DATETIMES = ["2025-05-01T10:00:00Z", "2025-05-02T10:00:00", "yesterday"];

const option = <T>(...values: readonly T[]) =>
  fc.option(fc.constantFrom(...values), { nil: null, freq: 3 });
const maybe = <T>(...values: readonly T[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });

const callOf = fc.record({
  call_id: option(...CALL_IDS),
  ref_id: option("r", "s"),
  datetime: fc.option(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...DATETIMES.slice(0, 2)) },
      fc.constant(DATETIMES[2] ?? ""),
    ),
    { nil: null, freq: 4 },
  ),
  agent: option("ann", "bob"),
  notes: fc.constantFrom("x", "y"),
  files: fc.subarray([...FILES]),
  names: fc.option(fc.subarray(["a", "b.wav", "c.wav"]), { nil: undefined, freq: 2 }),
  keepsRecordings: fc.boolean(),
  identity: maybe(["1"], ["2", null]),
  revisedMs: maybe(1, 2, 3),
  sessionId: maybe("session"),
});

type Called = typeof callOf extends fc.Arbitrary<infer T> ? T : never;

const other = fc.oneof(
  fc.record({
    kind: fc.constant("chat" as const),
    text: fc.constantFrom("Yes.", "No."),
    of: fc.constantFrom(...CALL_IDS),
  }),
  fc.record({
    kind: fc.constant("user" as const),
    id: fc.constantFrom(1, 2),
    username: fc.constantFrom("ann", "bob"),
  }),
  fc.record({
    kind: fc.constant("flag" as const),
    name: fc.constantFrom("a", "b"),
    owner: maybe(1),
  }),
);

const row = fc.array(fc.oneof({ weight: 4, arbitrary: callOf }, { weight: 1, arbitrary: other }), {
  minLength: 1,
  maxLength: 3,
});
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

const erasure: fc.Arbitrary<ErasureFilter> = fc.constantFrom<ErasureFilter[]>(
  { callId: "A" },
  { reference: "r" },
  { isUndated: true },
  { before: "2025-05-02" },
);
/** A step of the sequence: rows of one import, or an erasure. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.array(row, { minLength: 1, maxLength: 8 }) },
  { weight: 1, arbitrary: erasure },
);
type Step = readonly Row[] | ErasureFilter;

const RUNS = 12;

export function describeImportModel(create: CreateStore, extent: Extent): void {
  test("each step comes to the same, and leaves the same archive", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        const [store, model] = [await create(), createMemoryStore()];
        for (const one of steps) expect(await take(store, one)).toEqual(await take(model, one));
        expect(await readAll(store)).toEqual(await readAll(model));
        expect(await store.importedRows()).toEqual(await model.importedRows());
        await close(store);
      }),
      toRuns(RUNS, extent),
    );
  });

  test("what a scan reads makes the same archive again", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
        const [store, again] = [await create(), await create()];
        for (const one of steps) await take(store, one);
        await copy(store, again);
        expect(await readAll(again)).toEqual(await readAll(store));
        const pages = [store, again].map((one) => one.calls.search(query({})));
        const [expected, found] = await Promise.all(pages);
        expect(found?.records).toEqual(expected?.records);
        await close(store);
        await close(again);
      }),
      toRuns(RUNS, extent),
    );
  });
}

async function copy(store: CallStore, again: CallStore): Promise<void> {
  const files = [...FILES];
  for (const filename of files)
    await addRecording(again, { filename, content: `sound of ${filename}` });
  await using scan = await store.maintenance.scan();
  await using session = await again.openImport();
  for await (const { items } of scan.rows())
    expect(await session.write([items])).toEqual(["imported"]);
}

async function take(store: CallStore, one: Step): Promise<unknown> {
  if (isRows(one)) return await importRows(store, one);
  const { calls, chats, files, fileBytes } = await store.maintenance.erase(one, { operator: "o" });
  return { calls, chats, files, fileBytes };
}

const isRows = (one: Step): one is readonly Row[] => Array.isArray(one);

async function importRows(store: CallStore, rows: readonly Row[]) {
  const items = await Promise.all(
    rows.map((some) => Promise.all(some.map((one) => toItem(store, one)))),
  );
  await using session = await store.openImport();
  return await session.write(items);
}

async function toItem(store: CallStore, given: Row[number]): Promise<ArchiveItem> {
  if (!("kind" in given)) return await toCall(store, given);
  if (given.kind === "chat")
    return { kind: "chat", record: message(given.of, given.text, "2025-05-01T10:00:00Z") };
  if (given.kind === "user")
    return { kind: "user", record: toUser(given.id, { username: given.username }) };
  const { name, owner } = given;
  const type = owner === undefined ? "Public" : "Private";
  return { kind: "flag", record: flag(1, type, name), userId: owner };
}

async function toCall(store: CallStore, given: Called): Promise<CallItem> {
  const { files, names, keepsRecordings, identity, revisedMs, sessionId, ...fields } = given;
  const record = fields;
  const keeps = keepsRecordings && names === undefined;
  const recordings = keeps
    ? []
    : await Promise.all(
        files.map((filename) => addRecording(store, { filename, content: `sound of ${filename}` })),
      );
  return {
    ...call({ ...record, recordings: names === undefined ? null : names.join("; ") }),
    recordings,
    keepsRecordings: keeps,
    identity: record.call_id === null ? undefined : identity,
    revisedMs,
    sessionId,
  };
}

/** All that the archive holds. */
async function readAll(store: CallStore) {
  const { records, recordCount } = await store.calls.search(query({}));
  const undated = await Promise.all(
    REFERENCES.map((name) => store.calls.byReference(name, "everything")),
  );
  const ofCalls = CALL_IDS.map(async (callId) => {
    const found = await store.calls.recordings({ callId }, "everything");
    return {
      records: sort(await store.calls.byCallId(callId, "everything")),
      files: sort(found.map(({ filename, owner }) => [filename, owner.call_id])),
      chat: await store.calls.chat(callId, "everything"),
    };
  });
  return {
    records,
    recordCount,
    references: undated.map(sort),
    calls: await Promise.all(ofCalls),
    users: await store.users.list(),
    flags: [await store.users.publicFlags(), await store.users.privateFlags(1)],
  };
}

const sort = (values: readonly unknown[]) =>
  values.map((value) => JSON.stringify(value)).toSorted();
