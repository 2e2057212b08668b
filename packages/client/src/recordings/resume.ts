// Resumes an interrupted download, as long as the service still has the same bytes.
import type { Exchange } from "../call/exchange.ts";
import { isTransient, toBackoffMs } from "../call/retry.ts";
import type { Body, Chunks } from "../call/stream.ts";
import { openPause } from "../call/watch.ts";
import { type CallMediaError, ConnectionError, ProtocolError, toRefusalStatus } from "../errors.ts";
import { MIN_PROGRESS_BYTES } from "../limits.ts";
import type { Described } from "./recording-headers.ts";

/** A recording whose response has begun. */
export interface Opened extends Described {
  readonly exchange: Exchange;
  readonly body: Body;
}

/** Headers of a request for the remaining bytes (RFC 9110, 13.1.5 and 14.2). */
export type RangeHeaders = Readonly<Partial<Record<"Range" | "If-Range", string | undefined>>>;

/**
 * The bytes of a recording from `start` on. They come from `first`, which was requested at `start`. After an interruption, they come from
 * the result of `reopen`.
 */
export function resume(
  first: Opened,
  start: number,
  reopen: (headers: RangeHeaders) => Promise<Opened>,
): Body {
  const { exchange, announced, identity } = first;
  const { about, options } = exchange;
  const begun = start === 0 ? first.body : takeRest(first, identity, start);
  let { stop } = begun;
  let offset = start;
  let failures = 0;

  async function* readAll(): Chunks {
    let { chunks } = begun;
    for (;;) {
      const before = offset;
      try {
        yield* readToEnd(chunks);
        return;
      } catch (error) {
        failures = offset - before < MIN_PROGRESS_BYTES ? failures + 1 : 0;
        const canResume = identity !== undefined && failures <= options.maxRetries;
        if (!canResume || !isTransient(error)) throw error;
        await pause(error);
        const rest = await openRest(identity, error);
        stop = rest.stop;
        chunks = rest.chunks;
      }
    }
  }

  /** @throws ProtocolError if more bytes arrive than were announced, ConnectionError if fewer do. */
  async function* readToEnd(chunks: Chunks): Chunks {
    const total = announced.bytes ?? Number.NaN;
    const toFault = () => `${offset} of ${total} bytes came`;
    for await (const chunk of chunks) {
      offset += chunk.length;
      if (offset > total) throw new ProtocolError(toFault(), about);
      yield chunk;
    }
    if (offset < total) throw new ConnectionError(toFault(), about);
  }

  async function pause(error: CallMediaError): Promise<void> {
    options.emit?.(about, { type: "resume", offset, error });
    const waiting = openPause(exchange, toBackoffMs(failures, options.random));
    stop = waiting.stop;
    await waiting.over;
  }

  async function openRest(known: string, error: CallMediaError): Promise<Body> {
    const headers = {
      Range: `bytes=${offset}-`,
      "If-Range": known.startsWith('"') ? known : undefined,
    };
    const rest = await reopen(headers).catch((other: unknown) => {
      // The service has no remaining bytes: the interruption is the error.
      throw toRefusalStatus(other) === 416 ? error : other;
    });
    return takeRest(rest, known, offset);
  }

  return { chunks: readAll(), stop: () => stop() };
}

/** @throws ProtocolError if `rest` has different bytes, or begins elsewhere. */
function takeRest(
  { body, exchange, identity }: Opened,
  known: string | undefined,
  offset: number,
): Body {
  const { headers, status } = exchange.response;
  if (identity === known) {
    if (status !== 206) return skip(body, offset);
    if (headers.get("Content-Range")?.startsWith(`bytes ${offset}-`)) return body;
  }
  body.stop();
  const details = { code: "CLIENT_OTHER_BYTES" };
  throw new ProtocolError("The rest is of another recording", exchange.about, details);
}

/** The bytes of `body` after the first `count`. */
export function skip({ chunks, stop }: Body, count: number): Body {
  return { chunks: skipChunks(chunks, count), stop };
}

async function* skipChunks(chunks: Chunks, count: number): Chunks {
  let left = count;
  for await (const chunk of chunks) {
    yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}
