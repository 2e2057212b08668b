// Mutants of recordings' bytes, of their base64 text, and of calls with several recordings.
import { bytes, header, when, withHeaders } from "../edits/answers.ts";
import { data, field, isObject, parseSuccess, toText } from "../edits/json.ts";
import { queryOf, withQuery } from "../edits/requests.ts";
import type { Answer, Mutate, ProxyRequest, Upstream } from "../exchange.ts";
import { always } from "./identities.ts";
import {
  BASE64,
  type Deviation,
  METADATA,
  type Mutant,
  RECORDINGS,
  STREAMS,
  toMutants,
} from "./mutant.ts";

function flipped(body: Buffer): Buffer {
  const copy = Buffer.from(body);
  const middle = copy.length >> 1;
  copy[middle] = (copy[middle] ?? 0) ^ 1;
  return copy;
}

const FLIPPED: Deviation = ["a bit in the middle of a stream is wrong", bytes(flipped)];

const decoded = (edit: (content: Buffer) => Buffer) =>
  field("base64", (text) => edit(Buffer.from(toText(text), "base64")).toString("base64"));
const encoded = (edit: (text: string) => string) => field("base64", (text) => edit(toText(text)));

const OF_WRONG_BYTES: Deviation = ["base64 is of bytes with a wrong bit", decoded(flipped)];

/** The response with the first recording, if the request is for another one. */
async function findFirst(request: ProxyRequest, { ask }: Upstream): Promise<Answer | undefined> {
  const part = queryOf(request, "part");
  return part === "" || part === "1" ? undefined : ask(withQuery(request, { part: "1" }));
}

/** Returns a header of the first recording, whatever part is requested. */
const headerOfFirst = (name: string): Mutate =>
  when([200, 206], async (answer, request, upstream) => {
    const first = await findFirst(request, upstream);
    return first === undefined ? answer : withHeaders(answer, { [name]: first.headers[name] });
  });

const filenameOfFirst = when(200, async (answer, request, upstream) => {
  const first = await findFirst(request, upstream);
  const { data: recording = null } = (first && parseSuccess(first)) ?? {};
  const filename = isObject(recording) ? recording.filename : undefined;
  return filename === undefined
    ? answer
    : data((one) => (isObject(one) ? { ...one, filename } : one))(answer, request, upstream);
});

export const media: readonly Mutant[] = [
  ...toMutants("media bytes", "interface", {
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
    "stream-byte-flipped": ["streamRecordingByCallId", ...FLIPPED],
    "stream-byte-flipped-by-reference": ["streamRecordingByReference", ...FLIPPED],
    "stream-empty": ["streamRecordingByReference", bytes(() => "")],
    "stream-as-text": [
      STREAMS,
      "a stream went through UTF-8",
      bytes((body) => body.toString("utf8")),
    ],
    "stream-as-base64": ["streamRecordingByCallId", bytes((body) => body.toString("base64"))],
    "stream-in-envelope": [
      "streamRecordingByReference",
      when(200, (_answer, request, { ask }) =>
        ask({ ...request, pathname: request.pathname.replace("stream-", "") }),
      ),
    ],
    "stream-of-another": ["streamRecordingByCallId", ...always("300000000100017")],
    "recording-of-another": ["getRecordingByReference", ...always("FHR-000001")],
  }),
  ...toMutants("base64", "interface", {
    "base64-of-wrong-bytes": ["getRecordingByCallId", ...OF_WRONG_BYTES],
    "base64-of-wrong-bytes-by-reference": ["getRecordingByReference", ...OF_WRONG_BYTES],
    "base64-cut-short": [BASE64, decoded((body) => body.subarray(0, -3072))],
    "base64-empty": ["getRecordingByReference", field("base64", "")],
    "base64-twice": [
      "getRecordingByCallId",
      encoded((text) => Buffer.from(text).toString("base64")),
    ],
    "base64-url-alphabet": [
      BASE64,
      encoded((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
    ],
    "base64-as-data-url": [
      "getRecordingByCallId",
      encoded((text) => `data:audio/wav;base64,${text}`),
    ],
  }),
  ...toMutants("base64", "decision", {
    "base64-without-padding": [BASE64, encoded((text) => text.replace(/=+$/, ""))],
    "base64-in-lines": [BASE64, encoded((text) => text.replaceAll(/.{76}/g, "$&\r\n"))],
    "success-false": ["getRecordingByReference", field("success", false)],
    "filename-of-another": ["getRecordingByCallId", field("filename", "recording.wav")],
    "filename-of-first-part": [BASE64, filenameOfFirst],
  }),
  ...toMutants("value", "decision", {
    "recordings-with-commas": [
      METADATA,
      field("recordings", (value) => toText(value).replaceAll("; ", ", ")),
    ],
    "recordings-first-alone": [
      METADATA,
      field("recordings", (value) => toText(value).replace(/; .*/, "")),
    ],
  }),
  ...toMutants("header", "decision", {
    "disposition-of-first-part": [STREAMS, headerOfFirst("content-disposition")],
    "owner-of-another-call": [
      RECORDINGS,
      header("recording-of", (value) => value.replace(/datetime=%"\d/, 'datetime=%"3')),
    ],
    "sound-of-part": [
      STREAMS,
      when(
        206,
        header("recording-sound", (value) => value.replace("duration=", "duration=9")),
      ),
    ],
  }),
  ...toMutants("digest and type", "decision", {
    "digest-of-first-part": [STREAMS, headerOfFirst("repr-digest")],
  }),
];
