// Values that are right until they hold what is not plain ASCII, an apostrophe, a leap day or a great length.
import { toErrorAnswer, whenAsked, withBody } from "../edits/answers.ts";
import { foundNothing, json, list, records, toText } from "../edits/json.ts";
import { asIf, filterOf, queryOf, withQuery } from "../edits/requests.ts";
import type { Mutate, ProxyRequest } from "../exchange.ts";
import { METADATA, type Mutant, SEARCHES } from "./mutant.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

const rewritten = (edit: (text: string) => string): Mutate =>
  records((record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [
        name,
        typeof value === "string" ? edit(value) : value,
      ]),
    ),
  );

function daysOf(request: ProxyRequest): number {
  const [start, end] = ["startDate", "endDate"].map((name) => Date.parse(queryOf(request, name)));
  return (Number(end) - Number(start)) / DAY_MS;
}

const hasApostrophe = ({ pathname, body }: ProxyRequest) =>
  /'|%27/.test(pathname) || body.includes("'");

const crashes: Mutate = (answer) =>
  answer.status === 401 ? answer : toErrorAnswer(answer, 500, "The service failed.");

export const awkwardValues: readonly Mutant[] = [
  {
    id: "text-decomposed",
    class: "encoding",
    operation: "getMetadataByReference",
    contract: "interface",
    says: "letters with marks are taken apart (NFD) when asked by reference",
    mutate: rewritten((text) => text.normalize("NFD")),
  },
  {
    id: "text-escaped-for-html",
    class: "encoding",
    operation: "getMetadataByCallId",
    contract: "interface",
    says: "apostrophes and ampersands are written for HTML",
    mutate: rewritten((text) => text.replaceAll("&", "&amp;").replaceAll("'", "&#39;")),
  },
  {
    id: "field-twice",
    class: "encoding",
    operation: "listPublicFlags",
    contract: "interface",
    says: "errorMessage stands in the envelope twice",
    mutate: (answer) =>
      answer.status === 200 && answer.body.length > 0
        ? withBody(answer, answer.body.toString().replace(/^\{/, '{"errorMessage":null,'))
        : answer,
  },
  {
    id: "apostrophe-500",
    class: "status",
    operation: METADATA,
    contract: "interface",
    says: "an apostrophe in an identifier or a filter is answered 500",
    mutate: whenAsked(hasApostrophe, crashes),
  },
  {
    id: "long-identifier-500",
    class: "status",
    operation: "getChatByCallId",
    contract: "interface",
    says: "an identifier of more than 255 characters is answered 500",
    mutate: whenAsked(({ pathname }) => pathname.length > 300, crashes),
  },
  {
    id: "filter-beyond-ascii-finds-nothing",
    class: "filter",
    operation: SEARCHES,
    contract: "interface",
    says: "a filter with letters beyond ASCII finds nothing",
    mutate: whenAsked(
      (request) => /[^\0-\u007f]/.test(toText(Object.values(filterOf(request) ?? {}))),
      json((page) => ({ ...page, data: [], ...("recordCount" in page && { recordCount: 0 }) })),
    ),
  },
  {
    id: "leap-day-refused",
    class: "dates",
    operation: SEARCHES,
    contract: "decision",
    says: "the 29th of February is refused",
    mutate: whenAsked(
      (request) => /-02-29/.test(request.query),
      (answer) =>
        answer.status === 200 ? toErrorAnswer(answer, 400, "startDate is no day.") : answer,
    ),
  },
  {
    id: "long-range-refused",
    class: "dates",
    operation: SEARCHES,
    contract: "decision",
    says: "more than ten years of days are refused",
    mutate: whenAsked(
      (request) => daysOf(request) > 3653,
      (answer) =>
        answer.status === 200 ? toErrorAnswer(answer, 400, "endDate lies too far.") : answer,
    ),
  },
  {
    id: "status-in-any-case-taken",
    class: "input",
    operation: "listUsers",
    contract: "decision",
    says: "status is taken in any letter case",
    mutate: asIf((request) => {
      const asked = queryOf(request, "status");
      return asked === asked.toLowerCase()
        ? request
        : withQuery(request, { status: asked.toLowerCase() });
    }),
  },
  {
    id: "unknown-user-has-own-flags",
    class: "identity",
    operation: "listPrivateFlags",
    contract: "decision",
    says: "for an unknown user_id the flags of user 1 come",
    mutate: async (answer, request, upstream) => {
      if (!foundNothing(answer)) return answer;
      const own = await upstream.ask(withQuery(request, { user_id: "1" }));
      return list((flags) => flags)(own, request, upstream);
    },
  },
];
