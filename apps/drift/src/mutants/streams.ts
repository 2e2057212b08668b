// Mutants of a stream's ranges, conditions, digest, validators and media type.
import { createHash, randomUUID } from "node:crypto";
import {
  bytes,
  header,
  headers,
  lost,
  refused,
  status,
  toErrorAnswer,
  when,
  whenAsked,
  withBody,
  withHeaders,
} from "../edits/answers.ts";
import { asIf, asIfHeaders, asIfQuery, queryOf } from "../edits/requests.ts";
import type { Mutate, ProxyRequest } from "../exchange.ts";
import { type Deviation, type Mutant, STREAMS, toMutants } from "./mutant.ts";

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
const RANGE = /^bytes=(\d*)-(\d*)$/;
const WHOLE_OR_PART = [200, 206];

const rangeOf = ({ headers: { range = "" } }: ProxyRequest) => RANGE.exec(range)?.slice(1) ?? [];

/** Reads a range in another way. */
const reading = (edit: (range: string) => string): Mutate =>
  asIf((request) => {
    const { range = "" } = request.headers;
    return edit(range) === range ? request : withHeaders(request, { range: edit(range) });
  });

/** Returns a shifted range under the Content-Range of the requested one. */
const shifted = (by: number): Mutate =>
  when(206, async (answer, request, { ask }) => {
    const [first, last] = rangeOf(request);
    if (!first || !last || request.method === "HEAD") return answer;
    const range = `bytes=${Number(first) + by}-${Number(last) + by}`;
    return { ...answer, body: (await ask(withHeaders(request, { range }))).body };
  });

/** Returns the complete recording with status 206, as if it were the part. */
const wholeAsPart = when(206, async (answer, request, { ask }) => {
  const whole = await ask(withHeaders(request, { range: undefined }));
  const part = { "content-range": answer.headers["content-range"] ?? "" };
  return withHeaders({ ...whole, status: 206 }, part);
});

/** Refuses a part whose end is past the end of the recording, or of which more is asked than there is. */
const refusing = (isTooLong: (range: readonly string[], size: number) => boolean): Mutate =>
  when(206, (answer, request) => {
    const [, size = ""] = /\/(\d+)$/.exec(answer.headers["content-range"] ?? "") ?? [];
    if (!isTooLong(rangeOf(request), Number(size))) return answer;
    const refusal = toErrorAnswer(answer, 416, "The range is longer than the recording.");
    return withHeaders(refusal, { "content-range": `bytes */${size}` });
  });

const unconditionally = (fits: (tags: string) => boolean): Mutate =>
  whenAsked(
    ({ headers: asked }) => fits(asked["if-none-match"] ?? ""),
    asIfHeaders({ "if-none-match": undefined }),
  );

const ignored = (name: string, says: string): Deviation => [
  `${says} is ignored`,
  asIfHeaders({ [name]: undefined }),
];

const digestOfPart = when(206, (answer, { method }) => {
  const digest = createHash("sha256").update(answer.body).digest("base64");
  return method === "HEAD" ? answer : withHeaders(answer, { "repr-digest": `sha-256=:${digest}:` });
});

const otherType = when(WHOLE_OR_PART, (answer) => {
  const isWav = answer.headers["content-type"]?.includes("wav") ?? false;
  return withHeaders(answer, { "content-type": isWav ? "audio/mpeg" : "audio/wav" });
});

const toHex = (base64: string) => Buffer.from(base64, "base64").toString("hex");

export const streams: readonly Mutant[] = [
  ...toMutants("range", "decision", {
    "range-whole-as-206": [STREAMS, wholeAsPart],
    "range-one-late": [STREAMS, shifted(1)],
    "range-one-short": [STREAMS, bytes((body) => body.subarray(0, -1), 206)],
    "range-of-wrong-size": [
      STREAMS,
      when(
        206,
        header("content-range", (range) => range.replace(/\d+$/, (size) => `${Number(size) - 1}`)),
      ),
    ],
    "range-unnamed": [STREAMS, lost(206, "content-range")],
    "range-as-200": [STREAMS, status(206, 200)],
    "range-ignored": [STREAMS, ...ignored("range", "Range, in spite of Accept-Ranges,")],
    "range-past-the-end-206": [
      STREAMS,
      when(416, (answer) => ({
        ...withBody(withHeaders(answer, { "content-type": "audio/wav" }), ""),
        status: 206,
      })),
    ],
    "range-past-the-end-unnamed": [STREAMS, lost(416, "content-range")],
    "suffix-from-the-start": [
      STREAMS,
      reading((range) =>
        range.replace(/^bytes=-(\d+)$/, (_, size: string) => `bytes=0-${Number(size) - 1}`),
      ),
    ],
    "if-range-ignored": [STREAMS, ...ignored("if-range", "If-Range")],
    "if-none-match-ignored": [STREAMS, ...ignored("if-none-match", "If-None-Match")],
    "part-without-etag": [STREAMS, lost(206, "etag")],
    "not-modified-without-etag": [STREAMS, lost(304, "etag")],
    "range-beyond-the-end-416": [
      STREAMS,
      refusing(([first, last], size) => Boolean(first && last) && Number(last) >= size),
    ],
    "long-suffix-416": [
      STREAMS,
      refusing(([first, suffix], size) => first === "" && Number(suffix) > size),
    ],
    "first-of-several-ranges": [
      STREAMS,
      reading((range) => range.replace(/^(bytes=[^,]+),.*$/, "$1")),
    ],
    "other-range-unit-refused": [
      STREAMS,
      whenAsked(
        ({ headers: { range = "bytes" } }) => !range.startsWith("bytes"),
        when(200, refused(416, "The unit is not bytes.")),
      ),
    ],
    "one-of-several-tags-ignored": [STREAMS, unconditionally((tags) => tags.includes(","))],
    "weak-tag-ignored": [STREAMS, unconditionally((tags) => tags.startsWith("W/"))],
    "part-ignored-in-ranges": [
      STREAMS,
      whenAsked(
        (request) => queryOf(request, "part") !== "",
        when(206, asIfQuery({ part: undefined })),
      ),
    ],
  }),
  ...toMutants("digest and type", "decision", {
    "digest-wrong": [
      STREAMS,
      header("repr-digest", () => "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"),
    ],
    "digest-in-hexadecimal": [
      STREAMS,
      header("repr-digest", (value) => `sha-256=${toHex(value.slice(9, -1))}`),
    ],
    "digest-missing": [STREAMS, lost(WHOLE_OR_PART, "repr-digest")],
    "digest-of-the-part": [STREAMS, digestOfPart],
    "etag-never-the-same": [STREAMS, header("etag", () => `"${randomUUID()}"`)],
    "etag-unquoted": [STREAMS, header("etag", (value) => value.replaceAll('"', ""))],
    "type-of-another": [STREAMS, otherType],
    "last-modified-iso": [
      STREAMS,
      header("last-modified", (value) => new Date(value).toISOString()),
    ],
    "last-modified-to-come": [
      STREAMS,
      header("last-modified", () => new Date(Date.now() + YEAR_MS).toUTCString()),
    ],
    "head-without-digest": [
      STREAMS,
      whenAsked(({ method }) => method === "HEAD", lost(WHOLE_OR_PART, "etag", "repr-digest")),
    ],
  }),
  ...toMutants("digest and type", "interface", {
    "stream-typed-json": [STREAMS, headers(WHOLE_OR_PART, { "content-type": "application/json" })],
  }),
];
