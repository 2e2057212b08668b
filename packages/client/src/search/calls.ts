// Searches as programs write them.
import type { Schema } from "@call-media/api";

import type { Caller } from "../call/caller.ts";
import type { AllowUndefined } from "../call/operation-types.ts";
import { splitDays } from "./days.ts";
import { createPages } from "./pages.ts";
import type { Profile } from "../profile.ts";
import { definedOf, type Values } from "../call/request.ts";
import { type CallSearch, createCallSearch, toPosition } from "./search.ts";
import { createReadChat, type WordsFilter } from "./words.ts";

/** The days and values to look for. */
export interface Search<Filter> {
  /** First day, included: YYYY-MM-DD, in the time zone of the archive (D06). */
  readonly startDate: string;
  /** Last day, included. If the profile says that the service excludes it: before 9999-12-31. */
  readonly endDate: string;
  /** Values that a record must all have. Comparison is case-insensitive and ignores leading and trailing whitespace (D08). */
  readonly filter: Filter;
  /**
   * Words that a call must have in its texts, names or numbers (D30), an extension of the contract. If the service does not
   * apply them, reading fails with a ProtocolError of code `CLIENT_WORDS_NOT_APPLIED`, unless there is `filterWords`.
   */
  readonly words?: string | undefined;
  /**
   * Filters by the words if the service does not: `createWordsFilter` of `@call-media/client/words`. It then reads every record
   * of the search, and the report says `filtered here`.
   */
  readonly filterWords?: WordsFilter | undefined;
  /**
   * Days of a window. A window limits memory, and what a change of the archive can affect. Needs `profile.endDate`. Default:
   * the complete range is one window.
   */
  readonly windowDays?: number | undefined;
  /** Continues an earlier search for the same; see `CallSearch.cursor`. */
  readonly cursor?: string | undefined;
  /** Stops the search, which then fails with an AbortError. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Searches, to be read with `for await`: newest record first (D09). A page is requested when the one before it is used
 * up. While nothing is added to the range, no record is left out or returned twice. Reading throws the errors of a call.
 *
 * @throws TypeError if `windowDays` is invalid or needs a profile, if `cursor` is of another search, or if `filterWords` finds
 * the words invalid.
 */
export interface Calls {
  /** POST /metadata/search. The filter needs at least one field (D11), or the search has words. */
  search(search: Search<AllowUndefined<Schema<"MetadataFilter">>>): CallSearch;
  /** POST /metadata/by-custom-fields. An empty filter matches every record of the days (D11). */
  byCustomFields(search: Search<AllowUndefined<Schema<"CustomFieldsFilter">>>): CallSearch;
}

export function createCalls(caller: Caller, profile: Profile): Calls {
  const openPages = createPages(caller, profile);
  const searchBy = (path: string) => (search: Search<Values<unknown>>) => {
    const { startDate, endDate, windowDays, words, filterWords } = search;
    const range = { startDate, endDate };
    const ranges = windowDays === undefined ? [range] : splitDays(range, windowDays, profile);
    const values = definedOf(search.filter)
      .map((value) => JSON.stringify(value))
      .toSorted();
    const identity = [caller.options.baseUrl, path, range, windowDays, values];
    // Appended, so that cursors of searches without words stay valid.
    if (words !== undefined) identity.push(words);
    return createCallSearch(ranges, toPosition(identity, search.cursor), {
      openPages: (window) => openPages(path, search, window),
      hasWords: words !== undefined,
      words:
        words === undefined
          ? undefined
          : filterWords?.(words, createReadChat(caller, search.signal)),
    });
  };
  return {
    search: searchBy("/metadata/search"),
    byCustomFields: searchBy("/metadata/by-custom-fields"),
  };
}
