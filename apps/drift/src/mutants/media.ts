// Mutants of recordings' bytes and their base64 text.
import { when, withBody } from "../edits/answers.ts";
import { field, toText } from "../edits/json.ts";
import { withIdentifier } from "../edits/requests.ts";
import type { Mutate } from "../exchange.ts";
import { BASE64, STREAMS, type Mutant, toMutants } from "./mutant.ts";

// From the demo archive: a recording that is returned instead of any other.
const OTHER_CALL = "300000000100017";
const OTHER_REFERENCE = "FHR-000001";

/** Changes all bytes of a stream; a response to HEAD has none. */
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

export const mediaBytes = toMutants("media bytes", "interface", {
  "stream-cut-off": [
    STREAMS,
    "a stream breaks off before its Content-Length",
    when(200, (answer, { method }) =>
      method === "HEAD" ? answer : { ...answer, body: answer.body.subarray(0, -4096) },
    ),
  ],
  "stream-shortened": [
    STREAMS,
    "a stream lacks its last KiB, and Content-Length with it",
    bytes((body) => body.subarray(0, -1024)),
  ],
  "stream-byte-flipped": [
    "streamRecordingByCallId",
    "a bit in the middle of a stream is wrong",
    bytes(flipped),
  ],
  "stream-byte-flipped-by-reference": [
    "streamRecordingByReference",
    "a bit in the middle of a stream is wrong",
    bytes(flipped),
  ],
  "stream-empty": [
    "streamRecordingByReference",
    "a stream has no bytes",
    bytes(() => Buffer.alloc(0)),
  ],
  "stream-as-text": [
    STREAMS,
    "a stream went through UTF-8",
    bytes((body) => Buffer.from(body.toString("utf8"))),
  ],
  "stream-as-base64": [
    "streamRecordingByCallId",
    "a stream is base64 text",
    bytes((body) => Buffer.from(body.toString("base64"))),
  ],
  "stream-in-envelope": [
    "streamRecordingByReference",
    "a stream is an envelope with base64",
    (answer, request, { ask }) =>
      answer.status === 200
        ? ask({ ...request, pathname: request.pathname.replace("stream-", "") })
        : answer,
  ],
  "stream-of-another": [
    "streamRecordingByCallId",
    "the stream of one and the same call comes for any call_id",
    instead(OTHER_CALL),
  ],
  "recording-of-another": [
    "getRecordingByReference",
    "the recording of one and the same reference comes for any ref_id",
    instead(OTHER_REFERENCE),
  ],
});

export const base64: readonly Mutant[] = [
  ...toMutants("base64", "interface", {
    "base64-of-wrong-bytes": [
      "getRecordingByCallId",
      "base64 is of bytes with a wrong bit",
      decoded(flipped),
    ],
    "base64-of-wrong-bytes-by-reference": [
      "getRecordingByReference",
      "base64 is of bytes with a wrong bit",
      decoded(flipped),
    ],
    "base64-cut-short": [
      BASE64,
      "base64 lacks the last 3 KiB",
      decoded((body) => body.subarray(0, -3072)),
    ],
    "base64-empty": ["getRecordingByReference", "base64 is empty", field("base64", "")],
    "base64-twice": [
      "getRecordingByCallId",
      "base64 is encoded twice",
      encoded((text) => Buffer.from(text).toString("base64")),
    ],
    "base64-url-alphabet": [
      BASE64,
      "base64 is of the alphabet for URLs",
      encoded((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
    ],
    "base64-as-data-url": [
      "getRecordingByCallId",
      "base64 begins with data:audio/wav;base64,",
      encoded((text) => `data:audio/wav;base64,${text}`),
    ],
  }),
  ...toMutants("base64", "decision", {
    "base64-without-padding": [
      BASE64,
      "base64 has no padding",
      encoded((text) => text.replace(/=+$/, "")),
    ],
    "base64-in-lines": [
      BASE64,
      "base64 has line breaks",
      encoded((text) => text.replaceAll(/.{76}/g, "$&\r\n")),
    ],
    "success-false": [
      "getRecordingByReference",
      "success is false although the recording is there",
      field("success", false),
    ],
    "filename-of-another": [
      "getRecordingByCallId",
      "filename is not among recordings of the call",
      field("filename", "recording.wav"),
    ],
  }),
];
