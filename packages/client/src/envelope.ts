// A recording that comes as base64 in JSON, from a service without streams.
import { parseSuccess, toError, toFault } from "./answer.ts";
import { until } from "./clock.ts";
import type { Answered } from "./exchange.ts";
import { type Announced, parseAnnounced, toFilename } from "./recording-headers.ts";
import { openBody, type Source } from "./stream.ts";

/** The bytes of a recording and its file name; nothing else is known of it. */
export interface Unpacked {
  readonly announced: Announced;
  readonly source: Source;
}

/**
 * Loads what decodes base64, for the first time that it is needed.
 *
 * @throws EnvelopeError where the envelope says that there is no recording, ProtocolError where it is no envelope or has no
 * base64, ConnectionError where it breaks off or the decoder does not load; reading throws them too.
 */
export async function openEnvelope(exchange: Answered): Promise<Unpacked> {
  const loading = import("./base64.ts");
  const { decodeEnvelope } = await until(loading, exchange, exchange.options.tryTimeoutMs);
  const { filename, source } = await decodeEnvelope(openBody(exchange), {
    parse: (json) => parseSuccess(json, exchange),
    toError: (fault) => toError(exchange, "", fault),
    toFault: (cause) => toFault(cause, exchange),
  });
  const unknown = parseAnnounced(new Headers());
  return { announced: { ...unknown, filename: toFilename(filename) }, source };
}
