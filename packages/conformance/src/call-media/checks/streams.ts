// Streams: headers and digest (D16), against the bytes that base64 gave.
import { isRefusal } from "../answer.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import type { Check, Context } from "./check.ts";
import { findAlone, toAsk } from "./recordings.ts";
import {
  isDigestRight,
  proveConditions,
  proveDigest,
  proveEssentials,
  proveHalf,
  proveNoRanges,
  proveRanges,
  type Stream,
} from "./stream-ranges.ts";

// RFC 9110, section 5.6.7.
const IMF_FIXDATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/;
const STRONG_ETAG = /^"[^"]+"$/;
const MAX_STREAMS = 3;
// Clocks of two machines differ.
const TOLERANCE_MS = 60_000;

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
    const [first] = found;
    const ofOther = found.find(({ ask }) => ask.operation !== first?.ask.operation);
    for (const stream of found) await proveHalf(run, stream);
    if (first === undefined) return;
    await proveRanges(run, first);
    await proveNoRanges(run, first);
    await proveConditions(run, first);
    for (const stream of [first, ...(ofOther ? [ofOther] : [])]) await proveHead(run, stream);
    if (ofOther) await proveEssentials(run, ofOther);
    observe(run, first);
  },
};

/** A few by call_id, one of each form of file, and one by reference. */
async function listStreams({ run, sample }: Context): Promise<Stream[]> {
  const byCall = sample.recordings.slice(0, MAX_STREAMS).map(({ callId, bytes }) => ({
    ask: toAsk("streamRecordingByCallId", callId),
    bytes,
  }));
  const byReference = (await findAlone(run, sample)).slice(0, 1).map(({ record, bytes }) => ({
    ask: toAsk("streamRecordingByReference", String(record?.["ref_id"])),
    bytes,
  }));
  const answered: Stream[] = [];
  for (const { ask, bytes } of [...byCall, ...byReference])
    answered.push({ ask, bytes, whole: await run.succeed(ask) });
  return answered;
}

function proveHeaders(run: Run, { bytes, whole }: Stream): void {
  const { headers, size } = whole;
  const type = headers.get("Content-Type")?.split(";")[0]?.trim() ?? "";
  const format = FORMATS.find(({ starts }) =>
    starts.test(bytes.subarray(0, 16).toString("latin1")),
  );
  const isRightType = format ? format.type.test(type) : /^[\w.+-]+\/[\w.+-]+$/.test(type);
  run.prove("stream.type", whole, unless(isRightType, `Content-Type is ${type || "missing"}`));
  const length = headers.get("Content-Length");
  run.prove(
    "stream.length",
    whole,
    unless(length === String(size), `Content-Length is ${length ?? "missing"}`),
  );
  proveDigest(run, whole);
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
  if (wrong !== undefined) return `${wrong[0]} is ${headers.get(wrong[0]) ?? "missing"}`;
  const modified = headers.get("Last-Modified") ?? "";
  const now = Date.parse(headers.get("Date") ?? "") || Date.now();
  const isPast = Date.parse(modified) <= now + TOLERANCE_MS;
  return unless(isPast, `Last-Modified is ${modified}, which is to come (RFC 9110, 8.8.2.1)`);
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
  const isRight = isDigestRight(whole);
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
    observed: digest === null ? "no" : isRight ? "yes, Repr-Digest" : "Repr-Digest, of other bytes",
    value: digest !== null,
    agrees: isRight,
  });
}
