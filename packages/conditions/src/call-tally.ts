// How many calls records describe: those with one call_id are the legs of one call.

export interface CallTally {
  readonly add: (record: { readonly call_id?: unknown }) => void;
  /** Undefined where there are too many to tell. */
  readonly calls: () => number | undefined;
  readonly legs: () => number;
}

/** Identifiers that are remembered. */
const MOST = 1_000_000;

export function createCallTally(): CallTally {
  const ids = new Set<unknown>();
  let legs = 0;
  return {
    add({ call_id }) {
      legs++;
      // Without an identifier it is a call of its own.
      if (ids.size < MOST) ids.add(call_id || legs);
    },
    calls: () => (ids.size < MOST ? ids.size : undefined),
    legs: () => legs,
  };
}
