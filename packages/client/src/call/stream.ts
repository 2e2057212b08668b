// Bytes while they are read: typed errors, an end to silence, and nothing left open behind them.
import { readText, toError, toFault } from "./answer.ts";
import type { Answered } from "./exchange.ts";

/** Bytes that come piece by piece. */
export type Pieces = AsyncGenerator<Uint8Array, undefined, undefined>;

/**
 * The bytes of a recording. A 304 has none.
 *
 * @throws EnvelopeError where the service refuses in the body alone, ProtocolError where other JSON or a web page came
 * instead, as from a sign-in page on the way.
 */
export async function openRecording(exchange: Answered): Promise<Pieces> {
  const type = exchange.response.headers.get("Content-Type") ?? "";
  if (!/json|html/i.test(type)) return openBody(exchange);
  // A page tells programs nothing, and may have no end.
  const text = /json/i.test(type) ? await readText(exchange) : "";
  throw toError(exchange, `with ${type}, not a recording`, text);
}

/** The body of an answer. `idleTimeoutMs` of silence are a TimeoutError; a program may be silent for as long as it likes. */
export function openBody(exchange: Answered): Pieces {
  const { watch } = exchange;
  if (exchange.response.body) watch.allow(Infinity);
  else watch.release();
  return readPieces(exchange);
}

async function* readPieces(exchange: Answered): Pieces {
  const { watch } = exchange;
  const reader = exchange.response.body?.getReader();
  try {
    for (;;) {
      watch.allow(exchange.options.idleTimeoutMs);
      const piece = (await reader?.read())?.value;
      watch.allow(Infinity);
      if (!piece) break;
      yield piece;
    }
    watch.release();
  } catch (cause) {
    throw toFault(cause, exchange);
  } finally {
    watch.abort();
  }
}

/** The bytes of an answer as a stream, which is read no faster than it is asked for. */
export function toStream(pieces: Pieces, exchange: Answered): ReadableStream<Uint8Array> {
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = await pieces.next();
        if (value) controller.enqueue(value);
        else controller.close();
      },
      cancel() {
        exchange.watch.abort();
        void pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  dropped.register(stream, exchange);
  return stream;
}

// Nobody reads on, so that no time-out ends it: a program may pause for as long as it likes.
const dropped = /* @__PURE__ */ new FinalizationRegistry<Answered>((exchange) =>
  exchange.watch.abort(),
);
