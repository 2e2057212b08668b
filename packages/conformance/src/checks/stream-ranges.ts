// Parts of a stream, and streams asked for on a condition (D16).
import type { Answer, Ask } from "../http/answer.ts";
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

/** The second half of a stream alone. */
export async function proveHalf(run: Run, stream: Stream): Promise<void> {
  const { length } = stream.bytes;
  if (length < SHORTEST_BYTES) return;
  const first = length >> 1;
  await proveRange(run, stream, { asked: `bytes=${first}-`, first, last: length - 1 });
}

export async function proveRanges(run: Run, stream: Stream): Promise<void> {
  const { length } = stream.bytes;
  if (length < SHORTEST_BYTES) return;
  const middle = length >> 1;
  const asked: readonly Range[] = [
    { asked: "bytes=0-3", first: 0, last: 3 },
    { asked: `bytes=${middle}-${middle + 1}`, first: middle, last: middle + 1 },
    { asked: "bytes=-5", first: length - 5, last: length - 1 },
  ];
  await proveHalf(run, stream);
  for (const range of asked) await proveRange(run, stream, range);
  await proveRefused(run, stream, { Range: `bytes=${length}-`, status: 416 });
  await proveRefused(run, stream, { Range: "bytes=5-2", status: 400 });
  await proveRefused(run, stream, { Range: "bytes=x-", status: 400 });
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

export async function proveConditions(run: Run, { ask, bytes, whole }: Stream): Promise<void> {
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
