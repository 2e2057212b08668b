// Searches as one sequence of call records, however many pages they come in.
import type { Schema } from "@call-media/api";

import type { Answer, ContractCalls } from "./contract-calls.ts";
import { CallMediaError, ProtocolError } from "./errors.ts";
import type { Profile } from "./profile.ts";

/** The days and values to look for. */
export interface Search<Filter> {
  /** First day, included: YYYY-MM-DD, in the time zone of the archive (D06). */
  readonly startDate: string;
  /** Last day, included. */
  readonly endDate: string;
  /** Values that a record must all have; letter case and outer spaces do not count (D08). */
  readonly filter: Filter;
  /** Stops the search; it then fails with an AbortError. */
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

interface PageOfRecords {
  readonly data: readonly Schema<"MetadataRecord">[];
  /** Of the search by custom fields alone. */
  readonly recordCount?: number;
}

type ReadPage = (pageIndex: number) => Promise<Answer<PageOfRecords>>;

const DAY_MS = 86_400_000;

export function createCalls(contract: ContractCalls, profile: Profile = {}): Calls {
  const toRange = ({ startDate, endDate }: { startDate: string; endDate: string }) => ({
    startDate,
    endDate: profile.endDate === "excluded" ? toDayAfter(endDate) : endDate,
  });
  return {
    search: ({ filter, signal, ...days }) =>
      eachRecord(profile, (pageIndex) =>
        contract.POST("/metadata/search", {
          params: { query: { pageIndex, ...toRange(days) } },
          body: filter,
          signal,
        }),
      ),
    byCustomFields: ({ filter, signal, ...days }) =>
      eachRecord(profile, (pageIndex) =>
        contract.POST("/metadata/by-custom-fields", {
          params: { query: { pageIndex, ...toRange(days) } },
          body: filter,
          signal,
        }),
      ),
  };
}

/** What is no day of the calendar is left for the service to refuse. */
function toDayAfter(day: string): string {
  const ms = Date.parse(`${day}T00:00:00Z`);
  // Date.parse takes 2026-02-30 for a day in March.
  const isDay = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
  return isDay ? new Date(ms + DAY_MS).toISOString().slice(0, 10) : day;
}

/**
 * The last page is the empty one, one shorter than a page of this service, or the one that completes
 * a recordCount of all pages. The interface calls 50 a default, so where the profile does not tell, a
 * first page of fewer may still be a full one; the second page tells.
 */
async function* eachRecord(
  profile: Profile,
  readPage: ReadPage,
): AsyncGenerator<Schema<"MetadataRecord">, void, undefined> {
  const firstPage = profile.firstPage ?? 0; // D07
  let fullLength = profile.pageSize ?? 0;
  let given = 0;
  for (let pageIndex = firstPage; ; pageIndex++) {
    const { data, recordCount = Infinity } = await readPage(pageIndex).then(
      (answer) => answer.data,
      (error: unknown): PageOfRecords => {
        if (pageIndex > firstPage && isPastTheEnd(error, profile)) return { data: [] };
        throw error;
      },
    );
    yield* data;
    given += data.length;
    if (data.length === 0 || data.length < fullLength) return;
    if (profile.recordCount === "all" && given >= recordCount) return;
    fullLength = data.length;
  }
}

/** Some services refuse a page past the end. A 200 that makes no sense is an error with that status, too. */
function isPastTheEnd(error: unknown, { pastTheEndStatus }: Profile): boolean {
  if (!(error instanceof CallMediaError) || error instanceof ProtocolError) return false;
  return error.status !== undefined && error.status === pastTheEndStatus;
}
