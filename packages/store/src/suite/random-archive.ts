// Random rows and erasures, as data, and the complete contents of an archive, for comparing stores with the one in memory.
import * as fc from "fast-check";
import type {
  ArchiveItem,
  CallItem,
  CallStore,
  ErasureFilter,
  Recording,
  Visibility,
} from "../index.ts";
import { addRecording, call, flag, message, query, toUser } from "./records.ts";

// Few values: otherwise nothing would ever repeat.
export const FILES = ["a.wav", "a.mp3", "b.wav"] as const;
const REFERENCES = ["r", "s", "session"];
export const CALL_IDS = ["A", "B"];
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

export const row = fc.array(
  fc.oneof({ weight: 4, arbitrary: callOf }, { weight: 1, arbitrary: other }),
  {
    minLength: 1,
    maxLength: 3,
  },
);
export type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

export const erasure: fc.Arbitrary<ErasureFilter> = fc.constantFrom<ErasureFilter[]>(
  { callId: "A" },
  { reference: "r" },
  { isUndated: true },
  { before: "2025-05-02" },
);
export const toContent = (filename: string) => `sound of ${filename}`;

/** Stores the recording of a name. */
export type Add = (filename: string) => Promise<Recording>;

export const adding = (store: CallStore): Add => {
  return (filename) => addRecording(store, { filename, content: toContent(filename) });
};

export async function toItems(rows: readonly Row[], add: Add): Promise<ArchiveItem[][]> {
  return await Promise.all(rows.map((some) => Promise.all(some.map((one) => toItem(one, add)))));
}

async function toItem(given: Row[number], add: Add): Promise<ArchiveItem> {
  if (!("kind" in given)) return await toCall(given, add);
  if (given.kind === "chat")
    return { kind: "chat", record: message(given.of, given.text, "2025-05-01T10:00:00Z") };
  if (given.kind === "user")
    return { kind: "user", record: toUser(given.id, { username: given.username }) };
  const { name, owner } = given;
  const type = owner === undefined ? "Public" : "Private";
  return { kind: "flag", record: flag(1, type, name), userId: owner };
}

async function toCall(given: Called, add: Add): Promise<CallItem> {
  const { files, names, keepsRecordings, identity, revisedMs, sessionId, ...fields } = given;
  const record = fields;
  const keeps = keepsRecordings && names === undefined;
  const recordings = keeps ? [] : await Promise.all(files.map(add));
  return {
    ...call({ ...record, recordings: names === undefined ? null : names.join("; ") }),
    recordings,
    keepsRecordings: keeps,
    identity: record.call_id === null ? undefined : identity,
    revisedMs,
    sessionId,
  };
}

/** Everything that the archive returns to a caller. */
export async function readAll(store: CallStore, visibility: Visibility = "everything") {
  const { records, recordCount } = await store.calls.search(query({ visibility }));
  const undated = await Promise.all(
    REFERENCES.map((name) => store.calls.byReference(name, visibility)),
  );
  const ofCalls = CALL_IDS.map(async (callId) => {
    const found = await store.calls.recordings({ callId }, visibility);
    return {
      records: sort(await store.calls.byCallId(callId, visibility)),
      files: sort(found.map(({ filename, owner }) => [filename, owner.call_id])),
      chat: await store.calls.chat(callId, visibility),
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
