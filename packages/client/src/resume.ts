// A download that goes on where it broke off, as long as the service still has the same bytes.
import { sleep } from "./clock.ts";
import { ConnectionError, ProtocolError } from "./errors.ts";
import type { Exchange, Wire } from "./exchange.ts";
import { isEncoded, parseAnnounced } from "./recording-headers.ts";
import { isPassing, toWaitMs } from "./retry.ts";

/** A recording stream that was answered. */
export interface Opened {
  readonly response: Response;
  readonly body: ReadableStream<Uint8Array>;
  readonly exchange: Exchange;
}

/** Headers of a request for the rest (RFC 9110, 13.1.5 and 14.2). */
export type RangeHeaders = Readonly<Record<"Range" | "If-Range", string | undefined>>;

/** A connection that brings less than this counts as one that failed, so that there is an end to it. */
const MIN_PROGRESS_BYTES = 65_536;

/** The bytes of `first` and, where it breaks off, those of what `reopen` gives for the rest. */
export function resumeStream(
  first: Opened,
  reopen: (headers: RangeHeaders) => Promise<Opened>,
  { options, emit }: Wire,
): ReadableStream<Uint8Array> {
  const { exchange } = first;
  const { bytes: total = Infinity } = parseAnnounced(first.response.headers);
  const identity = toIdentity(first.response.headers);
  let reader = first.body.getReader();
  let [offset, skip, reopenedAt, failures] = [0, 0, 0, 0];
  let isCancelled = false;

  async function resume(cause: unknown): Promise<void> {
    await reader.cancel().catch(() => {});
    failures = offset - reopenedAt < MIN_PROGRESS_BYTES ? failures + 1 : 0;
    if (!isPassing(cause) || identity === undefined || failures > options.maxRetries) throw cause;
    reopenedAt = offset;
    emit(exchange, { type: "resume", offset, error: cause });
    await sleep(toWaitMs(failures, undefined, options.random), exchange, options.clock);
    const ifRange = identity.startsWith('"') ? identity : undefined;
    const next = await reopen({ Range: `bytes=${offset}-`, "If-Range": ifRange });
    reader = next.body.getReader();
    if (isCancelled) return reader.cancel();
    skip = offset - toStart(next.response);
    if (toIdentity(next.response.headers) !== identity || !(skip >= 0))
      throw new ProtocolError("The rest that came is not of the same recording", next.exchange);
  }

  /** The next bytes; undefined at the end. */
  async function read(): Promise<Uint8Array | undefined> {
    const { done, value } = await reader.read();
    if (done && offset < total && total !== Infinity)
      throw new ConnectionError(`${offset} of ${total} bytes came`, exchange);
    if (done) return undefined;
    const piece = value.subarray(skip);
    skip = Math.max(0, skip - value.length);
    offset += piece.length;
    if (offset > total) throw new ProtocolError(`More than ${total} bytes came`, exchange);
    return piece;
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;)
          try {
            const piece = await read();
            if (piece === undefined) return controller.close();
            if (piece.length > 0) return controller.enqueue(piece);
          } catch (error) {
            if (isCancelled) return;
            await resume(error);
          }
      },
      cancel(reason) {
        isCancelled = true;
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * What tells the bytes from others: a strong ETag (RFC 9110, 8.8.3), else the digest of the whole.
 * Of encoded bytes there is none: a range counts them as they are sent, and `fetch` gives them decoded.
 */
function toIdentity(headers: Headers): string | undefined {
  if (isEncoded(headers)) return undefined;
  const etag = headers.get("ETag") ?? "";
  return etag.startsWith('"') ? etag : parseAnnounced(headers).sha256;
}

/** At which byte an answer begins. A 200 has the whole. */
function toStart({ status, headers }: Response): number {
  if (status !== 206) return 0;
  return Number(/^bytes (\d+)-/.exec(headers.get("Content-Range") ?? "")?.[1]);
}
