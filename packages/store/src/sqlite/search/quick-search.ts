// Pages that the newest calls tell, or few, read on the event loop: the way to a thread and back would take half as long as the
// page, which is some tenths of a millisecond.
import type { DatabaseSync } from "node:sqlite";
import type { CallPage, CallSearch } from "../../call-store.ts";
import { toDayRange } from "../../values/instant.ts";
import { createBoundedSearch } from "./call-search.ts";
import { openIndex } from "./open-index.ts";
import { type SearchedArchive, toCallPage } from "./search-threads.ts";

// Each piece may have to be read from the disk, as each of the page's fifty calls.
const MAX_PIECES = 4;

const KEPT = { indexBytes: 8 * 1024 ** 2, rightsBytes: 0 };

type Searched = Omit<SearchedArchive, "directory"> & {
  /** The connection of the look-ups by identifier, which keeps calls that were read; it writes nothing. */
  readonly database: DatabaseSync;
};

/**
 * Makes a function that gives a page, or undefined for what is left to a thread: counts, rights, which may list thousands of
 * values, what more of the index has to be read for, and whatever goes wrong.
 */
export function createQuickSearch({
  database,
  timeZone,
  form,
}: Searched): (search: CallSearch) => CallPage | undefined {
  let find: ReturnType<typeof createBoundedSearch> | undefined;
  return ({ startDate, endDate, ...search }) => {
    if (search.isCounted || search.visibility.length > 0) return undefined;
    try {
      find ??= createBoundedSearch(database, openIndex(database, KEPT), MAX_PIECES);
      const page = find({ ...search, ...toDayRange(startDate, endDate, timeZone) });
      return page && toCallPage(page, form);
    } catch {
      // The thread says what is wrong, and whether it still is; what was read of the index may be wrong as well.
      find = undefined;
      return undefined;
    }
  };
}
