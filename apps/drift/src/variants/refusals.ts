// Variants that reject differently, apply other rights, send other headers, or respond slowly.
import { setTimeout as sleep } from "node:timers/promises";
import {
  body,
  ERRORS,
  header,
  refused,
  status,
  toErrorAnswer,
  when,
  withBody,
  withHeaders,
  withoutHeaders,
} from "../edits/answers.ts";
import { whenEmpty } from "../edits/json.ts";
import { seesAll } from "../edits/requests.ts";
import type { Answer, ProxyRequest, Upstream } from "../exchange.ts";
import { asProblems } from "../mutants/bodies.ts";
import { tellsHidden } from "../mutants/rights.ts";
import { METADATA, RECORDINGS } from "../mutants/mutant.ts";
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
const SEEN_BY_RIGHT = [...METADATA, ...RECORDINGS, "getChatByCallId"] as const;

export const refusals: readonly Variant[] = [
  ...toVariants("D13", {
    "problem-documents": ["every", asProblems],
    "errors-without-body": [
      "every",
      when(ERRORS, (answer) => withHeaders(withBody(answer, ""), { "content-type": undefined })),
    ],
    "errors-with-code": [
      "every",
      "errors have a code and no data",
      body(
        ERRORS,
        JSON.stringify({ isError: true, errorMessage: "refused", code: 17 }),
        "application/json; charset=utf-8",
      ),
    ],
    "no-headers-of-ours": [
      "every",
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
      header("content-type", (type) =>
        type.startsWith("application/json") ? "application/json" : type,
      ),
    ],
  }),
  ...toVariants("D15", {
    "unknown-ids-404": [IDENTIFIED, whenEmpty(refused(404, "unknown"))],
  }),
  ...toVariants("D21", {
    "hidden-403": [[...SEEN_BY_RIGHT, "getUserAddresses"], tellsHidden],
    "rights-not-enforced": [
      [
        ...SEEN_BY_RIGHT,
        "listUsers",
        "getUserAddresses",
        "getUserSecurityRights",
        "listPrivateFlags",
      ],
      seesAll,
    ],
    "forbidden-for-hidden": [
      "listUsers",
      "only administrators may list users, 403",
      async (answer, request, upstream) =>
        (await seesAll(answer, request, upstream)).body.equals(answer.body)
          ? answer
          : toErrorAnswer(answer, 403, "not permitted"),
    ],
  }),
  ...toVariants("D14", {
    "wrong-credentials-400": ["createToken", status(401, 400)],
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
