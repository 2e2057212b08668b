// Services without a search by words, or with one that does not say so: D30 is an extension.
import { toErrorAnswer, whenAsked, withHeaders } from "../edits/answers.ts";
import { asIf, queryOf, withQuery } from "../edits/requests.ts";
import type { ProxyRequest } from "../exchange.ts";
import { SEARCHES } from "../mutants/mutant.ts";
import type { Variant } from "./variant.ts";

const hasWords = (request: ProxyRequest): boolean => queryOf(request, "words") !== "";

export const words: readonly Variant[] = [
  {
    id: "words-unknown",
    decision: "D30",
    operation: SEARCHES,
    says: "words are ignored, as any unknown parameter is",
    mutate: whenAsked(
      hasWords,
      asIf(({ headers: { prefer: _prefer, ...headers }, ...request }) =>
        withQuery({ ...request, headers }, { words: undefined }),
      ),
    ),
  },
  {
    id: "words-unknown-and-refused",
    decision: "D30",
    operation: SEARCHES,
    says: "words are refused, as any unknown parameter is",
    mutate: whenAsked(hasWords, (answer) =>
      answer.status === 200
        ? withHeaders(toErrorAnswer(answer, 400, "words is not a parameter"), {
            "x-error-code": "CM_PARAMETER_INVALID",
            "preference-applied": undefined,
          })
        : answer,
    ),
  },
  {
    id: "words-without-a-word",
    decision: "D30",
    operation: SEARCHES,
    says: "words are applied, and no answer says so",
    mutate: whenAsked(hasWords, (answer) =>
      withHeaders(answer, { "preference-applied": undefined }),
    ),
  },
];
