// The contents of an archive in memory.
import { randomUUID } from "node:crypto";
import type { Act } from "../port/history.ts";
import type { Application, Bearer, CallItem, Media, Recording, Revocable } from "../port/index.ts";
import { toCallDigest } from "../values/call-digest.ts";
import type { Noted, NotedCommand } from "../port/vitals.ts";
import type { StoredHold } from "../values/holds.ts";
import { createSlice, type SliceMeans } from "../writing/slice.ts";

export interface ChainedRow {
  readonly seq: number;
  /** The JSON text that was hashed. */
  readonly entry: string;
  readonly hash: string;
}

const toDigest = (call: CallItem) => toCallDigest(call, JSON.stringify(call.record));

export type Tables = ReturnType<typeof createTables>;

export function createTables() {
  let order = 0;
  const next = () => (order += 1);
  const acts = new Map<number, Act>();
  let act = () => 0;
  let listHolds: SliceMeans["listHolds"] = () => [];
  return {
    ...createSlice({
      toDigest,
      nextOrder: next,
      nextChat: next,
      act: () => act(),
      listHolds: (call) => listHolds(call),
    }),
    /** By their ids. */
    acts,
    /** Later writes belong to this act. */
    writeAs: (writing: () => number) => void (act = writing),
    /** Sets the function that decides which holds keep calls that are replaced from now on. */
    judgeBy: (judge: SliceMeans["listHolds"]) => void (listHolds = judge),
    archiveId: randomUUID() as string,
    tombstoneKey: randomUUID() as string,
    /** See `InternalSetting`. */
    migratedAfter: "",
    policy: undefined as string | undefined,
    migrating: "",
    holds: new Map<string, StoredHold>(),
    /** The call_ids that are held whatever their records say, by the names of holds. */
    held: new Map<string, Set<string>>(),
    /** See `ErasureFilter`; with the case of the erasure. */
    owed: {
      callIds: new Map<string, string | null>(),
      references: new Map<string, string | null>(),
    },
    /** The setting `owed_marks`, for an archive that it is moved to. */
    owedMarks: undefined as string | undefined,
    noted: new Map<NotedCommand, Noted>(),
    /** By their SHA-256. */
    media: new Map<string, { readonly media: Media; readonly content: Uint8Array }>(),
    imported: { imported: 0, replaced: 0, unchanged: 0, erased: 0, rejected: 0 },
    applications: new Map<string, Revocable<Application>>(),
    /** By their hashes. */
    bearers: new Map<string, Revocable<Bearer>>(),
    access: [] as ChainedRow[],
  };
}

/** Stores the facts about the audio of a content. */
export function noteSound({ media }: Tables, sha256: string, sound: Media["sound"]): void {
  const known = media.get(sha256);
  if (known !== undefined && sound !== undefined)
    media.set(sha256, { ...known, media: { ...known.media, sound } });
}

/** Makes a function that adds the known audio facts to a recording, even if another recording with the same content brought them. */
export const createHearing =
  ({ media: known }: Tables) =>
  <Of extends Recording>(recording: Of): Of => {
    const sound = known.get(recording.media.sha256)?.media.sound ?? recording.media.sound;
    return { ...recording, media: { ...recording.media, ...(sound !== undefined && { sound }) } };
  };
