// Which calls were met: a digest of each, so that none is printed twice and none is kept.
import { hash } from "node:crypto";
import type { CallRecord } from "@call-media/client";

/** By these an import, too, knows a call again. */
export function toKey({ call_id, ref_id, datetime, agent }: CallRecord): string {
  const text = JSON.stringify([call_id, ref_id, datetime, agent]);
  // 96 bits: among half a million no two agree by accident. A slice of the whole digest's text would keep all of it.
  return hash("sha256", text, "buffer").toString("base64url", 0, 12);
}

export interface Memory {
  /** How many records were met. */
  readonly size: number;
  /** How many of them have this key: several may agree in all that it is made of. */
  readonly count: (key: string) => number;
  readonly add: (key: string) => void;
  /** A key for each record. */
  readonly list: () => readonly string[];
}

export function createMemory(keys: Iterable<string> = []): Memory {
  const counts = new Map<string, number>();
  let size = 0;
  const count = (key: string) => counts.get(key) ?? 0;
  const add = (key: string) => {
    size++;
    counts.set(key, count(key) + 1);
  };
  for (const key of keys) add(key);
  return {
    get size() {
      return size;
    },
    count,
    add,
    list: () => [...counts].flatMap(([key, times]) => Array<string>(times).fill(key)),
  };
}
