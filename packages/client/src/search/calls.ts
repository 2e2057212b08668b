// The search functions of the client.
import type { Schema } from "@call-media/api";

import type { Caller } from "../call/caller.ts";
import type { CallOptions } from "../options.ts";
import type { AllowUndefined } from "../call/operation-types.ts";
import { type DayRange, splitDays } from "./days.ts";
import { createPages } from "./pages.ts";
import type { Profile } from "../profile.ts";
import { definedOf, type Values } from "../call/request.ts";
import { type CallSearch, createCallSearch, toPosition } from "./search.ts";
import { readArchiveZone } from "../time-zones.ts";
import { createReadChat, type WordsFilter } from "./words.ts";
import { toZonedPlan } from "./zoned-days.ts";

/** The days and values to look for. Limits and headers are for each page, the signal stops the search. */
export interface Search<Filter> extends CallOptions {
  /** First day, included: YYYY-MM-DD, in `timeZone`. See `daysAgo`. */
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
   * IANA name of the time zone that the days are of. If it is not that of the archive, the archive's days around them are
   * read, and only records of your days are returned. A record whose time is unknown is returned too. Default: the time zone
   * of the archive (D06).
   */
  readonly timeZone?: string | undefined;
  /**
   * Days of a window. A window limits memory, and what a change of the archive can affect. Needs `profile.endDate`. Default:
   * the complete range is one window.
   */
  readonly windowDays?: number | undefined;
  /** Continues an earlier search for the same; see `CallSearch.cursor`. */
  readonly cursor?: string | undefined;
}

type MetadataFilter = AllowUndefined<Schema<"MetadataFilter">>;

/** With a value for one field or more. */
type AtLeastOne<Filter> = Filter &
  { [Name in keyof Filter]-?: Record<Name, NonNullable<Filter[Name]>> }[keyof Filter];

/**
 * The argument of `calls.search`: a filter with at least one field, or words (D11). The type is exported for filters that are built at run
 * time.
 */
export type FieldSearch =
  | Search<AtLeastOne<MetadataFilter>>
  | (Search<MetadataFilter> & { readonly words: string });

/**
 * Searches, to be read with `for await`: newest record first (D09). A page is requested when the previous one is used up. While nothing is
 * added to the range, no record is omitted or returned twice. Reading throws the errors of a call.
 *
 * @throws TypeError if `windowDays` is invalid or needs a profile, if `timeZone` is unknown, if `cursor` is of another search,
 * or if `filterWords` finds the words invalid.
 */
export interface Calls {
  /**
   * POST /metadata/search. The filter needs at least one field (D11), or the search has words. For every call of the days, see
   * `byCustomFields`.
   */
  search(search: FieldSearch): CallSearch;
  /** POST /metadata/by-custom-fields. An empty filter matches every record of the days (D11). */
  byCustomFields(search: Search<AllowUndefined<Schema<"CustomFieldsFilter">>>): CallSearch;
}

export function createCalls(caller: Caller, profile: Profile): Calls {
  const openPages = createPages(caller, profile);
  const searchBy = (path: string) => (search: Search<Values<unknown>>) => {
    const { startDate, endDate, windowDays, timeZone, words, filterWords } = search;
    const range = { startDate, endDate };
    const split = (whole: DayRange) =>
      windowDays === undefined ? [whole] : splitDays(whole, windowDays, profile);
    const values = definedOf(search.filter)
      .map((value) => JSON.stringify(value))
      .toSorted();
    const identity = [caller.options.baseUrl, path, range, windowDays, values, timeZone, words];
    const open = (window: DayRange) => openPages(path, search, window);
    const position = toPosition(identity, search.cursor);
    const parts = {
      openPages: open,
      hasWords: words !== undefined,
      words:
        words === undefined
          ? undefined
          : filterWords?.(words, createReadChat(caller, search.signal)),
    };
    const plan = { ranges: split(range), includes: () => true };
    if (timeZone === undefined) return createCallSearch(plan, position, parts);
    // Throws now if there is no such zone.
    toZonedPlan(range, timeZone, undefined);
    const toPlan = async () => {
      // Any page names the archive's time zone (D34).
      const { response } = await open(range).past();
      const zoned = toZonedPlan(range, timeZone, readArchiveZone(response));
      return { ...zoned, ranges: split(zoned.range) };
    };
    return createCallSearch(toPlan, position, parts);
  };
  return {
    search: searchBy("/metadata/search"),
    byCustomFields: searchBy("/metadata/by-custom-fields"),
  };
}
