// Parts of a stream, and streams asked for on a condition (D16).
import type { Answer, Ask } from "../answer.ts";
import type { RequirementId } from "../requirements/manifest.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";

/** A stream that was read whole, and the bytes that base64 gave. */
export interface Stream {
  readonly ask: Ask;
  readonly bytes: Buffer;
  readonly whole: Answer;
}

// Shorter ones have no parts to tell apart.
const SHORTEST_BYTES = 8;

interface Range {
  readonly asked: string;
  readonly first: number;
  readonly last: number;
}

export function proveDigest(run: Run, whole: Answer): void {
  const isRight = isDigestRight(whole);
  const found = whole.headers.get("Repr-Digest");
  const fault = unless(isRight, `Repr-Digest is ${found ?? "missing"}, not ${toDigest(whole)}`);
  run.prove("stream.digest", whole, fault);
  run.learn({ streamDigest: isRight });
}

export function isDigestRight(whole: Answer): boolean {
  return whole.headers.get("Repr-Digest")?.includes(toDigest(whole)) === true;
}

/** The form of RFC 9530, section 3. */
function toDigest({ sha256 }: Answer): string {
  return `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`;
}

/** The second half of a stream alone. */
export async function proveHalf(run: Run, stream: Stream): Promise<void> {
  const { length } = stream.bytes;
  if (length < SHORTEST_BYTES) return;
  const first = length >> 1;
  await proveRange(run, stream, { asked: `bytes=${first}-`, first, last: length - 1 });
}

/** Every form of a range (RFC 9110, section 14.1.2), those that reach beyond the end as well. */
export async function proveRanges(run: Run, stream: Stream): Promise<void> {
  const { length } = stream.bytes;
  if (length < SHORTEST_BYTES) return;
  const middle = length >> 1;
  const asked: readonly Range[] = [
    { asked: "bytes=0-3", first: 0, last: 3 },
    { asked: `bytes=${middle}-${middle + 1}`, first: middle, last: middle + 1 },
    { asked: "bytes=-5", first: length - 5, last: length - 1 },
    { asked: `bytes=4-${length + 100}`, first: 4, last: length - 1 },
    { asked: `bytes=-${length + 100}`, first: 0, last: length - 1 },
  ];
  for (const range of asked) await proveRange(run, stream, range);
  // Several ranges at once, and another unit, stand for the whole (D16).
  await proveStatus(run, stream, {
    id: "stream.range",
    headers: { Range: "bytes=0-1,4-5" },
    status: 200,
  });
  await proveStatus(run, stream, {
    id: "stream.range",
    headers: { Range: "items=0-1" },
    status: 200,
  });
}

/** Ranges that are none of this recording. */
export async function proveNoRanges(run: Run, stream: Stream): Promise<void> {
  for (const asked of [`bytes=${stream.bytes.length}-`, "bytes=5-2", "bytes=x-"])
    await proveRefused(run, stream, asked);
}

async function proveRange(run: Run, stream: Stream, range: Range): Promise<void> {
  const answer = await run.ask({ ...stream.ask, headers: { Range: range.asked } });
  const fault = findRangeFault(answer, stream, range);
  run.prove("stream.range", answer, fault);
  run.learn({ streamRanges: fault === undefined });
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

async function proveRefused(run: Run, { ask, bytes }: Stream, asked: string) {
  const answer = await run.ask({ ...ask, headers: { Range: asked } });
  const isRefused = answer.status === 416;
  const size = answer.headers.get("Content-Range");
  const fault = isRefused ? `Content-Range is ${size}` : `${asked} is answered ${answer.status}`;
  const isNamed = size === `bytes */${bytes.length}`;
  run.prove("stream.range-refused", answer, unless(isRefused && isNamed, fault));
}

/** RFC 9110, sections 13.1.2 and 13.1.5: a list of tags, and a weak one, are compared as well. */
export async function proveConditions(run: Run, stream: Stream): Promise<void> {
  const etag = stream.whole.headers.get("ETag");
  if (etag === null) return;
  const Range = "bytes=0-3";
  const cases: readonly Condition[] = [
    { id: "stream.unchanged", headers: { "If-None-Match": etag }, status: 304 },
    { id: "stream.unchanged", headers: { "If-None-Match": `"another", ${etag}` }, status: 304 },
    { id: "stream.unchanged", headers: { "If-None-Match": `W/${etag}` }, status: 304 },
    { id: "stream.unchanged", headers: { "If-None-Match": '"another"' }, status: 200 },
    { id: "stream.if-range", headers: { Range, "If-Range": etag }, status: 206 },
    { id: "stream.if-range", headers: { Range, "If-Range": '"another"' }, status: 200 },
  ];
  for (const condition of cases) await proveStatus(run, stream, condition);
}

/** What shows that ranges and conditions are heeded at all. */
export async function proveEssentials(run: Run, stream: Stream): Promise<void> {
  const etag = stream.whole.headers.get("ETag");
  await proveRefused(run, stream, `bytes=${stream.bytes.length}-`);
  if (etag === null) return;
  const headers = { Range: "bytes=0-3", "If-Range": '"another"' };
  await proveStatus(run, stream, { id: "stream.if-range", headers, status: 200 });
  const unchanged = { "If-None-Match": etag };
  await proveStatus(run, stream, { id: "stream.unchanged", headers: unchanged, status: 304 });
}

interface Condition {
  readonly id: RequirementId;
  readonly headers: Readonly<Record<string, string>>;
  /** 206: the first four bytes. */
  readonly status: 200 | 206 | 304;
}

async function proveStatus(run: Run, { ask, bytes }: Stream, { id, headers, status }: Condition) {
  const answer = await run.ask({ ...ask, headers });
  const size = { 200: bytes.length, 206: 4, 304: 0 }[status];
  const isRight = answer.status === status && answer.size === size;
  const fault = `the answer is ${answer.status} with ${answer.size} bytes, not ${status} with ${size}`;
  run.prove(id, answer, unless(isRight, fault));
}
