// Mutants with missing or wrong headers.
import { ERRORS, header, headers, lost, whenAsked, withHeaders } from "../edits/answers.ts";
import { BASE64, type Deviation, METADATA, SEARCHES, STREAMS, toMutants } from "./mutant.ts";

const isHead = ({ method }: { method: string }) => method === "HEAD";

const lacking = (name: string, ...statuses: readonly number[]): Deviation => [
  `${name} is missing`,
  lost(statuses, name.toLowerCase()),
];

export const missingHeaders = toMutants("header", "decision", {
  "caller-of-another-id": [
    "listUsers",
    header("caller", (value) => value.replace(/id=(\d+)/, (_, id) => `id=${Number(id) + 1}`)),
  ],
  "challenge-missing": ["every", ...lacking("WWW-Authenticate", 401)],
  "challenge-of-other-scheme": ["listUsers", headers(401, { "www-authenticate": "Basic" })],
  "challenge-without-error": ["getChatByCallId", headers(401, { "www-authenticate": "Bearer" })],
  "request-id-missing": ["getUserAddresses", ...lacking("X-Request-Id", 200)],
  "request-id-missing-on-errors": ["every", ...lacking("X-Request-Id", ...ERRORS)],
  "error-code-missing": ["every", ...lacking("X-Error-Code", ...ERRORS)],
  "error-code-of-another-form": [
    "listUsers",
    "X-Error-Code is the status",
    headers(ERRORS, { "x-error-code": "401" }),
  ],
  "json-typed-html": ["listPublicFlags", headers(200, { "content-type": "text/html" })],
  "json-without-type": [METADATA, ...lacking("Content-Type", 200)],
  "error-typed-text": ["searchMetadata", headers(ERRORS, { "content-type": "text/plain" })],
  "stream-without-length": [
    STREAMS,
    headers(200, { "content-length": undefined, "transfer-encoding": "chunked" }),
  ],
  "etag-missing": [STREAMS, ...lacking("ETag", 200, 206)],
  "last-modified-missing": [STREAMS, ...lacking("Last-Modified", 200, 206)],
  "accept-ranges-missing": [STREAMS, ...lacking("Accept-Ranges", 200, 206)],
  "disposition-missing": ["streamRecordingByCallId", ...lacking("Content-Disposition", 200, 206)],
  "disposition-of-another": [
    "streamRecordingByReference",
    header("content-disposition", () => 'attachment; filename="recording.wav"'),
  ],
  "nosniff-missing": [STREAMS, ...lacking("X-Content-Type-Options", 200, 206)],
  "cache-control-missing": [BASE64, ...lacking("Cache-Control", 200)],
  "cached-in-public": [
    "getUserSecurityRights",
    headers(200, { "cache-control": "public, max-age=3600" }),
  ],
  "allow-missing": ["every", ...lacking("Allow", 405)],
  "allow-everything": ["every", header("allow", (value) => `${value}, DELETE`)],
  "next-link-missing": [SEARCHES, ...lacking("Link", 200)],
  "next-link-skips": [
    SEARCHES,
    header("link", (value) => value.replace(/(?<=pageIndex=)\d+/, (at) => `${Number(at) + 1}`)),
  ],
  "counted-range-missing": ["searchMetadata", lost(200, "content-range", "preference-applied")],
  "head-refused": [
    STREAMS,
    whenAsked(isHead, (answer) => withHeaders({ ...answer, status: 405 }, { allow: "GET" })),
  ],
  "head-of-no-length": [STREAMS, whenAsked(isHead, headers(200, { "content-length": "0" }))],
});
