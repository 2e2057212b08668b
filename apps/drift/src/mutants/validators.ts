// Mutants of streams whose parts, conditions and validators look right at first sight.
import { createHash } from "node:crypto";
import { header, lost, toErrorAnswer, when, whenAsked, withHeaders } from "../edits/answers.ts";
import { asIf } from "../edits/requests.ts";
import type { Mutate, ProxyRequest } from "../exchange.ts";
import { type Mutant, STREAMS, toMutants } from "./mutant.ts";

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

const withHeader = (request: ProxyRequest, name: string, value: string) => ({
  ...request,
  headers: { ...request.headers, [name]: value },
});

function unconditionally(fits: (tags: string) => boolean): Mutate {
  return asIf((request) => {
    const { "if-none-match": tags = "", ...others } = request.headers;
    return fits(tags) ? { ...request, headers: others } : request;
  });
}

/** True if the last requested byte is past the end. */
function isPastTheEnd(range: string | undefined, contentRange: string): boolean {
  const [, last] = /^bytes=\d+-(\d+)$/.exec(range ?? "") ?? [];
  const [, size] = /\/(\d+)$/.exec(contentRange) ?? [];
  return last !== undefined && Number(last) >= Number(size);
}

export const validators: readonly Mutant[] = [
  ...toMutants("digest and type", "decision", {
    "digest-of-the-part": [
      STREAMS,
      "Repr-Digest of 206 is of the part",
      when(206, (answer, { method }) => {
        const digest = createHash("sha256").update(answer.body).digest("base64");
        return method === "HEAD"
          ? answer
          : withHeaders(answer, { "repr-digest": `sha-256=:${digest}:` });
      }),
    ],
    "last-modified-to-come": [
      STREAMS,
      "Last-Modified lies a year ahead",
      header("last-modified", () => new Date(Date.now() + YEAR_MS).toUTCString()),
    ],
    "head-without-digest": [
      STREAMS,
      "HEAD has neither Repr-Digest nor ETag",
      whenAsked(({ method }) => method === "HEAD", lost([200, 206], "etag", "repr-digest")),
    ],
  }),
  ...toMutants("range", "decision", {
    "part-without-etag": [STREAMS, "206 has no ETag", lost(206, "etag")],
    "not-modified-without-etag": [STREAMS, "304 has no ETag", lost(304, "etag")],
    "range-beyond-the-end-416": [
      STREAMS,
      "a range that begins in the recording and ends behind it is answered 416",
      when(206, (answer, request) => {
        const contentRange = answer.headers["content-range"] ?? "";
        if (!isPastTheEnd(request.headers.range, contentRange)) return answer;
        const refusal = toErrorAnswer(answer, 416, "The range ends behind the recording.");
        return withHeaders(refusal, { "content-range": contentRange.replace(/ .*\//, " */") });
      }),
    ],
    "long-suffix-416": [
      STREAMS,
      "a suffix longer than the recording is answered 416",
      when(206, (answer, request) => {
        const [, suffix] = /^bytes=-(\d+)$/.exec(request.headers.range ?? "") ?? [];
        const [, size = ""] = /\/(\d+)$/.exec(answer.headers["content-range"] ?? "") ?? [];
        if (suffix === undefined || Number(suffix) <= Number(size)) return answer;
        const refusal = toErrorAnswer(answer, 416, "The range is longer than the recording.");
        return withHeaders(refusal, { "content-range": `bytes */${size}` });
      }),
    ],
    "first-of-several-ranges": [
      STREAMS,
      "of several ranges the first comes as 206",
      asIf((request) => {
        const { range = "" } = request.headers;
        return /^bytes=[^,]+,/.test(range)
          ? withHeader(request, "range", range.replace(/,.*$/, ""))
          : request;
      }),
    ],
    "other-range-unit-refused": [
      STREAMS,
      "a range in another unit than bytes is answered 416",
      whenAsked(
        ({ headers: { range } }) => range !== undefined && !range.startsWith("bytes"),
        when(200, (answer) => toErrorAnswer(answer, 416, "The unit is not bytes.")),
      ),
    ],
    "one-of-several-tags-ignored": [
      STREAMS,
      "If-None-Match with several tags is ignored",
      unconditionally((tags) => tags.includes(",")),
    ],
    "weak-tag-ignored": [
      STREAMS,
      "If-None-Match with a weak tag is ignored",
      unconditionally((tags) => tags.startsWith("W/")),
    ],
  }),
];
