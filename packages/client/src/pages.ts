// Pages of a search, from a service that counts them from 0 or from 1 and ends them in its own way.
import type { Schema } from "@call-media/api";

import { type Caller, readJson } from "./caller.ts";
import { type DayRange, toDayAfter } from "./days.ts";
import { CallMediaError, InvalidRequestError, NotFoundError, type Operation } from "./errors.ts";
import type { Profile } from "./profile.ts";

/** What is asked for, whatever the page. */
export interface PageRequest {
  readonly operation: Operation;
  readonly range: DayRange;
  readonly filter: object;
  readonly signal: AbortSignal | undefined;
}

/** A page as it came. */
export interface RawPage {
  readonly pageIndex: number;
  readonly records: readonly Schema<"MetadataRecord">[];
  /** How many records the whole range has; undefined where the service does not say. */
  readonly announced: number | undefined;
  readonly response: Response;
}

/** What the page after it is asked for by. */
export type LastPage = Pick<RawPage, "pageIndex" | "records">;

/** What is undefined is past the end. */
export interface PageReader {
  first(request: PageRequest): Promise<RawPage>;
  next(request: PageRequest, last: LastPage): Promise<RawPage | undefined>;
}

interface Body {
  readonly data: RawPage["records"];
  readonly recordCount?: number;
}

/** Interface, Limits: the records on a page by default. */
const PAGE_LENGTH = 50;

export function createPageReader({ call }: Caller, profile: Profile): PageReader {
  let firstPage = profile.firstPage ?? undefined;

  async function read(request: PageRequest, pageIndex: number): Promise<RawPage> {
    const { operation, filter, signal, range } = request;
    const endDate = profile.endDate === "excluded" ? toDayAfter(range.endDate) : range.endDate;
    const query = { pageIndex, startDate: range.startDate, endDate };
    // D10. A service that does not know the preference passes it over (RFC 7240, 2).
    const header = { Prefer: pageIndex === (firstPage ?? 0) ? "count=exact" : undefined };
    const init = { params: { query, header }, body: filter, signal };
    const { data, response } = await call(operation, init, readJson);
    // That data is an array has been checked; records are taken as they come.
    const { data: records, recordCount } = data as Body;
    const announced = toAnnounced(response, recordCount, records.length);
    return { pageIndex, records, announced, response };
  }

  function toAnnounced({ headers }: Response, count: number | undefined, length: number) {
    const total = /\/(\d+)$/.exec(headers.get("Content-Range") ?? "")?.[1];
    if (total !== undefined) return Number(total);
    // A count of the page alone is never more than its records.
    const isOfAll = (profile.recordCount ?? (Number(count) > length && "all")) === "all";
    return isOfAll ? count : undefined;
  }

  /** Finds out where pages begin: page 0 is refused or empty where they begin with 1. */
  async function findFirst(request: PageRequest): Promise<RawPage> {
    const ask = (pageIndex: number) => read(request, pageIndex).catch(toRefusal(request));
    let zero = await ask(0);
    const one = isFilled(zero) || isKnownEmpty(zero) ? undefined : await ask(1);
    // Were the refusal an accident, the records of page 0 would be lost.
    if (isPage(one) && !isPage(zero)) zero = await ask(0);
    firstPage = isFilled(zero) ? 0 : isFilled(one) ? 1 : undefined;
    const first = firstPage === 1 || !isPage(zero) ? one : zero;
    if (isPage(first)) return first;
    throw zero;
  }

  return {
    first: (request) => (firstPage === undefined ? findFirst(request) : read(request, firstPage)),
    next: (request, last) =>
      read(request, last.pageIndex + 1).catch((error: unknown) => {
        if (isPastTheEnd(error, last, profile)) return undefined;
        throw error;
      }),
  };
}

type Asked = RawPage | CallMediaError | undefined;

const isPage = (asked: Asked): asked is RawPage => asked !== undefined && "records" in asked;
const isFilled = (asked: Asked): boolean => isPage(asked) && asked.records.length > 0;
const isKnownEmpty = (asked: Asked): boolean => isPage(asked) && asked.announced === 0;

/** Throws what is no refusal of the page; that of a sign-in is none. */
const toRefusal =
  ({ operation }: PageRequest) =>
  (error: unknown): CallMediaError => {
    const isRefusal = error instanceof InvalidRequestError || error instanceof NotFoundError;
    if (isRefusal && error.operationId === operation.operationId) return error;
    throw error;
  };

/**
 * Some services refuse a page past the end. Where the profile does not say how, 404 is taken for the
 * end, and 400 and the like where the page before was not full.
 */
function isPastTheEnd(
  error: unknown,
  { records }: LastPage,
  { pastTheEndStatus }: Profile,
): boolean {
  // A 200 that makes no sense is no end, nor is a sign-in that is refused.
  if (!(error instanceof CallMediaError) || !(Number(error.status) >= 400)) return false;
  if (error.operationId === "createToken") return false;
  if (pastTheEndStatus) return error.status === pastTheEndStatus;
  if (error instanceof NotFoundError) return true;
  return error instanceof InvalidRequestError && records.length < PAGE_LENGTH;
}
