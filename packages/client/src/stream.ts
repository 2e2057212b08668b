// Bytes while they are read: typed errors, an end to silence, and nothing left open behind them.
import { toError, toFault } from "./answer.ts";
import type { Answered } from "./exchange.ts";

/** Bytes that come piece by piece. */
export interface Source {
  /** Undefined at the end. */
  readonly read: () => Promise<Uint8Array | undefined>;
  readonly close: () => Promise<void>;
}

/**
 * The bytes of a recording. A 304 has none.
 *
 * @throws ProtocolError where JSON or a web page came instead, as from a sign-in page on the way.
 */
export async function openRecording(exchange: Answered): Promise<Source> {
  const { response } = exchange;
  const type = response.headers.get("Content-Type") ?? "";
  if (!/json|html/i.test(type)) return openBody(exchange);
  throw toError(exchange, "", `with ${type}, not a recording`);
}

/** The body of an answer. `idleTimeoutMs` of silence are a TimeoutError. */
export function openBody(exchange: Answered): Source {
  const { watch } = exchange;
  const { body } = exchange.response;
  if (!body || !watch) return { read: async () => undefined, close: async () => {} };
  exchange.watch = undefined;
  watch.allow(Infinity);
  const reader = body.getReader();
  return {
    async read() {
      watch.allow(exchange.options.idleTimeoutMs);
      try {
        const { done, value } = await reader.read();
        watch.allow(Infinity);
        if (done) watch.release();
        return value;
      } catch (cause) {
        watch.release();
        throw toFault(cause, exchange, watch);
      }
    },
    close() {
      watch.release();
      // Of a body that broke off this fails.
      return reader.cancel().catch(() => {});
    },
  };
}

/** The bytes as a stream, which is read no faster than it is asked for. */
export function toStream({ read, close }: Source): ReadableStream<Uint8Array> {
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await read();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
  dropped.register(stream, close);
  return stream;
}

// Nobody reads on, so that no time-out ends it: a program may pause for as long as it likes.
const dropped = /* @__PURE__ */ new FinalizationRegistry<Source["close"]>((close) => void close());
