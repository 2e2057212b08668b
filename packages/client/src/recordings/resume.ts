// A download that goes on where it broke off, as long as the service still has the same bytes.
import type { Answered } from "../call/exchange.ts";
import { isPassing, toWaitMs } from "../call/retry.ts";
import type { Pieces } from "../call/stream.ts";
import { sleep } from "../clock.ts";
import { ConnectionError, ProtocolError, toRefusal } from "../errors.ts";
import { MIN_PROGRESS_BYTES } from "../limits.ts";
import type { Described } from "./recording-headers.ts";

/** A recording that was answered. */
export interface Opened extends Described {
  readonly exchange: Answered;
  readonly pieces: Pieces;
}

/** Headers of a request for the rest (RFC 9110, 13.1.5 and 14.2). */
export type RangeHeaders = Readonly<Record<"Range" | "If-Range", string | undefined>>;

/** The bytes of `first` and, where it breaks off, those of what `reopen` gives for the rest. */
export async function* resume(
  { exchange, announced, identity, pieces }: Opened,
  reopen: (headers: RangeHeaders) => Promise<Opened>,
): Pieces {
  const { about, options } = exchange;
  // NaN is neither more nor less than what came.
  const total = Number(announced.bytes);
  let offset = 0;
  let failures = 0;
  for (;;) {
    const start = offset;
    try {
      for await (const piece of pieces) {
        offset += piece.length;
        if (offset > total) throw new ProtocolError(`${offset} of ${total} bytes came`, about);
        yield piece;
      }
      if (offset < total) throw new ConnectionError(`${offset} of ${total} bytes came`, about);
      return;
    } catch (error) {
      failures = offset - start < MIN_PROGRESS_BYTES ? failures + 1 : 0;
      if (!isPassing(error) || !identity || failures > options.maxRetries) throw error;
      options.emit?.(about, { type: "resume", offset, error });
      await sleep(exchange, toWaitMs(failures, options.random));
      const rest = await reopen({
        Range: `bytes=${offset}-`,
        "If-Range": identity.startsWith('"') ? identity : undefined,
      }).catch((other: unknown) => {
        throw toRefusal(other) === 416 ? error : other;
      });
      exchange.watch = rest.exchange.watch;
      pieces = goOn(rest, identity, offset);
    }
  }
}

/** @throws ProtocolError where `rest` is not of the same bytes, or begins elsewhere. */
function goOn(rest: Opened, identity: string, offset: number): Pieces {
  const { exchange, pieces } = rest;
  const { response } = exchange;
  if (rest.identity === identity) {
    if (response.status !== 206) return skip(pieces, offset);
    if (response.headers.get("Content-Range")?.startsWith(`bytes ${offset}-`)) return pieces;
  }
  exchange.watch.abort();
  throw new ProtocolError("The rest is of another recording", exchange.about);
}

async function* skip(pieces: Pieces, count: number): Pieces {
  for await (const piece of pieces) {
    yield piece.subarray(count);
    count = Math.max(0, count - piece.length);
  }
}
