// A recording that comes as base64 in JSON, from a service without streams.
import { parseSuccess, toError } from "./answer.ts";
import { until } from "./clock.ts";
import { ConnectionError } from "./errors.ts";
import type { Answered } from "./exchange.ts";
import { describe, toFilename } from "./recording-headers.ts";
import type { Opened } from "./resume.ts";
import { openBody } from "./stream.ts";

/**
 * Loads what decodes base64, for the first time that it is needed. Of the recording nothing but the file name is known.
 *
 * @throws EnvelopeError where the envelope says that there is no recording, ProtocolError where it is no envelope or has no
 * base64, ConnectionError where it breaks off or the decoder does not load; reading throws them too.
 */
export async function openEnvelope(exchange: Answered): Promise<Opened> {
  const loading = import("./base64.ts");
  const { decodeEnvelope } = await until(() => loading, exchange, exchange.options.tryTimeoutMs);
  const { filename, pieces } = await decodeEnvelope(openBody(exchange), {
    parse: (json) => parseSuccess(json, exchange),
    toError: (fault) => toError(exchange, fault),
    toBreak: (message) => new ConnectionError(message, exchange.about),
  });
  const unknown = describe(new Headers());
  const announced = { ...unknown.announced, filename: toFilename(filename) };
  return { announced, identity: undefined, exchange, pieces };
}
