// Call records: by identifier, and searched by page.
import type { CallPage, CallStore } from "@call-media/store";
import { parseQuery, type Query, QueryFault } from "@call-media/words";
import { type ResponseHeaders, parameterInvalid } from "../errors.ts";
import { isPreferred } from "../preferences.ts";
import { toEnvelope } from "./envelope.ts";
import type { Operations, Request } from "./handler.ts";
import { chooseReader, type Reader } from "./reader.ts";

type SearchRequest = Request<"searchMetadata"> | Request<"searchMetadataByCustomFields">;

export const metadata = {
  getMetadataByCallId: async (request) => {
    const { input, caller, store } = request;
    const { calls, age } = chooseReader(request);
    return {
      body: toEnvelope(await calls.byCallId(input.path.call_id, caller.visibility)),
      headers: { ...toZoneHeader(store), ...age },
    };
  },

  getMetadataByReference: async (request) => {
    const { input, caller, store } = request;
    const { calls, age } = chooseReader(request);
    const records = await calls.byReference(input.path.ref_id, caller.visibility);
    return {
      body: toEnvelope(records),
      headers: { ...toZoneHeader(store), ...age },
      callIds: toCallIds(records),
    };
  },

  searchMetadata: async (request) => {
    const isCounted = isPreferred("count=exact", request.input.header.Prefer);
    const { calls, age } = chooseReader(request);
    const page = await search(calls, request, isCounted);
    const count = isCounted ? toCountHeaders(request.input.query.pageIndex, page) : {};
    const headers = { ...toSearchHeaders(request, page, isCounted), ...count, ...age };
    return { body: toEnvelope(page.records), headers, callIds: toCallIds(page.records) };
  },

  searchMetadataByCustomFields: async (request) => {
    const { calls, age } = chooseReader(request);
    const page = await search(calls, request, true);
    const body = {
      ...toEnvelope(page.records),
      pageID: request.input.query.pageIndex,
      recordCount: page.recordCount ?? 0,
    };
    const headers = { ...toSearchHeaders(request, page, false), ...age };
    return { body, headers, callIds: toCallIds(page.records) };
  },
} satisfies Pick<
  Operations,
  | "getMetadataByCallId"
  | "getMetadataByReference"
  | "searchMetadata"
  | "searchMetadataByCustomFields"
>;

async function search(
  calls: Reader["calls"],
  { input, caller, store }: SearchRequest,
  isCounted: boolean,
): Promise<CallPage> {
  const { pageIndex, startDate, endDate } = input.query;
  if (startDate > endDate) throw parameterInvalid("startDate must not be after endDate");
  return calls.search({
    filter: input.body,
    words: toWords(input.query.words, store),
    startDate,
    endDate,
    pageIndex,
    visibility: caller.visibility,
    isCounted,
    by: caller.credential,
  });
}

/** D30. An archive without word search must not look like one without matches. */
function toWords(words: string | undefined, { hasWordSearch }: CallStore): Query | undefined {
  if (words === undefined) return undefined;
  if (hasWordSearch !== true) throw parameterInvalid("words cannot be searched in this archive");
  try {
    return parseQuery(words);
  } catch (error) {
    throw error instanceof QueryFault ? parameterInvalid(`words ${error.message}`) : error;
  }
}

/** D34: the zone that datetimes without an offset (D03) and days (D06) are read in. */
function toZoneHeader({ timeZone }: Request<"searchMetadata">["store"]): ResponseHeaders {
  return { "Archive-Time-Zone": timeZone };
}

function toCallIds(records: CallPage["records"]): readonly (string | null)[] {
  return records.map(({ call_id }) => call_id);
}

function toSearchHeaders(
  request: SearchRequest,
  page: CallPage,
  isCounted: boolean,
): ResponseHeaders {
  const { query, header } = request.input;
  const applied = [
    ...(isCounted ? ["count=exact"] : []),
    ...(query.words !== undefined && isPreferred("words", header.Prefer) ? ["words"] : []),
  ];
  return {
    ...toZoneHeader(request.store),
    ...toLink(request, page),
    ...(applied.length > 0 && { "Preference-Applied": applied.join(", ") }),
    // A shared cache must not give a caller who prefers `words` the response for one who does not.
    Vary: "Prefer",
  };
}

function toLink(
  { input, request: { path } }: SearchRequest,
  { hasNext }: CallPage,
): ResponseHeaders {
  if (!hasNext) return {};
  const { pageIndex, startDate, endDate, words } = input.query;
  const query = new URLSearchParams({ pageIndex: String(pageIndex + 1), startDate, endDate });
  if (words !== undefined) query.set("words", words);
  return { Link: `<${path}?${query.toString()}>; rel="next"` };
}

// RFC 9110, section 14.4, with the unit `records` (D10).
function toCountHeaders(
  pageIndex: number,
  { records, recordCount, pageSize }: CallPage,
): ResponseHeaders {
  const first = pageIndex * pageSize;
  const range = records.length === 0 ? "*" : `${first}-${first + records.length - 1}`;
  return { "Content-Range": `records ${range}/${recordCount}` };
}
