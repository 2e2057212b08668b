// A handler of the Fetch standard under node:http, Express and others that are built on it.
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { AMBIGUOUS_PATH, isAmbiguous } from "./call/dot-segments.ts";
import { toErrorEnvelope } from "./call/web-response.ts";

/** What Express and Connect add to a request. */
interface Incoming extends IncomingMessage {
  /** With the path that the handler is mounted at. */
  readonly originalUrl?: string;
  /** Parsed already, by `express.json()` say. */
  readonly body?: unknown;
}

/**
 * Makes a handler for node:http, Express or Connect of one that answers a `Request` with a `Response`, such as that of
 * `createProxy`. The request is aborted when its connection ends. A path that could be read as another one, such as one with
 * a dot segment, is answered 400: a `Request` would resolve it, after your routes have judged it as it came. The method TRACE is
 * answered 405, as no `Request` may have it. The handler is called before the body has come.
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
      // A head that was sent cannot be taken back: an interrupted connection is how the page learns of it.
      outgoing.destroy();
    }
  };
  return (incoming, outgoing) => void answer(incoming, outgoing);
}

const toTarget = ({ originalUrl, url = "/" }: Incoming): string => originalUrl ?? url;

/** https://fetch.spec.whatwg.org, section 2.2.1. */
const FORBIDDEN = /^(?:connect|trace|track)$/i;

/** The answer to what no `Request` could be. */
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
  // Its host is not used, and may be anything that a caller likes. Relative to a base, //x would be one.
  const whole = target.startsWith("/") ? `http://localhost${target}` : target;
  return new Request(new URL(whole, "http://localhost"), {
    method,
    headers,
    signal,
    ...(isRead && { body: toBody(), duplex: "half" }),
  });
}
