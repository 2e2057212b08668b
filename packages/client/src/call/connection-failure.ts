// Why no response came, in a few words: DNS, a certificate, a refused connection, an origin that is not allowed.

/** Of OpenSSL, when plain HTTP or something else comes instead of a TLS record. */
const NO_TLS = /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/;

/** A chain of causes may be a circle. */
const MAX_DEPTH = 10;

/** The innermost reason of what `fetch` threw; empty if it gives none. */
export function toReason(cause: unknown, url: string): string {
  const { message, code } = Object(findInnermost(cause)) as Record<string, unknown>;
  if (NO_TLS.test(String(code))) return "what answers does not speak TLS";
  const reason = String(message || code || "");
  const origin = findForeignOrigin(url);
  if (origin === undefined) return reason;
  // A browser does not say why: it may as well be the network.
  return `${reason}; if the service can be reached, it must allow the origin ${origin}`;
}

/** `fetch` of Node.js keeps the reason in `cause`; with several addresses, in the errors of that. */
function findInnermost(error: unknown): unknown {
  let inner = error;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const { cause, errors } = Object(inner) as { cause?: unknown; errors?: readonly unknown[] };
    const deeper = cause ?? errors?.[0];
    if (!(deeper instanceof Error)) break;
    inner = deeper;
  }
  return inner;
}

/** The origin of the page, if the service has another. */
function findForeignOrigin(url: string): string | undefined {
  if (!("document" in globalThis)) return undefined;
  const location: { readonly origin?: unknown } = Object(Reflect.get(globalThis, "location"));
  const origin = String(location.origin);
  return new URL(url).origin === origin ? undefined : origin;
}
