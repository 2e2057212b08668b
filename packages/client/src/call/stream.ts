// Reads bytes with typed errors and an idle time-out, and always closes the connection.
import { readText } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import { toFailure, toResponseError } from "./response-error.ts";

/** Bytes that arrive in chunks. */
export type Chunks = AsyncGenerator<Uint8Array, undefined, undefined>;

/** The body of a response while it arrives. */
export interface Body {
  readonly chunks: Chunks;
  /** Closes the connection, even while waiting for a chunk. */
  readonly stop: () => void;
}

/**
 * The bytes of a recording. A 304 has none.
 *
 * @throws EnvelopeError if only the body says that the service refused. ProtocolError for other JSON or a web page, such as the sign-in
 * page of a proxy.
 */
export async function openRecording(exchange: Exchange): Promise<Body> {
  const type = exchange.response.headers.get("Content-Type") ?? "";
  if (!/json|html/i.test(type)) return openBody(exchange);
  // A page means nothing to a program, and may have no end.
  const text = /json/i.test(type) ? await readText(exchange) : "";
  throw toResponseError(exchange, { fault: `with ${type}, not a recording`, text });
}

/** `idleTimeoutMs` of silence cause a TimeoutError. The program itself may pause as long as needed. */
export function openBody(exchange: Exchange): Body {
  const { response, watch } = exchange;
  if (response.body) watch.allow(Infinity);
  else watch.release();
  return { chunks: readChunks(exchange), stop: watch.abort };
}

async function* readChunks(exchange: Exchange): Chunks {
  const { options, response, watch } = exchange;
  const reader = response.body?.getReader();
  try {
    for (;;) {
      watch.allow(options.idleTimeoutMs);
      const chunk = (await reader?.read())?.value;
      watch.allow(Infinity);
      if (chunk === undefined) break;
      yield chunk;
    }
    watch.release();
  } catch (cause) {
    throw toFailure(cause, exchange, watch);
  } finally {
    watch.abort();
  }
}

/** A stream that is read from the network no faster than the program reads it. */
export function toStream(body: Body): ReadableStream<Uint8Array> {
  const { chunks, stop } = body;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = await chunks.next();
        if (value) controller.enqueue(value);
        else controller.close();
      },
      cancel() {
        stop();
        void chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  dropped.register(stream, body);
  return stream;
}

// Abandoned streams have no time-out, because a program may pause as long as needed. Garbage collection closes them.
const dropped = /* @__PURE__ */ new FinalizationRegistry<Body>(({ stop }) => stop());
