// Mutants that fail only for unusual values: non-ASCII text, apostrophes, leap days, long values.
import { toErrorAnswer, whenAsked, withBody } from "../edits/answers.ts";
import { foundNothing, json, list, records, toText } from "../edits/json.ts";
import { asIf, filterOf, queryOf, withQuery } from "../edits/requests.ts";
import type { Mutate, ProxyRequest } from "../exchange.ts";
import { METADATA, SEARCHES, type Mutant, toMutants } from "./mutant.ts";

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
  ...toMutants("encoding", "interface", {
    "text-decomposed": [
      "getMetadataByReference",
      "letters with marks are taken apart (NFD) when asked by reference",
      rewritten((text) => text.normalize("NFD")),
    ],
    "text-escaped-for-html": [
      "getMetadataByCallId",
      "apostrophes and ampersands are written for HTML",
      rewritten((text) => text.replaceAll("&", "&amp;").replaceAll("'", "&#39;")),
    ],
    "field-twice": [
      "listPublicFlags",
      "errorMessage stands in the envelope twice",
      (answer) =>
        answer.status === 200 && answer.body.length > 0
          ? withBody(answer, answer.body.toString().replace(/^\{/, '{"errorMessage":null,'))
          : answer,
    ],
  }),
  ...toMutants("status", "interface", {
    "apostrophe-500": [
      METADATA,
      "an apostrophe in an identifier or a filter is answered 500",
      whenAsked(hasApostrophe, crashes),
    ],
    "long-identifier-500": [
      "getChatByCallId",
      "an identifier of more than 255 characters is answered 500",
      whenAsked(({ pathname }) => pathname.length > 300, crashes),
    ],
  }),
  ...toMutants("filter", "interface", {
    "filter-beyond-ascii-finds-nothing": [
      SEARCHES,
      "a filter with letters beyond ASCII finds nothing",
      whenAsked(
        (request) => /[^\0-\u007f]/.test(toText(Object.values(filterOf(request) ?? {}))),
        json((page) => ({ ...page, data: [], ...("recordCount" in page && { recordCount: 0 }) })),
      ),
    ],
  }),
  ...toMutants("dates", "decision", {
    "leap-day-refused": [
      SEARCHES,
      "the 29th of February is refused",
      whenAsked(
        (request) => /-02-29/.test(request.query),
        (answer) =>
          answer.status === 200 ? toErrorAnswer(answer, 400, "startDate is no day.") : answer,
      ),
    ],
    "long-range-refused": [
      SEARCHES,
      "more than ten years of days are refused",
      whenAsked(
        (request) => daysOf(request) > 3653,
        (answer) =>
          answer.status === 200 ? toErrorAnswer(answer, 400, "endDate lies too far.") : answer,
      ),
    ],
  }),
  ...toMutants("input", "decision", {
    "status-in-any-case-taken": [
      "listUsers",
      "status is taken in any letter case",
      asIf((request) => {
        const asked = queryOf(request, "status");
        return asked === asked.toLowerCase()
          ? request
          : withQuery(request, { status: asked.toLowerCase() });
      }),
    ],
  }),
  ...toMutants("identity", "decision", {
    "unknown-user-has-own-flags": [
      "listPrivateFlags",
      "for an unknown user_id the flags of user 1 come",
      async (answer, request, upstream) => {
        if (!foundNothing(answer)) return answer;
        const own = await upstream.ask(withQuery(request, { user_id: "1" }));
        return list((flags) => flags)(own, request, upstream);
      },
    ],
  }),
];
