// Searches as their users write them.
import type { Schema } from "@call-media/api";

import type { Caller } from "./caller.ts";
import { splitDays } from "./days.ts";
import { createPageReader } from "./pages.ts";
import type { Profile } from "./profile.ts";
import { toOperation } from "./request.ts";
import { type CallSearch, createCallSearch } from "./search.ts";

/** The days and values to look for. */
export interface Search<Filter> {
  /** First day, included: YYYY-MM-DD, in the time zone of the archive (D06). */
  readonly startDate: string;
  /** Last day, included. */
  readonly endDate: string;
  /** Values that a record must all have; letter case and outer spaces do not count (D08). */
  readonly filter: Filter;
  /**
   * Reads the range in windows of so many days, which bounds what is kept in memory and what a change
   * of the archive can touch. Needs `profile.endDate`. Default: the whole range at once.
   */
  readonly windowDays?: number | undefined;
  /** Goes on where another search for the same stood; see `CallSearch.cursor`. */
  readonly cursor?: string | undefined;
  /** Stops the search; it then fails with an AbortError. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Searches, to be read with `for await`: newest record first (D09), a page asked for when the one
 * before it is used up. While nothing is added to the range, no record is left out or given twice.
 *
 * What they give throws the errors of a call while it is read, and a TypeError for the cursor of
 * another search.
 *
 * @throws TypeError where `windowDays` makes no sense or needs a profile.
 */
export interface Calls {
  /** POST /metadata/search. The filter needs at least one field (D11). */
  search(search: Search<Schema<"MetadataFilter">>): CallSearch;
  /** POST /metadata/by-custom-fields. An empty filter gives every record of the days (D11). */
  byCustomFields(search: Search<Schema<"CustomFieldsFilter">>): CallSearch;
}

export function createCalls(caller: Caller, profile: Profile = {}): Calls {
  const reader = createPageReader(caller, profile);
  const searchBy =
    (path: string) =>
    ({ startDate, endDate, windowDays, filter, signal, cursor }: Search<object>) => {
      const operation = toOperation("POST", path);
      const ranges = splitDays({ startDate, endDate }, checkDays(windowDays, profile));
      const { baseUrl } = caller.options;
      const values = Object.entries(filter).toSorted(([one], [other]) => (one < other ? -1 : 1));
      return createCallSearch({
        reader,
        request: { operation, filter, signal },
        // In the order of the records: the days as the service orders them (D09).
        ranges: profile.order === "oldest-first" ? ranges.toReversed() : ranges,
        pageSize: profile.pageSize ?? undefined,
        identity: [baseUrl, path, startDate, endDate, windowDays, values],
        cursor,
      });
    };
  return {
    search: searchBy("/metadata/search"),
    byCustomFields: searchBy("/metadata/by-custom-fields"),
  };
}

function checkDays(windowDays: number | undefined, { endDate }: Profile): number {
  if (windowDays === undefined) return Infinity;
  if (!Number.isSafeInteger(windowDays) || windowDays < 1)
    throw new TypeError("windowDays must be an integer from 1 up");
  // With the wrong answer the last day of each window would be left out.
  if (!endDate) throw new TypeError('windowDays needs profile.endDate: "included" or "excluded"');
  return windowDays;
}
