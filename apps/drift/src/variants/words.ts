// Variants without a search by words, or with one that they do not announce: D30 is an extension.
import { toErrorAnswer, whenAsked, withHeaders } from "../edits/answers.ts";
import { asIf, queryOf, withQuery } from "../edits/requests.ts";
import type { ProxyRequest } from "../exchange.ts";
import { SEARCHES } from "../mutants/mutant.ts";
import { toVariants } from "./variant.ts";

const hasWords = (request: ProxyRequest): boolean => queryOf(request, "words") !== "";

export const words = toVariants("D30", {
  "words-unknown": [
    SEARCHES,
    "words are ignored, as any unknown parameter is",
    whenAsked(
      hasWords,
      asIf(({ headers: { prefer: _prefer, ...headers }, ...request }) =>
        withQuery({ ...request, headers }, { words: undefined }),
      ),
    ),
  ],
  "words-unknown-and-refused": [
    SEARCHES,
    "words are refused, as any unknown parameter is",
    whenAsked(hasWords, (answer) =>
      answer.status === 200
        ? withHeaders(toErrorAnswer(answer, 400, "words is not a parameter"), {
            "x-error-code": "CM_PARAMETER_INVALID",
            "preference-applied": undefined,
          })
        : answer,
    ),
  ],
  "words-without-a-word": [
    SEARCHES,
    "words are applied, and no answer says so",
    whenAsked(hasWords, (answer) => withHeaders(answer, { "preference-applied": undefined })),
  ],
});
