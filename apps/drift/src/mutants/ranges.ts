// Mutants of a stream's ranges, conditions, digest, validators and type.
import { header, lost, status, when, withBody, withHeaders } from "../edits/answers.ts";
import { asIf } from "../edits/requests.ts";
import type { Mutate, ProxyRequest } from "../exchange.ts";
import { STREAMS, toMutants } from "./mutant.ts";

const RANGE = /^bytes=(\d*)-(\d*)$/;

/** Returns a shifted range under the Content-Range of the requested one. */
const shifted =
  (by: number): Mutate =>
  async (answer, request, { ask }) => {
    const [, first, last] = RANGE.exec(request.headers.range ?? "") ?? [];
    if (answer.status !== 206 || !first || !last || request.method === "HEAD") return answer;
    const range = `bytes=${Number(first) + by}-${Number(last) + by}`;
    const other = await ask({ ...request, headers: { ...request.headers, range } });
    return { ...answer, body: other.body };
  };

const withoutHeader = (name: string) =>
  asIf((request: ProxyRequest) => {
    const { [name]: value, ...others } = request.headers;
    return value === undefined ? request : { ...request, headers: others };
  });

/** Returns the complete recording with status 206, as if it were the part. */
const wholeAsPart: Mutate = async (answer, request, upstream) => {
  if (answer.status !== 206) return answer;
  const whole = await withoutHeader("range")(answer, request, upstream);
  return {
    ...whole,
    status: 206,
    headers: { ...whole.headers, "content-range": answer.headers["content-range"] ?? "" },
  };
};

export const ranges = toMutants("range", "decision", {
  "range-whole-as-206": [STREAMS, "206 brings the whole recording", wholeAsPart],
  "range-one-late": [STREAMS, "206 brings bytes that begin one late", shifted(1)],
  "range-one-short": [
    STREAMS,
    "206 lacks the last byte of the range",
    when(206, (answer, { method }) =>
      method === "HEAD" ? answer : withBody(answer, answer.body.subarray(0, -1)),
    ),
  ],
  "range-of-wrong-size": [
    STREAMS,
    "Content-Range gives a wrong size of the whole",
    when(
      206,
      header("content-range", (range) => range.replace(/\d+$/, (size) => String(Number(size) - 1))),
    ),
  ],
  "range-unnamed": [STREAMS, "206 has no Content-Range", lost(206, "content-range")],
  "range-as-200": [STREAMS, "a part comes as 200", status(206, 200)],
  "range-ignored": [
    STREAMS,
    "Range is ignored although Accept-Ranges says bytes",
    withoutHeader("range"),
  ],
  "range-past-the-end-206": [
    STREAMS,
    "a range past the end is answered 206 with no bytes",
    when(416, (answer) => ({
      ...withBody(withHeaders(answer, { "content-type": "audio/wav" }), ""),
      status: 206,
    })),
  ],
  "range-past-the-end-unnamed": [STREAMS, "416 has no Content-Range", lost(416, "content-range")],
  "suffix-from-the-start": [
    STREAMS,
    "bytes=-500 brings the first bytes",
    asIf((request) => {
      const [, first, last] = RANGE.exec(request.headers.range ?? "") ?? [];
      return first === "" && last
        ? { ...request, headers: { ...request.headers, range: `bytes=0-${Number(last) - 1}` } }
        : request;
    }),
  ],
  "if-range-ignored": [STREAMS, "If-Range is ignored", withoutHeader("if-range")],
  "if-none-match-ignored": [STREAMS, "If-None-Match is ignored", withoutHeader("if-none-match")],
});
