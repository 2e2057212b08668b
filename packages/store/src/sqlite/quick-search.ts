// The first page of a search, where it is told by the newest calls, read on the event loop: the way to a thread and back would
// take longer than the page, which is some tenths of a millisecond.
import type { DatabaseSync } from "node:sqlite";
import type { CallPage, CallSearch } from "../call-store.ts";
import { toDayRange } from "../values/instant.ts";
import { createFirstPageSearch } from "./call-search.ts";
import { type SearchedArchive, toCallPage } from "./search-threads.ts";

// Each may have to be read from the disk, as each of the page's fifty calls.
const MAX_PIECES = 4;

type Searched = Omit<SearchedArchive, "directory"> & {
  /** The connection of the look-ups by identifier, which keeps calls that were read; it writes nothing. */
  readonly database: DatabaseSync;
};

/**
 * Makes a function that gives a page, or undefined for what is left to a thread: counts, further pages, rights, values that are
 * rare, and whatever goes wrong.
 */
export function createQuickSearch({
  database,
  timeZone,
  form,
}: Searched): (search: CallSearch) => CallPage | undefined {
  let find: ReturnType<typeof createFirstPageSearch> | undefined;
  return ({ filter, startDate, endDate, pageIndex, visibility, isCounted }) => {
    if (isCounted || pageIndex > 0 || visibility.length > 0) return undefined;
    try {
      find ??= createFirstPageSearch(database, MAX_PIECES);
      const page = find({ filter, ...toDayRange(startDate, endDate, timeZone) });
      return page && toCallPage(page, form);
    } catch {
      // The thread says what is wrong, and whether it still is; what was read of the index may be wrong as well.
      find = undefined;
      return undefined;
    }
  };
}
