// Bytes of recordings and their base64 text.
import { when, withBody } from "../edits/answers.ts";
import { field, toText } from "../edits/json.ts";
import { withIdentifier } from "../edits/requests.ts";
import type { Mutate } from "../exchange.ts";
import { BASE64, STREAMS, type Mutant } from "./mutant.ts";

// From the demo archive: a recording that is returned in place of any other.
const OTHER_CALL = "300000000100017";
const OTHER_REFERENCE = "FHR-000001";

/** Changes the whole bytes of a stream; an answer to HEAD has none. */
const bytes = (edit: (body: Buffer) => Buffer): Mutate =>
  when(200, (answer, { method }) =>
    method === "HEAD" ? answer : withBody(answer, edit(answer.body)),
  );

function flipped(body: Buffer): Buffer {
  const copy = Buffer.from(body);
  const middle = copy.length >> 1;
  copy[middle] = (copy[middle] ?? 0) ^ 1;
  return copy;
}

const decoded = (edit: (bytes: Buffer) => Buffer) =>
  field("base64", (text) => edit(Buffer.from(toText(text), "base64")).toString("base64"));
const encoded = (edit: (text: string) => string) => field("base64", (text) => edit(toText(text)));

const instead =
  (identifier: string): Mutate =>
  (answer, request, { ask }) =>
    answer.status === 200 || answer.status === 206
      ? ask(withIdentifier(request, identifier))
      : answer;

export const mediaBytes: readonly Mutant[] = [
  {
    id: "stream-cut-off",
    class: "media bytes",
    operation: STREAMS,
    contract: "interface",
    says: "a stream breaks off before its Content-Length",
    mutate: when(200, (answer, { method }) =>
      method === "HEAD" ? answer : { ...answer, body: answer.body.subarray(0, -4096) },
    ),
  },
  {
    id: "stream-shortened",
    class: "media bytes",
    operation: STREAMS,
    contract: "interface",
    says: "a stream lacks its last KiB, and Content-Length with it",
    mutate: bytes((body) => body.subarray(0, -1024)),
  },
  {
    id: "stream-byte-flipped",
    class: "media bytes",
    operation: "streamRecordingByCallId",
    contract: "interface",
    says: "a bit in the middle of a stream is wrong",
    mutate: bytes(flipped),
  },
  {
    id: "stream-byte-flipped-by-reference",
    class: "media bytes",
    operation: "streamRecordingByReference",
    contract: "interface",
    says: "a bit in the middle of a stream is wrong",
    mutate: bytes(flipped),
  },
  {
    id: "stream-empty",
    class: "media bytes",
    operation: "streamRecordingByReference",
    contract: "interface",
    says: "a stream has no bytes",
    mutate: bytes(() => Buffer.alloc(0)),
  },
  {
    id: "stream-as-text",
    class: "media bytes",
    operation: STREAMS,
    contract: "interface",
    says: "a stream went through UTF-8",
    mutate: bytes((body) => Buffer.from(body.toString("utf8"))),
  },
  {
    id: "stream-as-base64",
    class: "media bytes",
    operation: "streamRecordingByCallId",
    contract: "interface",
    says: "a stream is base64 text",
    mutate: bytes((body) => Buffer.from(body.toString("base64"))),
  },
  {
    id: "stream-in-envelope",
    class: "media bytes",
    operation: "streamRecordingByReference",
    contract: "interface",
    says: "a stream is an envelope with base64",
    mutate: (answer, request, { ask }) =>
      answer.status === 200
        ? ask({ ...request, pathname: request.pathname.replace("stream-", "") })
        : answer,
  },
  {
    id: "stream-of-another",
    class: "media bytes",
    operation: "streamRecordingByCallId",
    contract: "interface",
    says: "the stream of one and the same call comes for any call_id",
    mutate: instead(OTHER_CALL),
  },
  {
    id: "recording-of-another",
    class: "media bytes",
    operation: "getRecordingByReference",
    contract: "interface",
    says: "the recording of one and the same reference comes for any ref_id",
    mutate: instead(OTHER_REFERENCE),
  },
];

export const base64: readonly Mutant[] = [
  {
    id: "base64-of-wrong-bytes",
    class: "base64",
    operation: "getRecordingByCallId",
    contract: "interface",
    says: "base64 is of bytes with a wrong bit",
    mutate: decoded(flipped),
  },
  {
    id: "base64-of-wrong-bytes-by-reference",
    class: "base64",
    operation: "getRecordingByReference",
    contract: "interface",
    says: "base64 is of bytes with a wrong bit",
    mutate: decoded(flipped),
  },
  {
    id: "base64-cut-short",
    class: "base64",
    operation: BASE64,
    contract: "interface",
    says: "base64 lacks the last 3 KiB",
    mutate: decoded((body) => body.subarray(0, -3072)),
  },
  {
    id: "base64-empty",
    class: "base64",
    operation: "getRecordingByReference",
    contract: "interface",
    says: "base64 is empty",
    mutate: field("base64", ""),
  },
  {
    id: "base64-twice",
    class: "base64",
    operation: "getRecordingByCallId",
    contract: "interface",
    says: "base64 is encoded twice",
    mutate: encoded((text) => Buffer.from(text).toString("base64")),
  },
  {
    id: "base64-url-alphabet",
    class: "base64",
    operation: BASE64,
    contract: "interface",
    says: "base64 is of the alphabet for URLs",
    mutate: encoded((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  },
  {
    id: "base64-without-padding",
    class: "base64",
    operation: BASE64,
    contract: "decision",
    says: "base64 has no padding",
    mutate: encoded((text) => text.replace(/=+$/, "")),
  },
  {
    id: "base64-in-lines",
    class: "base64",
    operation: BASE64,
    contract: "decision",
    says: "base64 has line breaks",
    mutate: encoded((text) => text.replaceAll(/.{76}/g, "$&\r\n")),
  },
  {
    id: "base64-as-data-url",
    class: "base64",
    operation: "getRecordingByCallId",
    contract: "interface",
    says: "base64 begins with data:audio/wav;base64,",
    mutate: encoded((text) => `data:audio/wav;base64,${text}`),
  },
  {
    id: "success-false",
    class: "base64",
    operation: "getRecordingByReference",
    contract: "decision",
    says: "success is false although the recording is there",
    mutate: field("success", false),
  },
  {
    id: "filename-of-another",
    class: "base64",
    operation: "getRecordingByCallId",
    contract: "decision",
    says: "filename is not among recordings of the call",
    mutate: field("filename", "recording.wav"),
  },
];
