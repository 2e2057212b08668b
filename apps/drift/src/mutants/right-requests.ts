// Right requests that are refused, or at which the service fails.
import { status, toErrorAnswer, whenAsked } from "../edits/answers.ts";
import { filterOf, queryOf } from "../edits/requests.ts";
import type { Mutate, ProxyRequest, Upstream } from "../exchange.ts";
import { BASE64, METADATA, type Mutant, SEARCHES, STREAMS } from "./mutant.ts";

const EVERY_SEVENTH = 7;
const LATER_PAGE = 2;

const answering =
  (code: number): Mutate =>
  (answer) =>
    toErrorAnswer(answer, code, "the request cannot be answered");

/** A filter of only this field. */
const isFilterOf = (field: string) => (request: ProxyRequest) =>
  Object.keys(filterOf(request) ?? {}).join() === field;

const isForeign = ({ pathname }: ProxyRequest) => /%[89A-F][\dA-F]/i.test(pathname);

const isBeyond = (pageIndex: number) => (request: ProxyRequest) =>
  /^\d+$/.test(queryOf(request, "pageIndex")) && Number(queryOf(request, "pageIndex")) > pageIndex;

// Only one check asks this service.
const listsOf = new WeakMap<Upstream, number>();

export const rightRequests: readonly Mutant[] = [
  {
    id: "searches-400",
    class: "status",
    operation: SEARCHES,
    contract: "interface",
    says: "every search is answered 400",
    mutate: status(200, 400),
  },
  {
    id: "right-filter-500",
    class: "status",
    operation: "searchMetadata",
    contract: "interface",
    says: "a search by disposition alone is answered 500",
    mutate: whenAsked(isFilterOf("disposition"), answering(500)),
  },
  {
    id: "right-filter-400",
    class: "status",
    operation: "searchMetadata",
    contract: "interface",
    says: "a search by lead_id alone is refused",
    mutate: whenAsked(isFilterOf("lead_id"), answering(400)),
  },
  {
    id: "right-custom-filter-400",
    class: "status",
    operation: "searchMetadataByCustomFields",
    contract: "interface",
    says: "a search by security_field_02 alone is refused",
    mutate: whenAsked(isFilterOf("security_field_02"), answering(400)),
  },
  {
    id: "seventh-list-500",
    class: "status",
    operation: "listUsers",
    contract: "interface",
    says: "every seventh list of users is answered 500",
    mutate: (answer, request, upstream) => {
      const count = (listsOf.get(upstream) ?? 0) + 1;
      listsOf.set(upstream, count);
      return count % EVERY_SEVENTH === 0 ? answering(500)(answer, request, upstream) : answer;
    },
  },
  {
    id: "foreign-identifier-500",
    class: "status",
    operation: [...METADATA, "getChatByCallId"],
    contract: "interface",
    says: "an identifier outside of ASCII is answered 500",
    mutate: whenAsked(isForeign, answering(500)),
  },
  {
    id: "foreign-recording-500",
    class: "status",
    operation: [...BASE64, ...STREAMS],
    contract: "interface",
    says: "the recording of an identifier outside of ASCII is answered 500",
    mutate: whenAsked(isForeign, answering(500)),
  },
  {
    id: "later-page-400",
    class: "paging",
    operation: SEARCHES,
    contract: "interface",
    says: "a pageIndex of more than two is refused",
    mutate: whenAsked(isBeyond(LATER_PAGE), answering(400)),
  },
  {
    id: "greatest-page-500",
    class: "paging",
    operation: SEARCHES,
    contract: "interface",
    says: "a pageIndex of more than a million is answered 500",
    mutate: whenAsked(isBeyond(1_000_000), answering(500)),
  },
];
