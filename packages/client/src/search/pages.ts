// Pages of a search. Services count them from 0 or from 1, and end them in different ways.
import { readJson } from "../call/answer.ts";
import type { Caller } from "../call/caller.ts";
import { toOperation } from "../call/request.ts";
import {
  type ErrorSubject,
  InvalidRequestError,
  ProtocolError,
  toRefusalStatus,
} from "../errors.ts";
import { PAGE_LENGTH } from "../limits.ts";
import { type CallOptions, toCallOptions } from "../options.ts";
import type { Profile } from "../profile.ts";
import { parseCount } from "../values.ts";
import { toNextDay, type DayRange } from "./days.ts";
import { type CallRecord, type Keyed, toKey } from "./keys.ts";
import { isApplied, isTooBroad } from "./words.ts";

/** A page of the service. */
export interface RawPage {
  readonly pageIndex: number;
  readonly records: readonly Keyed[];
  /** Records of the complete range; undefined if the service does not say. A later page may show what its `recordCount` counts. */
  readonly announced: number | undefined;
  /** True if `recordCount` equals the number of its records. It may still be that of the complete range. */
  readonly isCounted: boolean;
  readonly response: Response;
  /** True if the search has words that the service did not apply. */
  readonly isUnfiltered: boolean;
}

/** The part of a page that the request for the next one needs. */
export type LastPage = Pick<RawPage, "pageIndex" | "records">;

/** The pages of one request. */
export interface Pages {
  /** For errors that concern all of them. */
  readonly about: ErrorSubject;
  /** Records on every page but the last; 1 if unknown. */
  readonly pageSize: number;
  readonly first: () => Promise<RawPage>;
  /** The page with this number, counted from 0 on every service, with the count of the range. */
  readonly at: (index: number) => Promise<RawPage>;
  /** A page past the end, requested only for the count, so that no record is shown. The first page if the service has none there. */
  readonly past: () => Promise<RawPage>;
  /** Undefined past the end. */
  readonly next: (last: LastPage) => Promise<RawPage | undefined>;
  /** The same if no more pages are expected: also undefined for a refusal. */
  readonly behind: (last: LastPage) => Promise<RawPage | undefined>;
}

/** The filter, and the options of each request. */
interface Wanted extends CallOptions {
  readonly filter: object;
  readonly words?: string | undefined;
  readonly filterWords?: unknown;
}

interface Body {
  readonly data: readonly CallRecord[];
  readonly recordCount?: unknown;
}

/** No archive has as many pages. The contract allows the number, and the page is empty (D07). */
const PAST_THE_END = 1_000_000_000;

export function createPages(caller: Caller, profile: Profile) {
  let firstPage: number | undefined = profile.firstPage ?? undefined;
  // Paths whose recordCount was larger than a page. It counts all records there, also if one page has them all.
  const countsAll = new Set<string>();
  // False once the service rejected the parameter `words` (D30) of a search that succeeds without it.
  let knowsWords: boolean | undefined;

  return (path: string, wanted: Wanted, range: DayRange): Pages => {
    const operation = toOperation("POST", path);
    const about = { ...operation, url: caller.options.baseUrl + path, attempts: 0 };
    const endDate = profile.endDate === "excluded" ? toNextDay(range.endDate) : range.endDate;
    // The day after 9999-12-31 has no valid notation (D06).
    if (endDate.includes("+"))
      throw new InvalidRequestError(`endDate must be before ${range.endDate}`, about);

    async function read(
      pageIndex: number,
      isCounted = pageIndex === (firstPage ?? 0),
    ): Promise<RawPage> {
      const { words } = wanted;
      const { data, response } = await request(pageIndex, isCounted);
      const isUnfiltered = words !== undefined && !isApplied(response);
      if (isUnfiltered && !wanted.filterWords)
        throw new ProtocolError("The service does not search by words", about, {
          code: "CLIENT_WORDS_NOT_APPLIED",
        });
      // parseSuccess checked that data is an array. Records are used unchecked.
      const { data: records, recordCount } = data as Body;
      // A count of the page is never larger than its records.
      if (Number(recordCount) > records.length) countsAll.add(path);
      const isTotal = () =>
        profile.recordCount ? profile.recordCount === "all" : countsAll.has(path);
      return {
        pageIndex,
        records: records.map((record) => ({ record, key: toKey(record) })),
        get announced() {
          return (
            parseCount(response.headers.get("Content-Range")?.split("/")[1]) ??
            // Some services write the number as text (D02).
            parseCount(isTotal() ? String(recordCount) : "")
          );
        },
        isCounted: Number(recordCount ?? Number.NaN) === records.length,
        response,
        isUnfiltered,
      };
    }

    async function request(pageIndex: number, isCounted: boolean) {
      const send = (words: string | undefined) => {
        const query = { pageIndex, ...range, endDate, words };
        // D10, D30. A service ignores unknown preferences (RFC 7240, 2).
        const preferred = [isCounted && "count=exact", words !== undefined && "words"];
        const header = { Prefer: preferred.filter(Boolean).join(", ") || undefined };
        const init = { ...toCallOptions(wanted), params: { query, header }, body: wanted.filter };
        return caller.call(operation, init, readJson);
      };
      const words = knowsWords === false ? undefined : wanted.words;
      try {
        const answer = await send(words);
        if (words !== undefined) knowsWords = true;
        return answer;
      } catch (error) {
        const mayBeUnknown = words !== undefined && knowsWords === undefined && wanted.filterWords;
        if (!mayBeUnknown || toRefusalStatus(error) !== 400 || isTooBroad(error)) throw error;
        const answer = await send(undefined).catch(() => {
          throw error;
        });
        knowsWords = false;
        return answer;
      }
    }

    /** Finds the number of the first page: if it is 1, page 0 is refused or empty. */
    async function findFirst(): Promise<RawPage> {
      let refusal: unknown;
      const readIfAny = (pageIndex: number) =>
        read(pageIndex).catch((error: unknown) => {
          if (!isRefusedPage(error)) throw error;
          refusal = error;
          return undefined;
        });
      let zero = await readIfAny(0);
      if (zero?.records[0] || zero?.announced === 0) return zero;
      const one = await readIfAny(1);
      // An accidental refusal would lose the records of page 0, so page 0 is tried three times.
      if (one && !zero) zero = (await readIfAny(0)) ?? (await readIfAny(0));
      // Records that were added to an empty range after page 0 was read would be lost, too.
      else if (one?.records[0]) zero = await readIfAny(0);
      const found = zero?.records[0] ? zero : (one ?? zero);
      if (!found) throw refusal;
      return found;
    }

    async function first(): Promise<RawPage> {
      if (firstPage !== undefined) return read(firstPage);
      const found = await findFirst();
      if (found.records[0]) firstPage = found.pageIndex;
      return found;
    }

    return {
      about,
      pageSize: profile.pageSize ?? 1,
      first,
      async past() {
        const past = await read(PAST_THE_END, true).catch((error: unknown) => {
          if (!isRefusedPage(error)) throw error;
          return undefined;
        });
        // Some services count the page itself there: 0. If 0 is the true total, the first page is empty too.
        const isTotal = /\/\d+$/.test(past?.response.headers.get("Content-Range") ?? "");
        return past && (isTotal || past.announced) ? past : first();
      },
      async at(index) {
        if (index === 0) return first();
        if (firstPage === undefined) await first();
        return read((firstPage ?? 0) + index, true);
      },
      behind: (last) =>
        read(last.pageIndex + 1).catch((error: unknown) => {
          if (!isRefusedPage(error)) throw error;
          return undefined;
        }),
      next: (last) =>
        read(last.pageIndex + 1).catch((error: unknown) => {
          if (!isPastTheEnd(error, last.records.length, profile)) throw error;
          return undefined;
        }),
    };
  };
}

/** True for a refusal that may concern the page: not the caller, the rate or the time. */
function isRefusedPage(error: unknown): boolean {
  const status = toRefusalStatus(error);
  return status < 500 && ![401, 403, 408, 429].includes(status);
}

/**
 * True if the service refused a page past the end. Without a profile, that is a 404, or another refusal after a page that was
 * not full.
 */
function isPastTheEnd(error: unknown, length: number, { pastTheEndStatus }: Profile): boolean {
  const status = toRefusalStatus(error);
  if (pastTheEndStatus) return status === pastTheEndStatus;
  return status === 404 || (length < PAGE_LENGTH && isRefusedPage(error));
}
