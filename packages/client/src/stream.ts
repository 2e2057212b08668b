// A body while it is read: typed errors, an end to silence, and nothing left open behind it.
import { toFault } from "./answer.ts";
import { ProtocolError, toName } from "./errors.ts";
import type { Exchange } from "./exchange.ts";

/**
 * The bytes of a recording. A 304 has none.
 *
 * @throws ProtocolError where JSON or a web page came instead, as from a sign-in page on the way.
 */
export async function toRecordingBody(
  response: Response,
  exchange: Exchange,
  idleMs: number,
): Promise<ReadableStream<Uint8Array>> {
  const { status, headers } = response;
  const type = headers.get("Content-Type") ?? "";
  if (!/json|html/i.test(type)) return toBody(response, exchange, idleMs);
  await response.body?.cancel();
  const fault = `${toName(exchange)} was answered with ${type}, not a recording`;
  throw new ProtocolError(fault, exchange, { status });
}

/** The body, read no faster than it is asked for. `idleMs` of silence are a TimeoutError. */
export function toBody(
  { body }: Response,
  exchange: Exchange,
  idleMs: number,
): ReadableStream<Uint8Array> {
  const { watch } = exchange;
  if (body === null || watch === undefined) return new Blob([]).stream();
  exchange.watch = undefined;
  watch.allow(Infinity);
  const reader = body.getReader();
  const close = (reason?: unknown) => {
    watch.release();
    return reader.cancel(reason);
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        watch.allow(idleMs);
        try {
          const { done, value } = await reader.read();
          watch.allow(Infinity);
          if (!done) return controller.enqueue(value);
          watch.release();
          controller.close();
        } catch (cause) {
          watch.release();
          throw toFault(cause, exchange, watch);
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
  dropped.register(stream, close);
  return stream;
}

// Nobody reads on, so that no time-out ends it: a program may pause for as long as it likes.
const dropped = /* @__PURE__ */ new FinalizationRegistry<() => Promise<void>>((close) => {
  // Of a body that broke off this fails.
  close().catch(() => {});
});
