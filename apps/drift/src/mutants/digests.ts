// The digest of a recording, its validators and its type.
import { randomUUID } from "node:crypto";
import { header, headers, when, withHeaders } from "../edits/answers.ts";
import type { Answer } from "../exchange.ts";
import { type Mutant, STREAMS } from "./mutant.ts";

const isWav = ({ headers: found }: Answer) => found["content-type"]?.includes("wav") ?? false;

export const digests: readonly Mutant[] = [
  {
    id: "digest-wrong",
    class: "digest and type",
    operation: STREAMS,
    contract: "decision",
    says: "Repr-Digest is of other bytes",
    mutate: header("repr-digest", () => "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"),
  },
  {
    id: "digest-in-hexadecimal",
    class: "digest and type",
    operation: STREAMS,
    contract: "decision",
    says: "Repr-Digest is hexadecimal",
    mutate: header(
      "repr-digest",
      (value) => `sha-256=${Buffer.from(value.slice(9, -1), "base64").toString("hex")}`,
    ),
  },
  {
    id: "digest-missing",
    class: "digest and type",
    operation: STREAMS,
    contract: "decision",
    says: "Repr-Digest is missing",
    mutate: headers([200, 206], { "repr-digest": undefined }),
  },
  {
    id: "etag-never-the-same",
    class: "digest and type",
    operation: STREAMS,
    contract: "decision",
    says: "ETag is another each time",
    mutate: header("etag", () => `"${randomUUID()}"`),
  },
  {
    id: "etag-unquoted",
    class: "digest and type",
    operation: STREAMS,
    contract: "decision",
    says: "ETag has no quotation marks",
    mutate: header("etag", (value) => value.replaceAll('"', "")),
  },
  {
    id: "type-of-another",
    class: "digest and type",
    operation: STREAMS,
    contract: "decision",
    says: "a WAV file comes as audio/mpeg, any other as audio/wav",
    mutate: when([200, 206], (answer) =>
      withHeaders(answer, { "content-type": isWav(answer) ? "audio/mpeg" : "audio/wav" }),
    ),
  },
  {
    id: "stream-typed-json",
    class: "digest and type",
    operation: STREAMS,
    contract: "interface",
    says: "a stream has the content type application/json",
    mutate: headers([200, 206], { "content-type": "application/json" }),
  },
  {
    id: "last-modified-iso",
    class: "digest and type",
    operation: STREAMS,
    contract: "decision",
    says: "Last-Modified is written as ISO 8601",
    mutate: header("last-modified", (value) => new Date(value).toISOString()),
  },
];
