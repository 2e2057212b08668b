// Remembers a digest of each call that was seen, so that none is printed twice.
import { hash } from "node:crypto";
import type { CallRecord } from "@call-media/client";
import { CommandFailure } from "../failures/command-failure.ts";

/** Limits memory: 30 MB of digests, and twice that during a complete search. */
const MAX_CALLS = 500_000;

/** An import identifies a call by the same fields (D32). */
export function toKey({ call_id, ref_id, datetime, agent }: CallRecord): string {
  const text = JSON.stringify([call_id, ref_id, datetime, agent]);
  // 96 bits suffice for half a million calls. A slice of the text of the digest would keep the complete text in memory.
  return hash("sha256", text, "buffer").toString("base64url", 0, 12);
}

export interface Memory {
  /** Number of records. */
  readonly size: number;
  /** Number of records with this key. Different calls may have the same. */
  readonly count: (key: string) => number;
  /** @throws CommandFailure beyond the limit. */
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
