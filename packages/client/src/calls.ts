// Searches as one sequence of call records, however many pages they come in.
import type { Schema } from "@call-media/api";

import type { Answer, ContractCalls } from "./contract-calls.ts";

/** The days and values to look for. */
export interface Search<Filter> {
  /** First day, included: YYYY-MM-DD, in the time zone of the archive (D06). */
  readonly startDate: string;
  /** Last day, included. */
  readonly endDate: string;
  /** Values that a record must all have; letter case and outer spaces do not count (D08). */
  readonly filter: Filter;
  /** Stops the search; it then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Searches, to be read with `for await`: newest record first (D09), a page asked for when the one
 * before it is used up. While nothing is added to the range, no record is left out or given twice.
 *
 * Both throw the errors of a call while they are read.
 */
export interface Calls {
  /** POST /metadata/search. The filter needs at least one field (D11). */
  search(
    search: Search<Schema<"MetadataFilter">>,
  ): AsyncGenerator<Schema<"MetadataRecord">, void, undefined>;
  /** POST /metadata/by-custom-fields. An empty filter gives every record of the days (D11). */
  byCustomFields(
    search: Search<Schema<"CustomFieldsFilter">>,
  ): AsyncGenerator<Schema<"MetadataRecord">, void, undefined>;
}

type ReadPage = (
  pageIndex: number,
) => Promise<Answer<{ readonly data: readonly Schema<"MetadataRecord">[] }>>;

/** D07. */
const FIRST_PAGE = 0;

export function createCalls(contract: ContractCalls): Calls {
  return {
    search: ({ startDate, endDate, filter, signal }) =>
      eachRecord((pageIndex) =>
        contract.POST("/metadata/search", {
          params: { query: { pageIndex, startDate, endDate } },
          body: filter,
          signal,
        }),
      ),
    byCustomFields: ({ startDate, endDate, filter, signal }) =>
      eachRecord((pageIndex) =>
        contract.POST("/metadata/by-custom-fields", {
          params: { query: { pageIndex, startDate, endDate } },
          body: filter,
          signal,
        }),
      ),
  };
}

/**
 * The last page is the empty one, or one shorter than the page before it. The interface calls 50 a
 * default, so a first page of fewer may still be a full one; the second page tells.
 */
async function* eachRecord(
  readPage: ReadPage,
): AsyncGenerator<Schema<"MetadataRecord">, void, undefined> {
  let previousLength = 0;
  for (let pageIndex = FIRST_PAGE; ; pageIndex++) {
    const records = (await readPage(pageIndex)).data.data;
    yield* records;
    if (records.length === 0 || records.length < previousLength) return;
    previousLength = records.length;
  }
}
