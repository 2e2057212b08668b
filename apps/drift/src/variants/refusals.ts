// Services that refuse otherwise, keep other rights, send other headers, or take their time.
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
import type { Variant } from "./variant.ts";

/** Long enough to be felt in every answer, short enough for hundreds of them. */
const SLOW_MS = 10;

/** Seldom enough that a check does not wait for long. */
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
  {
    id: "problem-documents",
    decision: "D13",
    operation: "every",
    says: "errors are problem documents",
    mutate: body(
      ERRORS,
      ({ status: code }) => JSON.stringify({ type: "about:blank", title: "Error", status: code }),
      "application/problem+json",
    ),
  },
  {
    id: "errors-without-body",
    decision: "D13",
    operation: "every",
    says: "errors have no body",
    mutate: when(ERRORS, (answer) =>
      withHeaders(withBody(answer, ""), { "content-type": undefined }),
    ),
  },
  {
    id: "errors-with-code",
    decision: "D13",
    operation: "every",
    says: "errors have a code and no data",
    mutate: when(ERRORS, (answer, { method }) =>
      method === "HEAD"
        ? answer
        : toJsonAnswer(answer, answer.status, { isError: true, errorMessage: "refused", code: 17 }),
    ),
  },
  {
    id: "refused-in-the-body",
    decision: "D12",
    operation: "every",
    says: "refusals are 200 with isError true, but for 401",
    mutate: status(
      ERRORS.filter((code) => code !== 401),
      200,
    ),
  },
  {
    id: "unknown-ids-404",
    decision: "D15",
    operation: IDENTIFIED,
    says: "unknown identifiers are 404",
    mutate: (answer) => (foundNothing(answer) ? toErrorAnswer(answer, 404, "unknown") : answer),
  },
  {
    id: "hidden-403",
    decision: "D21",
    operation: [...METADATA, ...BASE64, ...STREAMS, "getChatByCallId", "getUserAddresses"],
    says: "what the caller may not see is 403",
    mutate: tellsHidden,
  },
  {
    id: "rights-not-enforced",
    decision: "D21",
    operation: [
      ...METADATA,
      ...BASE64,
      ...STREAMS,
      "getChatByCallId",
      "listUsers",
      "getUserAddresses",
      "getUserSecurityRights",
      "listPrivateFlags",
    ],
    says: "everybody sees what the administrator sees",
    mutate: seesAll,
  },
  {
    id: "forbidden-for-hidden",
    decision: "D21",
    operation: "listUsers",
    says: "who is no administrator may not list users, 403",
    mutate: async (answer, request, upstream) =>
      (await seesAll(answer, request, upstream)).body.equals(answer.body)
        ? answer
        : toErrorAnswer(answer, 403, "not permitted"),
  },
  {
    id: "wrong-credentials-400",
    decision: "D14",
    operation: "createToken",
    says: "wrong credentials are 400",
    mutate: status(401, 400),
  },
  {
    id: "extra-headers",
    decision: "D12",
    operation: "every",
    says: "answers have more headers",
    mutate: (answer) =>
      withHeaders(answer, {
        server: "call-archive/7",
        "x-powered-by": "archive",
        vary: "accept-encoding",
        "strict-transport-security": "max-age=31536000",
        "set-cookie": "lb=7; Path=/",
      }),
  },
  {
    id: "no-headers-of-ours",
    decision: "D13",
    operation: "every",
    says: "answers have none of our own headers",
    mutate: withoutHeaders("x-request-id", "cache-control", "ratelimit", "ratelimit-policy"),
  },
  {
    id: "json-without-charset",
    decision: "D12",
    operation: "every",
    says: "the content type of JSON has no charset",
    mutate: header("content-type", (type) =>
      type.startsWith("application/json") ? "application/json" : type,
    ),
  },
  {
    id: "challenge-with-realm",
    decision: "D14",
    operation: "every",
    says: "WWW-Authenticate is Bearer with a realm alone",
    mutate: when(401, (answer) =>
      withHeaders(answer, { "www-authenticate": 'Bearer realm="archive"' }),
    ),
  },
  {
    id: "rate-limited",
    decision: "D23",
    operation: "every",
    says: "every 90th request is 429 with Retry-After",
    mutate: refuseNowAndThen,
  },
  {
    id: "slow-answers",
    decision: "D23",
    operation: "every",
    says: "every answer takes its time",
    mutate: async (answer) => {
      await sleep(SLOW_MS);
      return withHeaders(answer, { "server-timing": `wait;dur=${SLOW_MS}` });
    },
  },
];

// A limit counts for each service.
const requestsOf = new WeakMap<Upstream, number>();

function refuseNowAndThen(answer: Answer, _request: ProxyRequest, upstream: Upstream): Answer {
  const count = (requestsOf.get(upstream) ?? 0) + 1;
  requestsOf.set(upstream, count);
  return count % REQUESTS_BEFORE_A_REST === 0
    ? withHeaders(toErrorAnswer(answer, 429, "too many requests"), { "retry-after": "1" })
    : answer;
}
