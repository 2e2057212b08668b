// Mutants with missing or wrong headers.
import { ERRORS, header, headers, lost, whenAsked } from "../edits/answers.ts";
import { BASE64, METADATA, SEARCHES, STREAMS, toMutants } from "./mutant.ts";

const isHead = ({ method }: { method: string }) => method === "HEAD";

export const missingHeaders = toMutants("header", "decision", {
  "caller-of-another-id": [
    "listUsers",
    "Caller has the id of another user",
    header("caller", (value) => value.replace(/id=(\d+)/, (_, id) => `id=${Number(id) + 1}`)),
  ],
  "challenge-missing": ["every", "401 has no WWW-Authenticate", lost(401, "www-authenticate")],
  "challenge-of-other-scheme": [
    "listUsers",
    "WWW-Authenticate of 401 is Basic",
    headers(401, { "www-authenticate": "Basic" }),
  ],
  "challenge-without-error": [
    "getChatByCallId",
    "WWW-Authenticate never says invalid_token",
    headers(401, { "www-authenticate": "Bearer" }),
  ],
  "request-id-missing": ["getUserAddresses", "X-Request-Id is missing", lost(200, "x-request-id")],
  "request-id-missing-on-errors": [
    "every",
    "X-Request-Id is missing on errors",
    lost(ERRORS, "x-request-id"),
  ],
  "error-code-missing": [
    "every",
    "X-Error-Code is missing on errors",
    lost(ERRORS, "x-error-code"),
  ],
  "error-code-of-another-form": [
    "listUsers",
    "X-Error-Code is the status",
    headers(ERRORS, { "x-error-code": "401" }),
  ],
  "json-typed-html": [
    "listPublicFlags",
    "JSON has the content type text/html",
    headers(200, { "content-type": "text/html" }),
  ],
  "json-without-type": [METADATA, "JSON has no content type", lost(200, "content-type")],
  "error-typed-text": [
    "searchMetadata",
    "the JSON of errors has the content type text/plain",
    headers(ERRORS, { "content-type": "text/plain" }),
  ],
  "stream-without-length": [
    STREAMS,
    "a stream has no Content-Length",
    headers(200, { "content-length": undefined, "transfer-encoding": "chunked" }),
  ],
  "etag-missing": [STREAMS, "ETag is missing", lost([200, 206], "etag")],
  "last-modified-missing": [STREAMS, "Last-Modified is missing", lost([200, 206], "last-modified")],
  "accept-ranges-missing": [STREAMS, "Accept-Ranges is missing", lost([200, 206], "accept-ranges")],
  "disposition-missing": [
    "streamRecordingByCallId",
    "Content-Disposition is missing",
    lost([200, 206], "content-disposition"),
  ],
  "disposition-of-another": [
    "streamRecordingByReference",
    "Content-Disposition names another file",
    header("content-disposition", () => 'attachment; filename="recording.wav"'),
  ],
  "nosniff-missing": [
    STREAMS,
    "X-Content-Type-Options is missing",
    lost([200, 206], "x-content-type-options"),
  ],
  "cache-control-missing": [BASE64, "Cache-Control is missing", lost(200, "cache-control")],
  "cached-in-public": [
    "getUserSecurityRights",
    "Cache-Control is public",
    headers(200, { "cache-control": "public, max-age=3600" }),
  ],
  "allow-missing": ["every", "405 has no Allow", lost(405, "allow")],
  "allow-everything": [
    "every",
    "Allow of 405 lists DELETE",
    header("allow", (value) => `${value}, DELETE`),
  ],
  "next-link-missing": [SEARCHES, "Link to the next page is missing", lost(200, "link")],
  "next-link-skips": [
    SEARCHES,
    "Link to the next page skips one",
    header("link", (value) =>
      value.replace(/pageIndex=(\d+)/, (_, index: string) => `pageIndex=${Number(index) + 1}`),
    ),
  ],
  "counted-range-missing": [
    "searchMetadata",
    "Prefer: count=exact is not heeded",
    lost(200, "content-range", "preference-applied"),
  ],
  "head-refused": [
    STREAMS,
    "HEAD is answered 405",
    whenAsked(isHead, (answer) => ({
      ...answer,
      status: 405,
      headers: { ...answer.headers, allow: "GET" },
    })),
  ],
  "head-of-no-length": [
    STREAMS,
    "HEAD says that the recording has 0 bytes",
    whenAsked(isHead, headers(200, { "content-length": "0" })),
  ],
});
