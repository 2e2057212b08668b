// The first page of a search, where it is told by the newest calls, read on the event loop: the way to a thread and back would
// take longer than the page, which is some tenths of a millisecond.
import type { DatabaseSync } from "node:sqlite";
import type { CallPage, CallSearch } from "../call-store.ts";
import { toDayRange } from "../values/instant.ts";
import { createFirstPageSearch } from "./call-search.ts";
import { openForSearches } from "./database.ts";
import { type SearchedArchive, toCallPage } from "./search-threads.ts";

// Each may have to be read from the disk, as each of the page's fifty calls.
const MAX_PIECES = 4;

export interface QuickSearch {
  /** Undefined for what is left to a thread: counts, further pages, rights, values that are rare, and whatever goes wrong. */
  search(search: CallSearch): CallPage | undefined;
  close(): void;
}

export function createQuickSearch({ directory, timeZone, form }: SearchedArchive): QuickSearch {
  let database: DatabaseSync | undefined;
  let find: ReturnType<typeof createFirstPageSearch> | undefined;
  let isClosed = false;
  const open = () => {
    database = openForSearches(directory);
    // The event loop waits for no lock.
    database.exec("PRAGMA busy_timeout = 0");
    return createFirstPageSearch(database, MAX_PIECES);
  };
  const close = () => {
    database?.close();
    database = find = undefined;
  };

  return {
    search: ({ filter, startDate, endDate, pageIndex, visibility, isCounted }) => {
      if (isClosed || isCounted || pageIndex > 0 || visibility.length > 0) return undefined;
      try {
        find ??= open();
        const page = find({ filter, ...toDayRange(startDate, endDate, timeZone) });
        return page && toCallPage(page, form);
      } catch {
        // The thread says what is wrong, and whether it still is.
        close();
        return undefined;
      }
    },
    close: () => {
      isClosed = true;
      close();
    },
  };
}
