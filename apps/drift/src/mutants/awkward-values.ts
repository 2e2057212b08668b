// Values that are right until they hold what is not plain ASCII, an apostrophe, a leap day or a great length.
import { toErrorAnswer, whenAsked } from "../edits/answers.ts";
import { foundNothing, json, list, records, toText } from "../edits/json.ts";
import { asIf, filterOf, queryOf, withQuery } from "../edits/requests.ts";
import type { Mutate } from "../exchange.ts";
import { type Mutant, SEARCHES } from "./mutant.ts";

const rewritten = (edit: (text: string) => string): Mutate =>
  records((record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [
        name,
        typeof value === "string" ? edit(value) : value,
      ]),
    ),
  );

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
    id: "long-identifier-500",
    class: "status",
    operation: "getChatByCallId",
    contract: "decision",
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
