// A download that goes on where it broke off, as long as the service still has the same bytes.
import { sleep } from "./clock.ts";
import { ConnectionError, ProtocolError } from "./errors.ts";
import type { Answered } from "./exchange.ts";
import { MIN_PROGRESS_BYTES } from "./limits.ts";
import { isEncoded, parseAnnounced } from "./recording-headers.ts";
import { isPassing, toWaitMs } from "./retry.ts";
import type { Source } from "./stream.ts";

/** A recording stream that was answered. */
export interface Opened {
  readonly exchange: Answered;
  readonly source: Source;
}

/** Headers of a request for the rest (RFC 9110, 13.1.5 and 14.2). */
export type RangeHeaders = Readonly<Record<"Range" | "If-Range", string | undefined>>;

/** The bytes of `first` and, where it breaks off, those of what `reopen` gives for the rest. */
export function resumeSource(
  { exchange, source }: Opened,
  reopen: (headers: RangeHeaders) => Promise<Opened>,
): Source {
  const { about, emit, options, response } = exchange;
  // NaN is neither more nor less than what came.
  const { bytes: total = Number.NaN } = parseAnnounced(response.headers);
  const identity = toIdentity(response.headers);
  let [offset, skip, reopenedAt, failures] = [0, 0, 0, 0];
  let isClosed = false;

  async function resume(cause: unknown): Promise<void> {
    await source.close();
    failures = offset - reopenedAt < MIN_PROGRESS_BYTES ? failures + 1 : 0;
    if (!isPassing(cause) || !identity || failures > options.maxRetries) throw cause;
    reopenedAt = offset;
    emit(about, { type: "resume", offset, error: cause });
    await sleep(exchange, toWaitMs(failures, undefined, options.random));
    const ifRange = identity.startsWith('"') ? identity : undefined;
    const next = await reopen({ Range: `bytes=${offset}-`, "If-Range": ifRange });
    source = next.source;
    if (isClosed) return void source.close();
    const { headers, status } = next.exchange.response;
    const range = headers.get("Content-Range");
    // A 200 has the whole.
    const isRest = status === 206;
    skip = isRest ? 0 : offset;
    if (toIdentity(headers) !== identity || (isRest && !range?.startsWith(`bytes ${offset}-`)))
      throw new ProtocolError(
        "The rest that came is not of the same recording",
        next.exchange.about,
      );
  }

  async function read(): Promise<Uint8Array | undefined> {
    try {
      const piece = await source.read();
      if (!piece && offset < total)
        throw new ConnectionError(`${offset} of ${total} bytes came`, about);
      const rest = piece?.subarray(skip);
      skip = Math.max(0, skip - (piece?.length ?? 0));
      offset += rest?.length ?? 0;
      if (offset > total) throw new ProtocolError(`More than ${total} bytes came`, about);
      return rest;
    } catch (error) {
      if (isClosed) return undefined;
      await resume(error);
      return read();
    }
  }

  return {
    read,
    close() {
      isClosed = true;
      return source.close();
    },
  };
}

/**
 * What tells the bytes from others: a strong ETag (RFC 9110, 8.8.3), else the digest of the whole.
 * Of encoded bytes there is none: a range counts them as they are sent, and `fetch` gives them decoded.
 */
function toIdentity(headers: Headers): string | undefined {
  if (isEncoded(headers)) return undefined;
  const etag = headers.get("ETag");
  return etag?.startsWith('"') ? etag : parseAnnounced(headers).sha256;
}
