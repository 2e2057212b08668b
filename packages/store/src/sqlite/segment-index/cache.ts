// A cache of recently used values, up to a number of bytes.

export interface Cache<T> {
  get(key: number | string): T | undefined;
  set(key: number | string, value: T, bytes: number): void;
}

interface Kept<T> {
  readonly value: T;
  readonly bytes: number;
}

/**
 * Used values go to the younger half. When that is full, the older half is dropped and the younger takes its place.
 * So finding a recent value takes a single lookup, while a list in the order of use would change with each.
 */
export function createCache<T>(maxBytes: number): Cache<T> {
  let older = new Map<number | string, Kept<T>>();
  let younger = new Map<number | string, Kept<T>>();
  let youngerBytes = 0;
  const keep = (key: number | string, kept: Kept<T>) => {
    youngerBytes += kept.bytes - (younger.get(key)?.bytes ?? 0);
    younger.set(key, kept);
    if (youngerBytes <= maxBytes / 2) return;
    older = younger;
    younger = new Map();
    youngerBytes = 0;
  };
  return {
    get: (key) => {
      const known = younger.get(key);
      if (known !== undefined) return known.value;
      const kept = older.get(key);
      if (kept !== undefined) keep(key, kept);
      return kept?.value;
    },
    set: (key, value, bytes) => keep(key, { value, bytes }),
  };
}
