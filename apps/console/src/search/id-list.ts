// Finds the calls of a list by their identifiers: each is asked for by itself, over all of the days. Loaded with the first list.
import type { CallMediaClient, CallRecord } from "@call-media/client";
import { byTime } from "@call-media/handover";
import { archiveZone } from "../time.ts";
import { openSearch, type Query } from "./query.ts";

export interface ListedCalls {
  /** The newest first, as in a search. */
  readonly records: readonly CallRecord[];
  /** The identifiers that no call has. */
  readonly missing: readonly string[];
}

const AT_ONCE = 4;

const found = new WeakMap<Query, Promise<ListedCalls>>();

/** Asks once for each query. @throws CallMediaError */
export function findListed(
  client: CallMediaClient,
  query: Query,
  signal: AbortSignal | undefined,
): Promise<ListedCalls> {
  const asked = found.get(query) ?? askEach(client, query, signal);
  found.set(query, asked);
  return asked;
}

async function askEach(
  client: CallMediaClient,
  { ids, ...query }: Query,
  signal: AbortSignal | undefined,
): Promise<ListedCalls> {
  const { by, values } = ids ?? { by: "call_id", values: [] };
  const results: (readonly CallRecord[])[] = [];
  const rest = values.entries();
  const work = async () => {
    for (const [place, value] of rest) {
      const body = { ...query.body, [by]: value };
      const search = await openSearch(client, { ...query, path: "/metadata/search", body }, signal);
      const records: CallRecord[] = [];
      for await (const record of search) records.push(record);
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
