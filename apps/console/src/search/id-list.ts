// Finds the calls of a list by their identifiers: each is asked for by itself, over all of the days. Loaded with the first list.
import type { CallRecord } from "@call-media/client";
import { byTime } from "@call-media/handover";
import { archiveZone } from "../time.ts";

export interface ListedCalls {
  /** The newest first, as in a search. */
  readonly records: readonly CallRecord[];
  /** The identifiers that no call has. */
  readonly missing: readonly string[];
}

/** The records of one identifier. */
type Find = (value: string) => Promise<AsyncIterable<CallRecord>>;

const AT_ONCE = 4;

const found = new WeakMap<object, Promise<ListedCalls>>();

/** Asks once for each query, and again after a fault. @throws CallMediaError */
export async function findListed(
  query: object,
  values: readonly string[],
  find: Find,
): Promise<ListedCalls> {
  const asked = found.get(query) ?? askEach(values, find);
  found.set(query, asked);
  try {
    return await asked;
  } catch (error) {
    found.delete(query);
    throw error;
  }
}

async function askEach(values: readonly string[], find: Find): Promise<ListedCalls> {
  const results: (readonly CallRecord[])[] = [];
  const rest = values.entries();
  const work = async () => {
    for (const [place, value] of rest) {
      const records: CallRecord[] = [];
      for await (const record of await find(value)) records.push(record);
      results[place] = records;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const inTime = byTime(archiveZone.peek());
  return {
    records: results.flat().toSorted((one, other) => inTime(other, one)),
    missing: values.filter((_, place) => results[place]?.length === 0),
  };
}
