// Recordings, in base64 and as a stream.
import { BASE64, RECORDINGS, of, type Requirements, STREAMS } from "./requirement.ts";

const STREAM = "- Response: the recording as a binary octet stream, not a JSON envelope.";

export const recordings = {
  "recording.fields": {
    operations: BASE64,
    source: {
      line: "- Response: envelope whose data is one recording record (success, filename, base64).",
    },
    says: "data is one object with exactly success, filename and base64.",
  },
  "recording.base64": {
    operations: BASE64,
    source: { line: "| base64 | string | the recording content, base64-encoded |" },
    says: "base64 is in the standard alphabet, padded and without line breaks, and holds something.",
  },
  "recording.same": {
    operations: STREAMS,
    source: { line: STREAM },
    says: "The stream has the very bytes that base64 holds, and no envelope.",
  },
  "recording.by-either": {
    operations: ["getRecordingByReference"],
    source: {
      line: "- Path parameter: ref_id (reference, session or master identifier) or call_id (call or contact identifier); string, required.",
    },
    says: "Of a reference with one call with one recording, call_id and ref_id give the same recording.",
  },
  "recording.success": {
    operations: BASE64,
    source: { line: "| success | boolean | |" },
    says: "success is true where a recording comes.",
  },
  "recording.nothing": {
    operations: RECORDINGS,
    source: { line: "| GET | /recording/by-call-id/{call_id} | recording as base64 |" },
    says: "An identifier that cannot exist gives no recording.",
  },
  ...of(RECORDINGS, "D15", {
    "recording.unknown": "An identifier without a recording is answered 404.",
  }),
  ...of(RECORDINGS, "D17", {
    "recording.names":
      "recordings lists the file names, separated by `; `, and part reaches each of them.",
  }),
  ...of(RECORDINGS, "D38", {
    "recording.owner": "Recording-Of names a record of the call, and one that lists the recording.",
  }),
  ...of(STREAMS, "D37", {
    "recording.sound": "Recording-Sound of a part is that of HEAD.",
  }),
  ...of(RECORDINGS, "D12", {
    "recording.refused":
      "A part that is no positive integer, or an identifier that cannot be read, is answered 400; a part there is not 404.",
  }),
  ...of(STREAMS, "D16", {
    "stream.type": "Content-Type is the media type that the bytes themselves show.",
    "stream.length": "Content-Length is the number of bytes.",
    "stream.name": "Content-Disposition names the file as filename of the base64 form does.",
    "stream.digest": "Repr-Digest is the SHA-256 of the whole recording.",
    "stream.headers":
      "Accept-Ranges, a strong ETag, Last-Modified and X-Content-Type-Options are there.",
    "stream.range":
      "A range is answered 206 with exactly its bytes, and Content-Range says which they are.",
    "stream.range-refused":
      "A range past the end, and one that cannot be read, is answered 416 with the size.",
    "stream.if-range": "If-Range with the current ETag gives the part, with another one the whole.",
    "stream.unchanged": "If-None-Match with the current ETag is answered 304 without a body.",
    "stream.head": "HEAD is answered with the headers of GET and no body.",
  }),
} as const satisfies Requirements;
