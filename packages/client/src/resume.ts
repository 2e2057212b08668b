// A download that goes on where it broke off, as long as the service still has the same bytes.
import { sleep } from "./clock.ts";
import { ConnectionError, ProtocolError } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import { isEncoded, parseAnnounced } from "./recording-headers.ts";
import { isPassing, toWaitMs } from "./retry.ts";
import type { Source } from "./stream.ts";

/** A recording stream that was answered. */
export interface Opened {
  readonly response: Response;
  readonly source: Source;
  readonly exchange: Exchange;
}

/** Headers of a request for the rest (RFC 9110, 13.1.5 and 14.2). */
export type RangeHeaders = Readonly<Record<"Range" | "If-Range", string | undefined>>;

/** A connection that brings less than this counts as one that failed, so that there is an end to it. */
const MIN_PROGRESS_BYTES = 65_536;

/** The bytes of `first` and, where it breaks off, those of what `reopen` gives for the rest. */
export function resumeSource(
  { exchange, response, source }: Opened,
  reopen: (headers: RangeHeaders) => Promise<Opened>,
): Source {
  const { about, emit, options } = exchange;
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
    skip = offset - toStart(next.response);
    if (toIdentity(next.response.headers) !== identity || !(skip >= 0))
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

/** At which byte an answer begins. A 200 has the whole. */
function toStart({ status, headers }: Response): number {
  if (status !== 206) return 0;
  return Number(/^bytes (\d+)-/.exec(headers.get("Content-Range") ?? "")?.[1]);
}
