// Variants that serve recordings plainly.
import { all, headers, when, whenAsked, withHeaders, withoutHeaders } from "../edits/answers.ts";
import { asIfHeaders } from "../edits/requests.ts";
import { NO_RECORDING } from "../mutants/statuses.ts";
import { BASE64, STREAMS } from "../mutants/mutant.ts";
import { type Variant, toVariants } from "./variant.ts";

/** Always returns the complete recording: no ranges, conditions or validators. */
const wholeAlways = all(
  asIfHeaders({ range: undefined, "if-range": undefined, "if-none-match": undefined }),
  withoutHeaders("accept-ranges", "etag", "last-modified", "repr-digest"),
);

export const streams: readonly Variant[] = [
  ...toVariants("D16", {
    "octet-streams": [STREAMS, headers([200, 206], { "content-type": "application/octet-stream" })],
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
      whenAsked(
        ({ method }) => method !== "HEAD",
        headers(200, { "content-length": undefined, "transfer-encoding": "chunked" }),
      ),
    ],
    "no-head": [
      "every",
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
      whenAsked(({ method }) => method !== "HEAD", when(404, NO_RECORDING)),
    ],
  }),
];
