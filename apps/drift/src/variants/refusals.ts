// Variants that reject differently, apply other rights, send other headers, or respond slowly.
import { setTimeout as sleep } from "node:timers/promises";
import {
  body,
  ERRORS,
  header,
  status,
  toErrorAnswer,
  toJsonAnswer,
  when,
  withBody,
  withHeaders,
  withoutHeaders,
} from "../edits/answers.ts";
import { foundNothing } from "../edits/json.ts";
import { seesAll } from "../edits/requests.ts";
import type { Answer, ProxyRequest, Upstream } from "../exchange.ts";
import { tellsHidden } from "../mutants/hidden.ts";
import { BASE64, METADATA, STREAMS } from "../mutants/mutant.ts";
import { type Variant, toVariants } from "./variant.ts";

/** Noticeable in every response, but short enough for hundreds of them. */
const SLOW_MS = 10;

/** Rare enough that a check does not wait for long. */
const REQUESTS_BEFORE_A_REST = 90;

const IDENTIFIED = [
  "getMetadataByCallId",
  "getMetadataByReference",
  "getChatByCallId",
  "getUserAddresses",
  "getUserSecurityRights",
  "listPrivateFlags",
] as const;
export const refusals: readonly Variant[] = [
  ...toVariants("D13", {
    "problem-documents": [
      "every",
      "errors are problem documents",
      body(
        ERRORS,
        ({ status: code }) => JSON.stringify({ type: "about:blank", title: "Error", status: code }),
        "application/problem+json",
      ),
    ],
    "errors-without-body": [
      "every",
      "errors have no body",
      when(ERRORS, (answer) => withHeaders(withBody(answer, ""), { "content-type": undefined })),
    ],
    "errors-with-code": [
      "every",
      "errors have a code and no data",
      when(ERRORS, (answer, { method }) =>
        method === "HEAD"
          ? answer
          : toJsonAnswer(answer, answer.status, {
              isError: true,
              errorMessage: "refused",
              code: 17,
            }),
      ),
    ],
    "no-headers-of-ours": [
      "every",
      "answers have none of our own headers",
      withoutHeaders("x-request-id", "cache-control", "ratelimit", "ratelimit-policy"),
    ],
  }),
  ...toVariants("D12", {
    "refused-in-the-body": [
      "every",
      "refusals are 200 with isError true, but for 401",
      status(
        ERRORS.filter((code) => code !== 401),
        200,
      ),
    ],
    "extra-headers": [
      "every",
      "answers have more headers",
      (answer) =>
        withHeaders(answer, {
          server: "call-archive/7",
          "x-powered-by": "archive",
          vary: "accept-encoding",
          "strict-transport-security": "max-age=31536000",
          "set-cookie": "lb=7; Path=/",
        }),
    ],
    "json-without-charset": [
      "every",
      "the content type of JSON has no charset",
      header("content-type", (type) =>
        type.startsWith("application/json") ? "application/json" : type,
      ),
    ],
  }),
  ...toVariants("D15", {
    "unknown-ids-404": [
      IDENTIFIED,
      "unknown identifiers are 404",
      (answer) => (foundNothing(answer) ? toErrorAnswer(answer, 404, "unknown") : answer),
    ],
  }),
  ...toVariants("D21", {
    "hidden-403": [
      [...METADATA, ...BASE64, ...STREAMS, "getChatByCallId", "getUserAddresses"],
      "what the caller may not see is 403",
      tellsHidden,
    ],
    "rights-not-enforced": [
      [
        ...METADATA,
        ...BASE64,
        ...STREAMS,
        "getChatByCallId",
        "listUsers",
        "getUserAddresses",
        "getUserSecurityRights",
        "listPrivateFlags",
      ],
      "everybody sees what the administrator sees",
      seesAll,
    ],
    "forbidden-for-hidden": [
      "listUsers",
      "who is no administrator may not list users, 403",
      async (answer, request, upstream) =>
        (await seesAll(answer, request, upstream)).body.equals(answer.body)
          ? answer
          : toErrorAnswer(answer, 403, "not permitted"),
    ],
  }),
  ...toVariants("D14", {
    "wrong-credentials-400": ["createToken", "wrong credentials are 400", status(401, 400)],
    "challenge-with-realm": [
      "every",
      "WWW-Authenticate is Bearer with a realm alone",
      when(401, (answer) => withHeaders(answer, { "www-authenticate": 'Bearer realm="archive"' })),
    ],
  }),
  ...toVariants("D23", {
    "rate-limited": ["every", "every 90th request is 429 with Retry-After", refuseNowAndThen],
    "slow-answers": [
      "every",
      "every answer takes its time",
      async (answer) => {
        await sleep(SLOW_MS);
        return withHeaders(answer, { "server-timing": `wait;dur=${SLOW_MS}` });
      },
    ],
  }),
];

// Each service has its own limit.
const requestsOf = new WeakMap<Upstream, number>();

function refuseNowAndThen(answer: Answer, _request: ProxyRequest, upstream: Upstream): Answer {
  const count = (requestsOf.get(upstream) ?? 0) + 1;
  requestsOf.set(upstream, count);
  return count % REQUESTS_BEFORE_A_REST === 0
    ? withHeaders(toErrorAnswer(answer, 429, "too many requests"), { "retry-after": "1" })
    : answer;
}
