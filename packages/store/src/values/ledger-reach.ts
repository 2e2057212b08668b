// A ledger that cannot be reached, or answers late.
import { ArchiveError, isFault, StoreFault } from "../port/faults.ts";
import type { LedgerPlace } from "../port/ledger.ts";

/** Returns why the ledger cannot be used. */
export async function unlessUnread(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (!(error instanceof ArchiveError) && !isFault(error, "unavailable", "damaged")) throw error;
    return error.message;
  }
}

// Other writers of the archive give up after twice that.
const LOCKED_MS = 5_000;

/**
 * The same ledger for work under the lock of the archive: from now on it has some seconds. Then it throws `StoreFault`; what it was to store
 * may still arrive.
 */
export function inHaste(place: LedgerPlace): LedgerPlace {
  const endMs = performance.now() + LOCKED_MS;
  const hurry = async <T>(work: Promise<T>): Promise<T> => {
    const { promise, reject } = Promise.withResolvers<never>();
    const stop = () =>
      reject(new StoreFault("unavailable", `the ledger in ${place.name} does not answer in time`));
    const timer = setTimeout(stop, Math.max(0, endMs - performance.now()));
    try {
      return await Promise.race([work, promise]);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    ...place,
    list: () => hurry(place.list()),
    read: (number) => hurry(place.read(number)),
    listHolds: () => hurry(place.listHolds()),
    putHold: (...given) => hurry(place.putHold(...given)),
  };
}
