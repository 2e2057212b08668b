// Mutants that reject valid requests, or fail on them.
import { status, toErrorAnswer, whenAsked } from "../edits/answers.ts";
import { filterOf, queryOf } from "../edits/requests.ts";
import type { Mutate, ProxyRequest, Upstream } from "../exchange.ts";
import { BASE64, METADATA, SEARCHES, STREAMS, type Mutant, toMutants } from "./mutant.ts";

const EVERY_SEVENTH = 7;
const LATER_PAGE = 2;

const answering =
  (code: number): Mutate =>
  (answer) =>
    toErrorAnswer(answer, code, "the request cannot be answered");

/** True for a filter of only this field. */
const isFilterOf = (field: string) => (request: ProxyRequest) =>
  Object.keys(filterOf(request) ?? {}).join() === field;

const isForeign = ({ pathname }: ProxyRequest) => /%[89A-F][\dA-F]/i.test(pathname);

const isBeyond = (pageIndex: number) => (request: ProxyRequest) =>
  /^\d+$/.test(queryOf(request, "pageIndex")) && Number(queryOf(request, "pageIndex")) > pageIndex;

// Only one check uses this service.
const listsOf = new WeakMap<Upstream, number>();

export const rightRequests: readonly Mutant[] = [
  ...toMutants("status", "interface", {
    "searches-400": [SEARCHES, "every search is answered 400", status(200, 400)],
    "right-filter-500": [
      "searchMetadata",
      "a search by disposition alone is answered 500",
      whenAsked(isFilterOf("disposition"), answering(500)),
    ],
    "right-filter-400": [
      "searchMetadata",
      "a search by lead_id alone is refused",
      whenAsked(isFilterOf("lead_id"), answering(400)),
    ],
    "right-custom-filter-400": [
      "searchMetadataByCustomFields",
      "a search by security_field_02 alone is refused",
      whenAsked(isFilterOf("security_field_02"), answering(400)),
    ],
    "seventh-list-500": [
      "listUsers",
      "every seventh list of users is answered 500",
      (answer, request, upstream) => {
        const count = (listsOf.get(upstream) ?? 0) + 1;
        listsOf.set(upstream, count);
        return count % EVERY_SEVENTH === 0 ? answering(500)(answer, request, upstream) : answer;
      },
    ],
    "foreign-identifier-500": [
      [...METADATA, "getChatByCallId"],
      "an identifier outside of ASCII is answered 500",
      whenAsked(isForeign, answering(500)),
    ],
    "foreign-recording-500": [
      [...BASE64, ...STREAMS],
      "the recording of an identifier outside of ASCII is answered 500",
      whenAsked(isForeign, answering(500)),
    ],
  }),
  ...toMutants("paging", "interface", {
    "later-page-400": [
      SEARCHES,
      "a pageIndex of more than two is refused",
      whenAsked(isBeyond(LATER_PAGE), answering(400)),
    ],
    "greatest-page-500": [
      SEARCHES,
      "a pageIndex of more than a million is answered 500",
      whenAsked(isBeyond(1_000_000), answering(500)),
    ],
  }),
];
