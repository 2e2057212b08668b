// Streams: headers, digest, ranges and conditions (D16), against the bytes that base64 gave.
import type { OperationId } from "@call-media/api";
import type { RecordingSample } from "../archive/sample.ts";
import { type Answer, type Ask, isRefusal } from "../http/answer.ts";
import type { RequirementId } from "../requirements/manifest.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import type { Check, Context } from "./check.ts";
import { findAlone } from "./recordings.ts";

// RFC 9110, section 5.6.7.
const IMF_FIXDATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/;
const STRONG_ETAG = /^"[^"]+"$/;
const MAX_STREAMS = 3;

interface Stream {
  readonly ask: Ask;
  readonly bytes: Buffer;
  readonly whole: Answer;
}

/** The first bytes of the formats that recordings come in, and the media types they may be called by. */
const FORMATS: readonly { starts: RegExp; type: RegExp }[] = [
  { starts: /^RIFF....WAVE/s, type: /^audio\/(?:wav|wave|x-wav|vnd\.wave)$/ },
  { starts: /^OggS/, type: /^(?:audio|application)\/ogg$/ },
  { starts: /^(?:ID3|\xff[\xe2-\xfb])/, type: /^audio\/mpeg$/ },
  { starts: /^fLaC/, type: /^audio\/(?:x-)?flac$/ },
];

export const streams: Check = {
  about: "streams and their ranges",
  proves: [
    "stream.type",
    "stream.length",
    "stream.digest",
    "stream.headers",
    "stream.range",
    "stream.range-refused",
    "stream.if-range",
    "stream.unchanged",
    "stream.head",
  ],
  run: async (context) => {
    const { run } = context;
    const found = await listStreams(context);
    for (const stream of found) proveHeaders(run, stream);
    for (const stream of found) await proveRanges(run, stream);
    for (const stream of found) await proveConditions(run, stream);
    for (const stream of found) await proveHead(run, stream);
    const [first] = found;
    if (first !== undefined) observe(run, first);
  },
};

/** A few by call_id, one of each form of file, and one by reference. */
async function listStreams({ run, sample }: Context): Promise<Stream[]> {
  const byCall = sample.recordings
    .slice(0, MAX_STREAMS)
    .map((recording) => toStream("streamRecordingByCallId", recording));
  const [alone] = findAlone(sample);
  const byReference = alone === undefined ? [] : [toStream("streamRecordingByReference", alone)];
  const answered: Stream[] = [];
  for (const { ask, bytes } of [...byCall, ...byReference])
    answered.push({ ask, bytes, whole: await run.succeed(ask) });
  return answered;
}

function toStream(operation: OperationId, { callId, record, bytes }: RecordingSample) {
  const path = operation.endsWith("Reference")
    ? { ref_id: String(record?.["ref_id"]) }
    : { call_id: callId };
  return { ask: { operation, path }, bytes };
}

function proveHeaders(run: Run, { bytes, whole }: Stream): void {
  const { headers, sha256, size } = whole;
  const type = headers.get("Content-Type")?.split(";")[0]?.trim() ?? "";
  const format = FORMATS.find(({ starts }) =>
    starts.test(bytes.subarray(0, 16).toString("latin1")),
  );
  const isRightType = format ? format.type.test(type) : /^[\w.+-]+\/[\w.+-]+$/.test(type);
  run.prove("stream.type", whole, unless(isRightType, `Content-Type is ${type || "missing"}`));
  const length = headers.get("Content-Length");
  run.prove("stream.length", whole, unless(length === String(size), `Content-Length is ${length}`));
  const digest = `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`;
  const found = headers.get("Repr-Digest");
  run.prove(
    "stream.digest",
    whole,
    unless(found?.includes(digest) === true, `Repr-Digest is ${found}, not ${digest}`),
  );
  run.prove("stream.headers", whole, findHeaderFault(headers));
}

function findHeaderFault(headers: Headers): string | undefined {
  const rules: readonly (readonly [string, RegExp])[] = [
    ["Accept-Ranges", /^bytes$/],
    ["ETag", STRONG_ETAG],
    ["Last-Modified", IMF_FIXDATE],
    ["X-Content-Type-Options", /^nosniff$/],
  ];
  const wrong = rules.find(([name, rule]) => !rule.test(headers.get(name) ?? ""));
  return wrong && `${wrong[0]} is ${headers.get(wrong[0]) ?? "missing"}`;
}

interface Range {
  readonly asked: string;
  readonly first: number;
  readonly last: number;
}

async function proveRanges(run: Run, stream: Stream): Promise<void> {
  const { length } = stream.bytes;
  if (length < 8) return;
  const middle = length >> 1;
  const asked: readonly Range[] = [
    { asked: "bytes=0-3", first: 0, last: 3 },
    { asked: `bytes=${middle}-${middle + 1}`, first: middle, last: middle + 1 },
    { asked: `bytes=${middle}-`, first: middle, last: length - 1 },
    { asked: "bytes=-5", first: length - 5, last: length - 1 },
  ];
  for (const range of asked) {
    const answer = await run.ask({ ...stream.ask, headers: { Range: range.asked } });
    run.prove("stream.range", answer, findRangeFault(answer, stream, range));
  }
  await proveRefused(run, stream, { Range: `bytes=${length}-`, status: 416 });
  await proveRefused(run, stream, { Range: "bytes=5-2", status: 400 });
  await proveRefused(run, stream, { Range: "bytes=x-", status: 400 });
}

function findRangeFault(answer: Answer, { bytes, whole }: Stream, { asked, first, last }: Range) {
  if (answer.status !== 206) return `${asked} is answered ${answer.status}`;
  const named = answer.headers.get("Content-Range");
  const expected = `bytes ${first}-${last}/${bytes.length}`;
  if (named !== expected) return `Content-Range is ${named}, not ${expected}`;
  const part = bytes.subarray(first, last + 1);
  if (!part.equals(answer.bytes ?? Buffer.alloc(0))) return `${asked} brings other bytes`;
  const same = ["ETag", "Repr-Digest", "Last-Modified", "Content-Type"].find(
    (name) => answer.headers.get(name) !== whole.headers.get(name),
  );
  return same && `${same} is another than that of the whole`;
}

async function proveRefused(
  run: Run,
  { ask, bytes }: Stream,
  { Range, status }: { Range: string; status: number },
) {
  const answer = await run.ask({ ...ask, headers: { Range } });
  const size = answer.headers.get("Content-Range");
  const isNamed = status !== 416 || size === `bytes */${bytes.length}`;
  const fault =
    answer.status === status ? `Content-Range is ${size}` : `${Range} is answered ${answer.status}`;
  run.prove("stream.range-refused", answer, unless(answer.status === status && isNamed, fault));
}

async function proveConditions(run: Run, { ask, bytes, whole }: Stream): Promise<void> {
  const etag = whole.headers.get("ETag");
  if (etag === null) return;
  const cases: readonly (readonly [RequirementId, Ask["headers"], number])[] = [
    ["stream.unchanged", { "If-None-Match": etag }, 304],
    ["stream.unchanged", { "If-None-Match": '"another"' }, 200],
    ["stream.if-range", { Range: "bytes=0-3", "If-Range": etag }, 206],
    ["stream.if-range", { Range: "bytes=0-3", "If-Range": '"another"' }, 200],
  ];
  for (const [id, headers, status] of cases) {
    const answer = await run.ask({ ...ask, headers: headers ?? {} });
    const size = status === 304 ? 0 : status === 206 ? 4 : bytes.length;
    const isRight = answer.status === status && answer.size === size;
    run.prove(
      id,
      answer,
      unless(
        isRight,
        `the answer is ${answer.status} with ${answer.size} bytes, not ${status} with ${size}`,
      ),
    );
  }
}

async function proveHead(run: Run, { ask, whole }: Stream): Promise<void> {
  const answer = await run.ask({ ...ask, method: "HEAD" });
  const names = [
    "Content-Length",
    "Content-Type",
    "ETag",
    "Repr-Digest",
    "Content-Disposition",
    "Last-Modified",
  ];
  const other = names.find((name) => answer.headers.get(name) !== whole.headers.get(name));
  const fault =
    answer.status === 200
      ? other && `${other} is ${answer.headers.get(other)}`
      : `the answer is ${answer.status}`;
  run.prove("stream.head", answer, fault ?? unless(answer.size === 0, "there is a body"));
}

function observe(run: Run, { whole }: Stream): void {
  const { headers } = whole;
  const type = headers.get("Content-Type");
  const hasRanges = headers.get("Accept-Ranges") === "bytes";
  const digest = headers.get("Repr-Digest");
  run.observe({
    decision: "D16",
    question: "Which content type has a stream?",
    observed: type ?? "none",
    value: type,
    agrees: type !== null && !isRefusal(whole),
  });
  run.observe({
    decision: "D16",
    question: "Can a stream be had in ranges?",
    observed: hasRanges ? "yes" : "nothing says so",
    value: hasRanges,
    agrees: hasRanges,
  });
  run.observe({
    decision: "D16",
    question: "Does a digest come along?",
    observed: digest === null ? "no" : "yes, Repr-Digest",
    value: digest !== null,
    agrees: digest !== null,
  });
}
