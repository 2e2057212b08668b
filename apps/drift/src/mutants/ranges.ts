// Ranges and conditions of a stream, its digest, its validators and its type.
import { header, headers, status, when, withBody, withHeaders } from "../edits/answers.ts";
import { asIf } from "../edits/requests.ts";
import type { Mutate, ProxyRequest } from "../exchange.ts";
import { type Mutant, STREAMS } from "./mutant.ts";

const RANGE = /^bytes=(\d*)-(\d*)$/;

/** Shifts the range that was asked for, under the Content-Range of the right one. */
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

/** The whole under 206, as if it were the part. */
const wholeAsPart: Mutate = async (answer, request, upstream) => {
  if (answer.status !== 206) return answer;
  const whole = await withoutHeader("range")(answer, request, upstream);
  return {
    ...whole,
    status: 206,
    headers: { ...whole.headers, "content-range": answer.headers["content-range"] ?? "" },
  };
};

export const ranges: readonly Mutant[] = [
  {
    id: "range-whole-as-206",
    class: "range",
    operation: STREAMS,
    contract: "decision",
    says: "206 brings the whole recording",
    mutate: wholeAsPart,
  },
  {
    id: "range-one-late",
    class: "range",
    operation: STREAMS,
    contract: "decision",
    says: "206 brings bytes that begin one late",
    mutate: shifted(1),
  },
  {
    id: "range-one-short",
    class: "range",
    operation: STREAMS,
    contract: "decision",
    says: "206 lacks the last byte of the range",
    mutate: when(206, (answer, { method }) =>
      method === "HEAD" ? answer : withBody(answer, answer.body.subarray(0, -1)),
    ),
  },
  {
    id: "range-of-wrong-size",
    class: "range",
    operation: STREAMS,
    contract: "decision",
    says: "Content-Range gives a wrong size of the whole",
    mutate: when(
      206,
      header("content-range", (range) => range.replace(/\d+$/, (size) => String(Number(size) - 1))),
    ),
  },
  {
    id: "range-unnamed",
    class: "range",
    operation: STREAMS,
    contract: "decision",
    says: "206 has no Content-Range",
    mutate: headers(206, { "content-range": undefined }),
  },
  {
    id: "range-as-200",
    class: "range",
    operation: STREAMS,
    contract: "decision",
    says: "a part comes as 200",
    mutate: status(206, 200),
  },
  {
    id: "range-ignored",
    class: "range",
    operation: STREAMS,
    contract: "decision",
    says: "Range is ignored although Accept-Ranges says bytes",
    mutate: withoutHeader("range"),
  },
  {
    id: "range-past-the-end-206",
    class: "range",
    operation: STREAMS,
    contract: "decision",
    says: "a range past the end is answered 206 with no bytes",
    mutate: when(416, (answer) => ({
      ...withBody(withHeaders(answer, { "content-type": "audio/wav" }), ""),
      status: 206,
    })),
  },
  {
    id: "range-past-the-end-unnamed",
    class: "range",
    operation: STREAMS,
    contract: "decision",
    says: "416 has no Content-Range",
    mutate: headers(416, { "content-range": undefined }),
  },
  {
    id: "suffix-from-the-start",
    class: "range",
    operation: STREAMS,
    contract: "decision",
    says: "bytes=-500 brings the first bytes",
    mutate: asIf((request) => {
      const [, first, last] = RANGE.exec(request.headers.range ?? "") ?? [];
      return first === "" && last
        ? { ...request, headers: { ...request.headers, range: `bytes=0-${Number(last) - 1}` } }
        : request;
    }),
  },
  {
    id: "if-range-ignored",
    class: "range",
    operation: STREAMS,
    contract: "decision",
    says: "If-Range is ignored",
    mutate: withoutHeader("if-range"),
  },
  {
    id: "if-none-match-ignored",
    class: "range",
    operation: STREAMS,
    contract: "decision",
    says: "If-None-Match is ignored",
    mutate: withoutHeader("if-none-match"),
  },
];
