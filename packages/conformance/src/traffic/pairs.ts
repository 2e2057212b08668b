// Pairs of recorded responses that one caller got in quick succession, while nothing was written.
import type { Answer } from "../ask.ts";
import type { Two } from "../laws/law.ts";

/** The maximum time between two responses of a pair. */
const MAX_APART_MS = 2_000;
/** Each further response of a caller is compared with all of these. */
const MAX_RECENT = 20;

interface Timed {
  readonly answer: Answer;
  readonly startMs: number;
  readonly endMs: number;
}

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

export interface Pairs {
  /** Takes an exchange in the order of the recording. @returns the pairs that are now certain */
  readonly take: (answer: Answer, startMs: number) => readonly Two[];
  /** Records that something may have been changed in this time. */
  readonly noteWrite: (startMs: number, endMs: number) => void;
  /** The pairs that waited for what might have been written meanwhile. */
  readonly end: () => readonly Two[];
}

/** `lagMs`: how long a service may show old data after a write. */
export function createPairs(lagMs: number): Pairs {
  let reads: Timed[] = [];
  let writes: Span[] = [];
  /** Reads that other exchanges may still overlap. */
  let waiting: Timed[] = [];

  const isQuiet = ({ startMs, endMs }: Span): boolean =>
    !writes.some((write) => write.startMs <= endMs && write.endMs + lagMs >= startMs);

  const settle = (untilMs: number): Two[] => {
    const ready = waiting.filter(({ endMs }) => endMs < untilMs);
    waiting = waiting.filter(({ endMs }) => endMs >= untilMs);
    return ready.flatMap((second) => {
      const pairs = reads
        .filter((first) => isPair(first, second))
        .filter(({ startMs }) => isQuiet({ startMs, endMs: second.endMs }))
        .map((first): Two => [first.answer, second.answer]);
      reads = [...reads, second].slice(-MAX_RECENT);
      return pairs;
    });
  };

  return {
    noteWrite: (startMs, endMs) => {
      // A write at an unknown time may have been at any time.
      if (Number.isNaN(startMs + endMs)) writes.push({ startMs: -Infinity, endMs: Infinity });
      else writes.push({ startMs, endMs });
    },
    take: (answer, startMs) => {
      const endMs = answer.receivedMs;
      // Without its time, an exchange may have been at any time.
      if (Number.isNaN(startMs) || Number.isNaN(endMs)) return [];
      const pairs = settle(startMs);
      const oldest = startMs - MAX_APART_MS - lagMs;
      writes = writes.filter((write) => write.endMs >= oldest - MAX_APART_MS);
      reads = reads.filter((read) => read.endMs >= oldest);
      if (isOfOne(answer)) waiting.push({ answer, startMs, endMs });
      return pairs;
    },
    end: () => settle(Infinity),
  };
}

/** False if several callers may stand behind the request, because the recording has no credentials. */
const isOfOne = ({ ask: { caller }, operation: { security }, isSuccess, lacks }: Answer): boolean =>
  isSuccess && lacks?.body !== true && (security.length === 0 || (caller ?? null) !== null);

const isPair = (first: Timed, second: Timed): boolean =>
  first.endMs <= second.startMs &&
  second.startMs - first.endMs <= MAX_APART_MS &&
  first.answer.ask.caller?.name === second.answer.ask.caller?.name;
