// An archive of which a user may see next to nothing, though each hidden call lacks only one of ten rights, mostly the last: the dear
// way to judge.
import { recordRights } from "@call-media/api";
import { createApiKey } from "@call-media/server";
import type {
  ArchiveItem,
  CallStore,
  ChatMessageRecord,
  MetadataRecord,
  UserRecord,
} from "@call-media/store";
import { createStore } from "@call-media/store/sqlite";
import { createRows, toBatches } from "../rows.ts";
import { createReader } from "../serving/reader.ts";

/** So many identifiers, so many records for each. */
export const HIDDEN = {
  one: { ids: 10_000, legs: 1 },
  ten: { ids: 800, legs: 10 },
  seventeen: { ids: 800, legs: 17 },
  sixtyFour: { ids: 800, legs: 64 },
  twoHundred: { ids: 400, legs: 200 },
  thousand: { ids: 200, legs: 1_000 },
  tenThousand: { ids: 80, legs: 10_000 },
  /** No one right shuts all of them out: half of them lack that to the agent. */
  halves: { ids: 100, legs: 2_500 },
} as const;

/** So many identifiers that have a record that is shown, and beside it so many that are hidden. */
export const BESIDE = {
  two: { ids: 400, legs: 2 },
  fourteen: { ids: 400, legs: 14 },
  besideTwoHundred: { ids: 200, legs: 200 },
  besideThousand: { ids: 200, legs: 1_000 },
} as const;

/** So many cities that some 1,200 calls, of all pieces of the index, are of each, and so many that some 20,000 are. */
export const HIDDEN_CITIES = { some: 340, many: 20 } as const;

/** Of three that could be, see `toId`. */
export type Which = (typeof WHICH)[number];

const WHICH = ["first", "second", "third"] as const;

type Hidden = keyof typeof HIDDEN | keyof typeof BESIDE | keyof typeof HIDDEN_CITIES;

/**
 * Is `call_id` and `ref_id` alike, or the city. Of the three of an index only `first` has hidden calls: what has none lies
 * everywhere among what does. In a range of its own it would find its pages of the database in the cache more often, and be
 * quicker for that.
 */
export function toId(hidden: Hidden, index: number, which: Which): string {
  const number = WHICH.length * index + WHICH.indexOf(which);
  return `${hidden}-${String(number).padStart(5, "0")}`;
}

const LISTED = Object.fromEntries(recordRights.map(({ field }) => [field, "Listed"]));
const SHOWN = { ...LISTED, security_field_05: "Another" };
const LACKS_AGENT = { ...SHOWN, agent: "Another" };
const MEDIA_BYTES = 50_000;

/** Makes the archive in `directory`; gives the value of the user's Authorization header. */
export async function createHiddenCalls(directory: string): Promise<string> {
  await using store = await createStore({ directory });
  const user = createShutOut();
  await importRows(store, [[{ kind: "user", record: user }]]);
  const media = await store.media.add({ name: "a.wav", content: Buffer.alloc(MEDIA_BYTES, 1) });
  const recordings = [{ filename: "a.wav", media }];
  for (const batch of toBatches(createAll()))
    await importRows(
      store,
      batch.map((record) => [
        { kind: "call", record, recordings },
        { kind: "chat", record: toChat(record) },
      ]),
    );
  return `Bearer ${(await createApiKey(store, user.id)).apiKey}`;
}

/** Each import leaves a piece of the index. */
async function importRows(
  store: CallStore,
  rows: readonly (readonly ArchiveItem[])[],
): Promise<void> {
  await using session = await store.openImport();
  await session.write(rows);
}

function* createAll(): Generator<MetadataRecord> {
  yield* createHidden();
  yield* createBeside();
}

function* createHidden(): Generator<MetadataRecord> {
  for (const [hidden, { ids, legs }] of Object.entries(HIDDEN)) {
    let index = 0;
    for (const row of createRows(ids * legs)) {
      const id = toId(hidden as Hidden, Math.floor(index / legs), "first"); // a key of the table
      const lacking = hidden === "halves" && index % 2 === 0 ? LACKS_AGENT : LISTED;
      yield { ...row, ...lacking, call_id: id, ref_id: id, city: toCity(index) };
      index += 1;
    }
  }
}

/** Of each index three calls that are shown, and those that are hidden beside the first. */
function* createBeside(): Generator<MetadataRecord> {
  for (const [beside, { ids, legs }] of Object.entries(BESIDE)) {
    const calls = WHICH.length + legs;
    let index = 0;
    for (const row of createRows(ids * calls)) {
      const which = WHICH[index % calls];
      const id = toId(beside as Hidden, Math.floor(index / calls), which ?? "first"); // a key of the table
      yield { ...row, ...(which === undefined ? LISTED : SHOWN), call_id: id, ref_id: id };
      index += 1;
    }
  }
}

function toCity(index: number): string {
  const city = index % 2 === 0 ? "some" : "many";
  return toId(city, Math.floor(index / 2) % HIDDEN_CITIES[city], "first");
}

function toChat({ call_id: callId, datetime }: MetadataRecord): ChatMessageRecord {
  return {
    call_id: callId,
    transcript: "Good morning",
    datetime: datetime ?? "",
    party_type: "agent",
    label: null,
    room_id: "1",
  };
}

function createShutOut(): UserRecord {
  return {
    ...createReader(),
    ...Object.fromEntries(recordRights.map(({ allowAll }) => [allowAll, false])),
    ...Object.fromEntries(recordRights.map(({ allowed }) => [allowed, ["Listed"]])),
    allowed_secure05: ["Another"],
  };
}
