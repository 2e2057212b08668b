// Pages of a search, from a service that counts them from 0 or from 1 and ends them in its own way.
import { readJson } from "../call/answer.ts";
import type { Caller } from "../call/caller.ts";
import { toOperation } from "../call/request.ts";
import { type ErrorSubject, InvalidRequestError, toRefusalStatus } from "../errors.ts";
import { PAGE_LENGTH } from "../limits.ts";
import type { Profile } from "../profile.ts";
import { parseCount } from "../values.ts";
import { toNextDay, type DayRange } from "./days.ts";
import { type CallRecord, type Keyed, toKey } from "./keys.ts";

/** A page as it came. */
export interface RawPage {
  readonly pageIndex: number;
  readonly records: readonly Keyed[];
  /** How many records the whole range has; undefined where the service does not say. */
  readonly announced: number | undefined;
  readonly response: Response;
}

/** What the page after it is asked for by. */
export type LastPage = Pick<RawPage, "pageIndex" | "records">;

/** The pages of one request. */
export interface Pages {
  /** For errors about all of them. */
  readonly about: ErrorSubject;
  /** Records on a page that is not the last: 1 where that is not known. */
  readonly pageSize: number;
  readonly first: () => Promise<RawPage>;
  /** The page with this number, the first being 0 however the service counts, with the count of the whole range. */
  readonly at: (index: number) => Promise<RawPage>;
  /** Undefined is past the end. */
  readonly next: (last: LastPage) => Promise<RawPage | undefined>;
}

/** What is looked for, and who may stop it. */
interface Wanted {
  readonly filter: object;
  readonly signal?: AbortSignal | undefined;
}

interface Body {
  readonly data: readonly CallRecord[];
  readonly recordCount?: unknown;
}

export function createPages(caller: Caller, profile: Profile) {
  let firstPage: number | undefined = profile.firstPage ?? undefined;
  // Operations whose recordCount has counted more than its page: it does so where that is not to be seen, too.
  const countsAll = new Set<string>();

  return (path: string, wanted: Wanted, range: DayRange): Pages => {
    const operation = toOperation("POST", path);
    const about = { ...operation, url: caller.options.baseUrl + path, attempts: 0 };
    const endDate = profile.endDate === "excluded" ? toNextDay(range.endDate) : range.endDate;
    // The day after 9999-12-31 has no such form (D06).
    if (endDate.includes("+"))
      throw new InvalidRequestError(`endDate must be before ${range.endDate}`, about);

    async function read(
      pageIndex: number,
      isCounted = pageIndex === (firstPage ?? 0),
    ): Promise<RawPage> {
      const query = { pageIndex, ...range, endDate };
      // D10. A service that does not know the preference passes it over (RFC 7240, 2).
      const header = { Prefer: isCounted ? "count=exact" : undefined };
      const init = { params: { query, header }, body: wanted.filter, signal: wanted.signal };
      const { data, response } = await caller.call(operation, init, readJson);
      // That data is an array has been checked; records are taken as they come.
      const { data: records, recordCount } = data as Body;
      // A count of the page alone is never more than its records.
      if (Number(recordCount) > records.length) countsAll.add(path);
      const isTotal = profile.recordCount ? profile.recordCount === "all" : countsAll.has(path);
      const announced =
        parseCount(response.headers.get("Content-Range")?.split("/")[1]) ??
        // Some services write the number as text (D02).
        parseCount(isTotal ? String(recordCount) : "");
      return {
        pageIndex,
        records: records.map((record) => ({ record, key: toKey(record) })),
        announced,
        response,
      };
    }

    /** Finds out where pages begin: page 0 is refused or empty where they begin with 1. */
    async function findFirst(): Promise<RawPage> {
      let refusal: unknown;
      const ask = (pageIndex: number) =>
        read(pageIndex).catch((error: unknown) => {
          if (!isRefusedPage(error)) throw error;
          refusal = error;
          return undefined;
        });
      let first = await ask(0);
      if (first?.announced !== 0 && !first?.records[0]) {
        const one = await ask(1);
        // Were the refusal an accident, the records of page 0 would be lost: it has to come three times.
        if (one) first ??= (await ask(0)) ?? (await ask(0));
        if (one && !first?.records[0]) first = one;
      }
      if (!first) throw refusal;
      if (first.records[0]) firstPage = first.pageIndex;
      return first;
    }

    const first = () => (firstPage === undefined ? findFirst() : read(firstPage));
    return {
      about,
      pageSize: profile.pageSize ?? 1,
      first,
      async at(index) {
        if (index === 0) return first();
        if (firstPage === undefined) await first();
        return read((firstPage ?? 0) + index, true);
      },
      next: (last) =>
        read(last.pageIndex + 1).catch((error: unknown) => {
          if (!isPastTheEnd(error, last.records.length, profile)) throw error;
          return undefined;
        }),
    };
  };
}

/** Any 4xx but those that are about who asks, how often, or how slowly; and what refuses in the body alone. */
function isRefusedPage(error: unknown): boolean {
  const status = toRefusalStatus(error);
  return status < 500 && ![401, 403, 408, 429].includes(status);
}

/**
 * Some services refuse a page past the end. Where the profile does not say how, 404 is taken for the
 * end, and 400 and the like where the page before was not full.
 */
function isPastTheEnd(error: unknown, length: number, { pastTheEndStatus }: Profile): boolean {
  const status = toRefusalStatus(error);
  if (pastTheEndStatus) return status === pastTheEndStatus;
  return status === 404 || (length < PAGE_LENGTH && isRefusedPage(error));
}
