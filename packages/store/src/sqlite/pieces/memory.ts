// What was read last, up to a number of bytes.

export interface Memory<T> {
  get(key: number | string): T | undefined;
  set(key: number | string, value: T, bytes: number): void;
}

export function createMemory<T>(maxBytes: number): Memory<T> {
  // A map keeps the order in which its keys came: the first is what was not used for longest.
  const entries = new Map<number | string, { readonly value: T; readonly bytes: number }>();
  let total = 0;
  let newest: number | string | undefined;
  const renew = (key: number | string, entry: { readonly value: T; readonly bytes: number }) => {
    entries.delete(key);
    entries.set(key, entry);
    newest = key;
  };
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry !== undefined && key !== newest) renew(key, entry);
      return entry?.value;
    },
    set: (key, value, bytes) => {
      total += bytes - (entries.get(key)?.bytes ?? 0);
      renew(key, { value, bytes });
      for (const [oldest, entry] of entries) {
        if (total <= maxBytes) break;
        entries.delete(oldest);
        total -= entry.bytes;
      }
    },
  };
}
