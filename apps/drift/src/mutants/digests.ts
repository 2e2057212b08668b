// Mutants of a recording's digest, validators and media type.
import { randomUUID } from "node:crypto";
import { header, headers, lost, when, withHeaders } from "../edits/answers.ts";
import type { Answer } from "../exchange.ts";
import { type Mutant, STREAMS, toMutants } from "./mutant.ts";

const isWav = ({ headers: found }: Answer) => found["content-type"]?.includes("wav") ?? false;

export const digests: readonly Mutant[] = [
  ...toMutants("digest and type", "decision", {
    "digest-wrong": [
      STREAMS,
      "Repr-Digest is of other bytes",
      header("repr-digest", () => "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"),
    ],
    "digest-in-hexadecimal": [
      STREAMS,
      "Repr-Digest is hexadecimal",
      header(
        "repr-digest",
        (value) => `sha-256=${Buffer.from(value.slice(9, -1), "base64").toString("hex")}`,
      ),
    ],
    "digest-missing": [STREAMS, "Repr-Digest is missing", lost([200, 206], "repr-digest")],
    "etag-never-the-same": [
      STREAMS,
      "ETag is another each time",
      header("etag", () => `"${randomUUID()}"`),
    ],
    "etag-unquoted": [
      STREAMS,
      "ETag has no quotation marks",
      header("etag", (value) => value.replaceAll('"', "")),
    ],
    "type-of-another": [
      STREAMS,
      "a WAV file comes as audio/mpeg, any other as audio/wav",
      when([200, 206], (answer) =>
        withHeaders(answer, { "content-type": isWav(answer) ? "audio/mpeg" : "audio/wav" }),
      ),
    ],
    "last-modified-iso": [
      STREAMS,
      "Last-Modified is written as ISO 8601",
      header("last-modified", (value) => new Date(value).toISOString()),
    ],
  }),
  ...toMutants("digest and type", "interface", {
    "stream-typed-json": [
      STREAMS,
      "a stream has the content type application/json",
      headers([200, 206], { "content-type": "application/json" }),
    ],
  }),
];
