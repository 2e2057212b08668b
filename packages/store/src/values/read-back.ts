// The walk that reads a complete archive back: its order, its pace, and how it continues after a restart.
import { isFault } from "../port/faults.ts";
import type { MediaStore } from "../port/index.ts";
import type { Media } from "../port/media.ts";
import type { ReadBack, ReadBackStatus } from "../port/read-back.ts";
import { type FollowingRow, listBroken } from "./access-chain.ts";

/** The result of reading a part. */
export interface PartRead {
  /** Where to continue; undefined at the end. */
  readonly after?: string | undefined;
  /** The fraction of the part that was read: up to 1. Only the pace depends on it. */
  readonly position?: number;
  readonly damaged: readonly string[];
}

/** `after`: undefined at the start. */
export type ReadPart = (
  after: string | undefined,
  signal: AbortSignal | undefined,
) => Promise<PartRead>;

interface Part {
  /** Its share of the time. */
  readonly share: number;
  readonly read: ReadPart;
}

/** The functions that an adapter provides. */
export interface ReadBackSource {
  readonly persons: ReadPart;
  /** Up to `ROWS_OF_A_STEP` per step; the same for chats. */
  readonly calls: ReadPart;
  readonly chats: ReadPart;
  readonly media: Pick<MediaStore, "verify">;
  /** Up to `MEDIA_OF_A_STEP` after a digest, in the order of their digests. */
  readonly listMedia: (after: string) => Promise<readonly KeptMedia[]>;
  /** Up to `ROWS_OF_A_STEP` rows of the access log after this number, and the number of the log's last row. */
  readonly listLog: (
    after: number,
  ) => Promise<{ readonly rows: readonly FollowingRow[]; readonly last: number }>;
  /** The last stored text. */
  readonly load: () => Promise<string | undefined>;
  /** Replaces `known` by `next`; false if another server changed it, or an import holds the lock. */
  readonly swap: (known: string | undefined, next: string) => Promise<boolean>;
}

/** A row of a recording's contents. */
export interface KeptMedia {
  readonly sha256: string;
  readonly bytes: number;
  readonly version: string | null;
  readonly location: string | null;
}

/** Takes some milliseconds, for which requests wait. */
export const ROWS_OF_A_STEP = 100;

const DAY_MS = 86_400_000;

/** Everything is read within this time: what one walk reads first, the next may read last. */
export const READ_BACK_MS = 30 * DAY_MS;

const WALK_MS = READ_BACK_MS / 2;

// Steps leave time for requests. An interrupted step is due again only after the second of these times.
const LEAST_PAUSE_MS = 1_000;
const LEASE_MS = 10 * 60_000;

interface State {
  /** When the current walk began, and the last one that ended. */
  readonly begunMs: number;
  readonly lastMs?: number;
  readonly part: number;
  readonly after?: string | undefined;
  readonly position: number;
  readonly damaged: number;
  readonly lastDamaged: number;
  readonly nextMs: number;
}

/** `now`: ms since 1970. */
export function createReadBack(
  { persons, calls, chats, listLog, load, swap, ...recordings }: ReadBackSource,
  now: () => number = Date.now,
): ReadBack {
  const parts: readonly Part[] = [
    { share: 0, read: persons },
    { share: 3, read: calls },
    { share: 1, read: chats },
    { share: 6, read: createMediaPart(recordings) },
    { share: 1, read: createLogPart(listLog) },
  ];
  const begin = (): State => ({
    begunMs: now(),
    part: 0,
    position: 0,
    damaged: 0,
    lastDamaged: 0,
    nextMs: 0,
  });
  const sum = (some: readonly Part[]) => some.reduce((shares, { share }) => shares + share, 0);
  /** Measured from the start of the walk, so the time of steps and waits is made up for. */
  const toNextMs = ({ begunMs, part }: State, position: number): number => {
    const done = sum(parts.slice(0, part)) + position * (parts[part]?.share ?? 0);
    return Math.max(now() + LEAST_PAUSE_MS, begunMs + (done / sum(parts)) * WALK_MS);
  };
  const advance = (state: State, { after, damaged, ...read }: PartRead): State => {
    const isEnd = after === undefined;
    const position = isEnd ? 1 : Math.max(read.position ?? 1, state.position);
    const next = {
      ...state,
      damaged: state.damaged + damaged.length,
      nextMs: toNextMs(state, position),
    };
    if (!isEnd) return { ...next, after, position };
    if (state.part + 1 < parts.length)
      return { ...next, part: state.part + 1, after: undefined, position: 0 };
    return {
      ...begin(),
      lastMs: state.begunMs,
      lastDamaged: next.damaged,
      nextMs: next.nextMs,
      begunMs: next.nextMs,
    };
  };
  /** Steps are never due that late, so the clock was ahead, and the recorded time of the last walk is wrong. */
  const isAhead = ({ nextMs }: State) => nextMs > now() + WALK_MS;
  const resume = (state: State): State =>
    isAhead(state) ? { ...begin(), lastDamaged: toDamaged(state) } : state;
  return {
    step: async (signal) => {
      const known = await load();
      const state = resume(parse(known) ?? begin());
      if (state.nextMs > now()) return { damaged: [], nextMs: state.nextMs };
      const leased = { ...state, nextMs: now() + LEASE_MS };
      if (!(await swap(known, toText(leased))))
        return { damaged: [], nextMs: now() + LEAST_PAUSE_MS };
      const read = await (parts[state.part] ?? END).read(state.after, signal);
      signal?.throwIfAborted();
      const next = advance(state, read);
      await swap(toText(leased), toText(next));
      return { damaged: read.damaged, nextMs: next.nextMs };
    },
    status: async (): Promise<ReadBackStatus> => {
      const state = parse(await load());
      return { oldestMs: state?.lastMs ?? state?.begunMs, damaged: state ? toDamaged(state) : 0 };
    },
  };
}

const END: Pick<Part, "read"> = { read: async () => ({ damaged: [] }) };

const toDamaged = ({ damaged, lastDamaged }: State) => Math.max(damaged, lastDamaged);

const toText = (state: State) => JSON.stringify(state);

/** An unreadable state starts a new walk. */
function parse(text: string | undefined): State | undefined {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

// A step reads few files, so that it ends soon. It exceeds this number of bytes only for a single large file.
export const MEDIA_OF_A_STEP = 20;
const BYTES_OF_A_STEP = 64 * 1024 ** 2;

/** The contents of recordings. */
function createMediaPart({
  media: store,
  listMedia,
}: Pick<ReadBackSource, "media" | "listMedia">): ReadPart {
  return async (after = "", signal) => {
    const onRead = () => signal?.throwIfAborted();
    const damaged: string[] = [];
    let bytes = 0;
    const listed = (await listMedia(after)).map(toMedia);
    for (const [index, media] of listed.entries()) {
      try {
        await store.verify(media, onRead);
      } catch (error) {
        if (!isFault(error, "damaged", "lost")) throw error;
        damaged.push(error.message);
      }
      bytes += media.bytes;
      const isLast = index + 1 === listed.length && listed.length < MEDIA_OF_A_STEP;
      if (bytes >= BYTES_OF_A_STEP && !isLast) return toPlace(media.sha256, damaged);
    }
    const last = listed.at(-1);
    return last === undefined || listed.length < MEDIA_OF_A_STEP
      ? { damaged }
      : toPlace(last.sha256, damaged);
  };
}

/** The witness detects rows missing at the end. */
function createLogPart(listLog: ReadBackSource["listLog"]): ReadPart {
  return async (after = "0") => {
    const { rows, last } = await listLog(Number(after));
    const damaged = listBroken(rows);
    const seq = rows.length < ROWS_OF_A_STEP ? undefined : rows.at(-1)?.seq;
    if (seq === undefined) return { damaged };
    return { after: String(seq), position: seq / Math.max(seq, last), damaged };
  };
}

const toMedia = ({ version, location, ...kept }: KeptMedia): Media => ({
  ...kept,
  type: "",
  modifiedMs: 0,
  version: version ?? undefined,
  location: location ?? undefined,
});

// Digests are evenly distributed.
const toPlace = (sha256: string, damaged: readonly string[]): PartRead => ({
  after: sha256,
  position: parseInt(sha256.slice(0, 8), 16) / 2 ** 32,
  damaged,
});

/** The position of an id among all ids, for `PartRead`. */
export const toPosition = (id: bigint, first: bigint, last: bigint): number =>
  last > first ? Math.min(1, Math.max(0, Number(id - first) / Number(last - first))) : 1;
