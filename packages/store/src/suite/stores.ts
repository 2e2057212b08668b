// The archives that the suite makes. Each is closed at the end of the test that requested it.
import { onTestFinished } from "vitest";
import type { CallStore } from "../index.ts";

/** Makes an empty archive; UTC if no time zone is given. */
export type CreateStore = (timeZone?: string) => Promise<CallStore>;

/** The extent of the suite, for an adapter that passes all of it elsewhere. */
export interface Extent {
  /** Only the topics in which adapters differ most. */
  readonly isShort?: boolean | undefined;
  /** A few random archives instead of many. */
  readonly hasFewRuns?: boolean | undefined;
  /** Fewer random archives of many steps, for an adapter that takes long for each. */
  readonly isSlow?: boolean | undefined;
  /** For adapters that can be backed up. */
  readonly life?: LifeMeans | undefined;
}

/** What an adapter has to provide for the life of an archive: see life.ts. Each store that is returned takes the place of the given one. */
export interface LifeMeans {
  /** Makes a backup beside the earlier ones; returns its place. */
  readonly backUp: (store: CallStore) => Promise<string>;
  /** For an adapter whose backups are generations, which each backup keeps for `KEEP_DAYS`. */
  readonly generations?: {
    /** Makes them this many days older. */
    readonly age: (store: CallStore, days: number) => Promise<void>;
    /** The places of those that are there. */
    readonly list: (store: CallStore) => readonly string[];
  };
  /** The SHA-256 of the recordings in a backup. */
  readonly listSounds: (place: string) => Promise<readonly string[]>;
  readonly restore: (store: CallStore, place: string) => Promise<CallStore>;
  /** Erases the calls in a process that is killed between the first entry of the ledger and the rows. */
  readonly killErasing: (store: CallStore, callIds: readonly string[]) => Promise<CallStore>;
}

/** For how long a backup keeps earlier ones, in days. */
export const KEEP_DAYS = 35;

/** The number of runs of a property that makes an archive in each run. */
export const toRuns = (
  runs: number,
  { hasFewRuns = false }: Extent,
): { readonly numRuns: number } => ({
  numRuns: hasFewRuns ? Math.ceil(runs / 8) : runs,
});

const closed = new WeakSet<CallStore>();

/** Closes it now: a property makes more archives than a machine should have open at a time. */
export async function close(store: CallStore): Promise<void> {
  if (closed.has(store)) return;
  closed.add(store);
  await store[Symbol.asyncDispose]();
}

/** The same, for archives that are removed at the end of their test. */
export function closing(create: CreateStore): CreateStore {
  return async (timeZone) => {
    const store = await create(timeZone);
    onTestFinished(() => close(store));
    return store;
  };
}
