// Which calls were met: a digest of each, so that none is printed twice and none is kept.
import { hash } from "node:crypto";
import type { CallRecord } from "@call-media/client";
import { CommandFailure } from "../failures/command-failure.ts";

/** Some 30 MB of digests, and twice that while all are read again. */
const MAX_CALLS = 500_000;

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
  /** @throws CommandFailure where they are too many. */
  readonly add: (key: string) => void;
  /** A key for each record. */
  readonly list: () => readonly string[];
}

export function createMemory(keys: Iterable<string> = []): Memory {
  const counts = new Map<string, number>();
  let size = 0;
  const count = (key: string) => counts.get(key) ?? 0;
  const add = (key: string) => {
    if (++size > MAX_CALLS) throw tooMany();
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

const tooMany = () =>
  new CommandFailure(
    `more than ${MAX_CALLS.toLocaleString("en")} calls: watch fewer, by a later --since or an option to search by`,
  );
