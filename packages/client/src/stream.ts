// A body while it is read: typed errors, an end to silence, and nothing left open behind it.
import { type Exchange, toFault, toName } from "./answer.ts";
import type { Watch } from "./clock.ts";
import { ProtocolError } from "./errors.ts";

/** Ends what was under way for a stream that was dropped unread, as `fetch` does for its own. */
const dropped = /* @__PURE__ */ new FinalizationRegistry<Watch>((watch) => watch.abandon());

export interface Guard {
  readonly exchange: Exchange;
  readonly watch: Watch;
  readonly idleTimeoutMs: number;
}

/**
 * The bytes of a recording. A 304 has none.
 *
 * @throws ProtocolError where JSON or a web page came instead, as from a sign-in page on the way.
 */
export async function toRecordingBody(
  response: Response,
  guard: Guard,
): Promise<ReadableStream<Uint8Array>> {
  const type = response.headers.get("Content-Type") ?? "";
  if (/json|html/i.test(type)) {
    await response.body?.cancel();
    const fault = `${toName(guard.exchange)} was answered with ${type}, not a recording`;
    throw new ProtocolError(fault, guard.exchange, { status: response.status });
  }
  return guardStream(response.body ?? new Blob([]).stream(), guard);
}

/** `body`, with what breaks it as a typed error. It is read no faster than it is asked for. */
export function guardStream(
  body: ReadableStream<Uint8Array>,
  { exchange, watch, idleTimeoutMs }: Guard,
): ReadableStream<Uint8Array> {
  watch.allow(Infinity);
  // Taken at the first read: until then `fetch` itself closes a body whose response is dropped.
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const end = () => {
    watch.release();
    dropped.unregister(watch);
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= body.getReader();
        watch.allow(idleTimeoutMs);
        try {
          const { done, value } = await reader.read();
          watch.allow(Infinity);
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        } catch (cause) {
          end();
          throw toFault(cause, exchange, watch);
        }
      },
      async cancel(reason) {
        end();
        await (reader ?? body).cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  dropped.register(stream, watch, watch);
  return stream;
}
