// Finds the changes in the archive between two readings of the same hand-over.
import type { CallRecord } from "@call-media/client";
import type { Listing, Weighed } from "./listing.ts";

export interface Contents {
  readonly listing: Listing;
  readonly weighed: Weighed;
}

/** Counts of legs, and of the recordings that were there and are there. */
export interface Changes {
  readonly gone: number;
  readonly come: number;
  readonly changed: number;
  readonly recordings: { readonly were: number; readonly are: number };
}

/** Undefined if nothing changed. */
export function findChanges(before: Contents, after: Contents): Changes | undefined {
  const [gone, come] = [listWithout(before, after), listWithout(after, before)];
  const recordings = { were: before.weighed.count, are: after.weighed.count };
  if (gone.length + come.length === 0 && recordings.were === recordings.are) return undefined;
  const keys = new Set(come.map(toKey));
  const changed = gone.filter((record) => keys.delete(toKey(record))).length;
  return { gone: gone.length - changed, come: come.length - changed, changed, recordings };
}

/** The records that the other reading lacks or has less often. */
function listWithout({ listing }: Contents, other: Contents): readonly CallRecord[] {
  const counts = new Map<string, number>();
  for (const { raw } of other.listing.records) {
    const text = JSON.stringify(raw);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return listing.records.flatMap(({ raw }) => {
    const text = JSON.stringify(raw);
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count > 0 ? [] : [raw];
  });
}

/** The same for a leg before and after a correction of its other fields. */
const toKey = ({ call_id, ref_id, datetime }: CallRecord): string =>
  JSON.stringify([call_id, ref_id, datetime]);
