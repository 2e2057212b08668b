// Recent values by key, limited in number and age, so that an attack cannot fill the memory.

interface Bounds {
  /** Beyond this number the oldest is dropped. */
  readonly maxEntries: number;
  /** In ms since the value was added. */
  readonly maxAgeMs: number;
  /** In ms; never goes back. */
  readonly now: () => number;
}

export function createRecent<T>({ maxEntries, maxAgeMs, now }: Bounds) {
  // Oldest first.
  const entries = new Map<string, { readonly value: T; readonly putMs: number }>();
  const forget = () => {
    const oldestMs = now() - maxAgeMs;
    for (const [key, { putMs }] of entries) {
      if (putMs >= oldestMs && entries.size <= maxEntries) return;
      entries.delete(key);
    }
  };
  return {
    get: (key: string): T | undefined => {
      forget();
      return entries.get(key)?.value;
    },
    put: (key: string, value: T): void => {
      entries.delete(key);
      entries.set(key, { value, putMs: now() });
      forget();
    },
    delete: (key: string): void => void entries.delete(key),
    count: (): number => entries.size,
  };
}
