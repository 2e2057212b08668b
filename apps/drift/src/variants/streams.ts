// Recordings of services that serve them plainly.
import { toJsonAnswer, when, whenAsked, withHeaders, withoutHeaders } from "../edits/answers.ts";
import { asIf } from "../edits/requests.ts";
import type { Mutate, ProxyRequest } from "../exchange.ts";
import { BASE64, STREAMS } from "../mutants/mutant.ts";
import type { Variant } from "./variant.ts";

const RANGE_REQUEST = new Set(["range", "if-range", "if-none-match"]);

/** No ranges, no conditions, no validators: the whole, always. */
const wholeAlways: Mutate = async (answer, request, upstream) => {
  const plain = (asked: ProxyRequest) => ({
    ...asked,
    headers: Object.fromEntries(
      Object.entries(asked.headers).filter(([name]) => !RANGE_REQUEST.has(name)),
    ),
  });
  const whole = await asIf(plain)(answer, request, upstream);
  return withoutHeaders(
    "accept-ranges",
    "etag",
    "last-modified",
    "repr-digest",
  )(whole, request, upstream);
};

export const streams: readonly Variant[] = [
  {
    id: "octet-streams",
    decision: "D16",
    operation: STREAMS,
    says: "streams are application/octet-stream",
    mutate: when([200, 206], (answer) =>
      withHeaders(answer, { "content-type": "application/octet-stream" }),
    ),
  },
  {
    id: "streams-without-type",
    decision: "D16",
    operation: STREAMS,
    says: "streams have no content type and no file name",
    mutate: when(
      [200, 206],
      withoutHeaders("content-type", "content-disposition", "x-content-type-options"),
    ),
  },
  {
    id: "no-ranges",
    decision: "D16",
    operation: STREAMS,
    says: "a stream always comes whole, without validators",
    mutate: wholeAlways,
  },
  {
    id: "streams-without-length",
    decision: "D16",
    operation: STREAMS,
    says: "streams come in chunks, without Content-Length",
    mutate: when(200, (answer, { method }) =>
      method === "HEAD"
        ? answer
        : withHeaders(answer, { "content-length": undefined, "transfer-encoding": "chunked" }),
    ),
  },
  {
    id: "no-head",
    decision: "D16",
    operation: "every",
    says: "HEAD is 405",
    mutate: whenAsked(
      ({ method }) => method === "HEAD",
      (answer) => withHeaders({ ...answer, status: 405 }, { allow: "GET", "content-length": "0" }),
    ),
  },
  {
    id: "no-recording-success-false",
    decision: "D15",
    operation: BASE64,
    says: "no recording is 200 with success false",
    mutate: when(404, (answer, { method }) =>
      method === "HEAD"
        ? answer
        : toJsonAnswer(answer, 200, {
            isError: false,
            errorMessage: null,
            data: { success: false, filename: "", base64: "" },
          }),
    ),
  },
];
