// Keeps erased records out of the archive when they are imported again (D33).
import type { DatabaseSync } from "node:sqlite";
import type { ArchiveItem } from "../../port/index.ts";
import { createItemNamer, leaveOutErased } from "../../values/tombstones.ts";
import { createTombstones } from "../tombstones.ts";

/** Nothing is purged while a session is open: an archive without tombstones has none until it ends. */
export function createErasedItems(database: DatabaseSync, timeZone: string) {
  const tombstones = createTombstones(database);
  const hasNone = tombstones.isEmpty();
  const toNames = createItemNamer(timeZone);
  const isErased = (item: ArchiveItem) => toNames(item).some(tombstones.has);
  return {
    leaveOut: (row: readonly ArchiveItem[]): readonly ArchiveItem[] =>
      hasNone ? row : leaveOutErased(row, isErased),
    /** From now on the items of a row may come and go as any other. */
    forget: (row: readonly ArchiveItem[]): void => {
      if (hasNone) return;
      for (const sought of row.flatMap(toNames))
        if (tombstones.has(sought)) tombstones.remove(sought);
    },
  };
}
