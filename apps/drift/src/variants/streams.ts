// Variants that serve recordings plainly.
import { toJsonAnswer, when, whenAsked, withHeaders, withoutHeaders } from "../edits/answers.ts";
import { asIf } from "../edits/requests.ts";
import type { Mutate, ProxyRequest } from "../exchange.ts";
import { BASE64, STREAMS } from "../mutants/mutant.ts";
import { type Variant, toVariants } from "./variant.ts";

const RANGE_REQUEST = new Set(["range", "if-range", "if-none-match"]);

/** Always returns the complete recording: no ranges, conditions or validators. */
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
  ...toVariants("D16", {
    "octet-streams": [
      STREAMS,
      "streams are application/octet-stream",
      when([200, 206], (answer) =>
        withHeaders(answer, { "content-type": "application/octet-stream" }),
      ),
    ],
    "streams-without-type": [
      STREAMS,
      "streams have no content type and no file name",
      when(
        [200, 206],
        withoutHeaders("content-type", "content-disposition", "x-content-type-options"),
      ),
    ],
    "no-ranges": [STREAMS, "a stream always comes whole, without validators", wholeAlways],
    "streams-without-length": [
      STREAMS,
      "streams come in chunks, without Content-Length",
      when(200, (answer, { method }) =>
        method === "HEAD"
          ? answer
          : withHeaders(answer, { "content-length": undefined, "transfer-encoding": "chunked" }),
      ),
    ],
    "no-head": [
      "every",
      "HEAD is 405",
      whenAsked(
        ({ method }) => method === "HEAD",
        (answer) =>
          withHeaders({ ...answer, status: 405 }, { allow: "GET", "content-length": "0" }),
      ),
    ],
  }),
  ...toVariants("D15", {
    "no-recording-success-false": [
      BASE64,
      "no recording is 200 with success false",
      when(404, (answer, { method }) =>
        method === "HEAD"
          ? answer
          : toJsonAnswer(answer, 200, {
              isError: false,
              errorMessage: null,
              data: { success: false, filename: "", base64: "" },
            }),
      ),
    ],
  }),
];
