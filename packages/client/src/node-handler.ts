// Adapts a handler of the Fetch standard to node:http, Express and others built on it.
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { AMBIGUOUS_PATH, isAmbiguous } from "./call/dot-segments.ts";
import { toErrorEnvelope } from "./call/web-response.ts";

/** The fields that Express and Connect add to a request. */
interface Incoming extends IncomingMessage {
  /** Includes the path at which the handler is mounted. */
  readonly originalUrl?: string;
  /** The parsed body, for example by `express.json()`. */
  readonly body?: unknown;
}

/**
 * Makes a handler for node:http, Express or Connect from one that returns a `Response` for a `Request`, such as that of `createProxy`. The
 * request is aborted when its connection ends. An ambiguous path, such as one with a dot segment, gets 400: a `Request` would resolve it
 * after your routes have checked the original. The method TRACE gets 405, because a `Request` cannot have it. The handler is called before
 * the body has arrived.
 *
 * @example
 * ```ts
 * app.use("/archive", toNodeHandler(createProxy({ baseUrl, credentials, prefix: "/archive" })));
 * ```
 */
export function toNodeHandler(
  handle: (request: Request) => Promise<Response>,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const closed = new AbortController();
    outgoing.once("close", () => closed.abort());
    try {
      const { status, headers, body } =
        findRefusal(incoming) ?? (await handle(toRequest(incoming, closed.signal)));
      outgoing.writeHead(status, Object.fromEntries(headers));
      // Its own type is that of node:stream/web.
      if (body) await pipeline(Readable.fromWeb(body as never), outgoing);
      else outgoing.end();
    } catch {
      // Headers that were sent cannot be withdrawn: the page sees the failure as an interrupted connection.
      outgoing.destroy();
    }
  };
  return (incoming, outgoing) => void answer(incoming, outgoing);
}

const toTarget = ({ originalUrl, url = "/" }: Incoming): string => originalUrl ?? url;

/** https://fetch.spec.whatwg.org, section 2.2.1. */
const FORBIDDEN = /^(?:connect|trace|track)$/i;

/** The response to a request that no `Request` can represent. */
function findRefusal(incoming: Incoming): Response | undefined {
  if (isAmbiguous(toTarget(incoming))) return toErrorEnvelope(AMBIGUOUS_PATH, { status: 400 });
  const { method = "GET" } = incoming;
  if (!FORBIDDEN.test(method)) return undefined;
  return toErrorEnvelope(`${method} is not answered here`, { status: 405 });
}

function toRequest(incoming: Incoming, signal: AbortSignal): Request {
  const { method = "GET", headersDistinct, body } = incoming;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const isRead = method !== "GET" && method !== "HEAD";
  // Its own type is that of node:stream/web.
  const toBody = () =>
    body === undefined ? (Readable.toWeb(incoming) as never) : JSON.stringify(body);
  const target = toTarget(incoming);
  // The host is not used, and a caller may send any. Relative to a base, //x would be a host.
  const whole = target.startsWith("/") ? `http://localhost${target}` : target;
  return new Request(new URL(whole, "http://localhost"), {
    method,
    headers,
    signal,
    ...(isRead && { body: toBody(), duplex: "half" }),
  });
}
