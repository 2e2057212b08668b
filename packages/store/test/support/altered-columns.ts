// An archive with something in every table, all that reads one, and what each of these may say once a value is another: what it said
// before, that something is damaged, or, of what is looked up by the value itself, nothing.
import { isDeepStrictEqual } from "node:util";
import { parseQuery } from "@call-media/words";
import {
  ArchiveError,
  type CallStore,
  type HistoryOf,
  isFault,
  migrateArchive,
  type Recording,
} from "../../src/index.ts";
import type { Maintenance } from "../../src/port/index.ts";
import { createMemoryStore } from "../../src/memory/memory-store.ts";
import { addRecording, call, fill, flag, message, query, toUser } from "../../src/suite/records.ts";

const AT = "2025-05-01T10:00:00Z";
export const GONE = call({ call_id: "gone", ref_id: "r-gone", datetime: AT });
const DATED = call({ call_id: "dated", datetime: AT, notes: "first" }, { revisedMs: 7 });

/** A query, a call that a hold names, and a call and a reference that are owed an erasure. */
async function holdSome({ maintenance }: CallStore): Promise<void> {
  const by = { operation: "hold add", operator: "olive" } as const;
  const holds = { words: "incomprehensibilities" };
  await maintenance.holds.add({ name: "words", reason: "r", holds }, by);
  await maintenance.holds.add({ name: "ids", reason: "r", holds: { callIds: ["b"] } }, by);
  await maintenance.erase({ callId: "b" }, { operator: "olive", case: "c" });
  await maintenance.erase({ reference: "r-a" }, { operator: "olive", case: "c" });
}

/** Something in every table, and nulls in no column that may have a value. */
export async function fillEveryTable(store: CallStore): Promise<void> {
  const [one, other] = [
    await addRecording(store, { filename: "a.ulaw", content: "sound" }),
    await addRecording(store, { filename: "b.ulaw", content: "another" }),
  ];
  await fill(store, [
    { kind: "user", record: toUser(1) },
    { kind: "user", record: toUser(2, { allow_all_agents: false, allowed_agents: ["ann"] }) },
    { kind: "flag", record: flag(1, "Private", "mine"), userId: 1 },
    { kind: "flag", record: flag(7, "Public", "vip") },
    GONE,
    DATED,
    call(
      {
        call_id: "a",
        ref_id: "r-a",
        datetime: AT,
        agent: "ann",
        notes: "call me back, incomprehensibilities",
      },
      { recordings: [{ ...one, startMs: 5 }, other], sessionId: "s", masterId: "m" },
    ),
    call(
      { call_id: "b", datetime: "2025-06-01T10:00:00Z", agent: "bob" },
      { identity: ["1", "x"] },
    ),
    call({ agent: "nobody" }),
    call({ agent: "nobody" }, { identity: ["2", null] }),
    { kind: "chat", record: message("a", "Hello", AT) },
    { kind: "chat", record: message("nobody's", "Bye", "2025-05-01T10:00:01Z") },
  ]);
  await replaceSome(store, [{ ...one, startMs: 5 }, other]);
  await store.maintenance.erase({ callId: "gone" }, { operator: "olive" });
  await fill(store, [call({ call_id: "old", datetime: "2025-04-01T10:00:00Z" })]);
  await store.maintenance.erase({ before: "2025-04-02" }, { operator: "olive" });
  await holdSome(store);
  const act = { operation: "app create", operator: "olive", asked: {} } as const;
  const app = { secretID: "app", keyHash: "h", userId: 1, createdMs: 1 };
  await store.credentials.addApplication(app, act);
  await store.credentials.addApplication({ ...app, secretID: "out" });
  const bearer = { userId: 2, createdMs: 1 };
  const token = { ...bearer, id: "t", kind: "token", hash: "ht", secretID: "app", expiresMs: 8e12 };
  await store.credentials.addBearer({ ...token, kind: "token" });
  await store.credentials.addBearer({ ...bearer, id: "k", kind: "key", hash: "hk" });
  const session = { ...bearer, id: "s", hash: "hs", keyId: "k", expiresMs: 8e12 };
  await store.credentials.addBearer({ ...session, kind: "session" });
  await store.credentials.revoke({ application: "out" });
  await store.credentials.addBearer({ ...token, id: "u", hash: "hu", kind: "token" });
  await store.credentials.revoke({ tokenHash: "hu" });
  await store.readBack?.step();
}

/** By a command that the access log names. */
async function replaceSome(store: CallStore, [one, other]: readonly Recording[]): Promise<void> {
  const writer = { operation: "import", operator: "olive", run: "1f" } as const;
  await using session = await store.openImport({ writer });
  if (one === undefined || other === undefined) throw new Error("two recordings are needed");
  const was = call({ call_id: "b2", datetime: AT }, { recordings: [one] });
  // In another form it takes the place of the one before.
  const recordings = [{ ...other, filename: "a.wav" }];
  const is = call({ call_id: "b2", datetime: AT, notes: "now" }, { recordings });
  await session.write([[was], [is], [{ kind: "user", record: toUser(2, { city: "Leeds" }) }]]);
}

export type Faces = Readonly<Record<string, () => Promise<unknown>>>;

/** What an open archive answers. */
export function listAnswers({ calls, users, credentials, accessLog, ...store }: CallStore): Faces {
  const find = (search: Parameters<typeof query>[0]) => () => calls.search(query(search));
  const all = "everything";
  const asAnn = [{ field: "agent", allowed: ["ann"] }] as const;
  return {
    "search of all": find({}),
    "search by a field": find({ filter: { agent: "ann" } }),
    "search with rights": find({ visibility: asAnn }),
    "search by a word": find({ words: parseQuery("back") }),
    "search by a phrase": find({ words: parseQuery('"me back"') }),
    "search by a beginning": find({ words: parseQuery("bac*") }),
    ...Object.fromEntries(
      ["a", "b", "dated"].flatMap((callId) => [
        [`call ${callId}`, () => calls.byCallId(callId, all)],
        [`recordings of ${callId}`, () => calls.recordings({ callId }, all)],
        [`chat of ${callId}`, () => calls.chat(callId, all)],
      ]),
    ),
    "call a with rights": () => calls.byCallId("a", asAnn),
    "chat of nobody's": () => calls.chat("nobody's", all),
    ...Object.fromEntries(
      ["r-a", "s", "m"].map((name) => [`reference ${name}`, () => calls.byReference(name, all)]),
    ),
    users: () => users.list(),
    "active users": () => users.list(1),
    "user 1": () => users.byId(1),
    user2: () => users.byName("user2"),
    "public flags": () => users.publicFlags(),
    "public flag vip": () => users.publicFlags(["vip"]),
    "private flags": () => users.privateFlags(1),
    "application app": () => credentials.application("app"),
    "application out": () => credentials.application("out"),
    // One whose user is not found says so.
    applications: async () => {
      const found = await credentials.applications();
      return found.every(({ user }) => user !== undefined) ? found : [];
    },
    keys: async () => {
      const found = await credentials.keys();
      return found.every(({ user }) => user !== undefined) ? found : [];
    },
    token: () => credentials.bearer("ht"),
    key: () => credentials.bearer("hk"),
    session: () => credentials.bearer("hs"),
    "access log": async () => {
      const rows = [];
      for await (const row of accessLog.read({})) rows.push(row);
      return rows;
    },
    "chain of the access log": async () => {
      const { fault, ...report } = await accessLog.verify();
      return fault === undefined ? report : DAMAGED;
    },
    readiness: () => accessLog.check(),
    totals: () => store.importedRows(),
    "import of what was erased": () => fill(openedAs({ ...store }), [GONE]),
    "import of an older state": () =>
      fill(openedAs({ ...store }), [
        { ...DATED, revisedMs: 6, record: { ...DATED.record, notes: "older" } },
      ]),
  };
}

const openedAs = (store: Pick<CallStore, "openImport">) => store as CallStore; // all that `fill` asks of one

/** What copies an archive. */
export const listCopies = (archive: Maintenance): Faces => ({
  scan: async () => {
    await using scan = await archive.scan();
    const rows = [];
    for await (const { items, damaged = [] } of scan.rows()) rows.push({ items, damaged });
    return rows.some(({ damaged }) => damaged.length > 0) ? DAMAGED : rows;
  },
  internals: async () => {
    const rows = [];
    // The chain of the log is followed where its rows are written, by a migration.
    for await (const row of archive.internals.read()) if (row.kind !== "access") rows.push(row);
    return rows;
  },
  "history of b2": () => tellHistory(archive, { callId: "b2" }),
  "history of user 2": () => tellHistory(archive, { userId: 2 }),
  migration: async () => {
    await using to = createMemoryStore();
    const report = await migrateArchive({ from: archive, to });
    const { differences, damagedRecords, damages } = report;
    return differences.length + damagedRecords.length + damages.length > 0 ? DAMAGED : report;
  },
});

const DAMAGED = "damaged";

async function tellHistory(archive: Maintenance, of: HistoryOf): Promise<unknown> {
  const states = await archive.history(of);
  return states.every(({ isWhole }) => isWhole) ? states : DAMAGED;
}

export type Told = ReadonlyMap<string, unknown>;

export async function ask(faces: Faces): Promise<Told> {
  const told = new Map<string, unknown>();
  for (const [name, face] of Object.entries(faces)) told.set(name, await tell(face));
  return told;
}

async function tell(face: () => Promise<unknown>): Promise<unknown> {
  try {
    return withoutStates(await face());
  } catch (error) {
    if (error instanceof ArchiveError || isFault(error, "damaged", "lost", "unavailable"))
      return DAMAGED;
    throw error;
  }
}

/** Without the state of a file, which is hashed again if it has another, and without times of now. */
const withoutStates = (found: unknown): unknown =>
  JSON.parse(
    JSON.stringify(found ?? null, (name, value: unknown) =>
      (name === "version" || name === "lastHash") && value !== undefined ? 0 : value,
    ),
  );

const isNothing = (found: unknown) =>
  found === null || (Array.isArray(found) && found.length === 0);

/** The faces that answer as if all were well, though what they say is another, or nobody is told of the change. */
export function listLies(whole: Told, found: Told, isExamined: boolean): readonly string[] {
  return [...found].flatMap(([name, told]) => {
    if (told === DAMAGED || isDeepStrictEqual(told, whole.get(name))) return [];
    // By a key that is another nothing is found: the doctor and all copies name it.
    return isExamined && isNothing(told) ? [] : `${name}: ${JSON.stringify(told)?.slice(0, 300)}`;
  });
}

/** Another value of the same kind. */
export function alter(value: unknown): unknown {
  if (typeof value === "bigint") return value ^ (1n << 30n);
  if (typeof value === "number") return value + 2 ** 30;
  if (typeof value === "boolean") return !value;
  if (value instanceof Uint8Array) {
    const bytes = Buffer.from(value);
    const at = bytes.length >> 1;
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    return bytes;
  }
  const text = String(value);
  const at = text.length >> 1;
  return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
}
