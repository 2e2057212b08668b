// Explains in a few words why no response came: DNS, a time-out, a certificate, a refused connection, or a forbidden origin.
import { readPageUrl } from "../page.ts";

/** A chain of causes may be circular. */
const MAX_DEPTH = 10;

/** The innermost reason of an error from `fetch`; empty if there is none. */
export function toReason(cause: unknown, url: string): string {
  const inner = findInnermost(cause);
  const reason =
    inner instanceof Error ? addHint(inner.message || readCode(inner), readCode(inner)) : "";
  const origin = findForeignOrigin(url);
  if (origin === undefined) return reason;
  // A browser does not give the reason: it may also be the network.
  return `${reason || "no reason given"}; does the service allow the origin ${origin}?`;
}

/** These come from undici (`fetch` in Node.js), from sockets, and from a signal of the program's own `fetch`. */
const TIME_OUT = /^(UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT|E(SOCKET)?TIMEDOUT|TimeoutError)$/;

/** The code of the TimeoutError for an error from `fetch`; undefined if it is not a time-out. */
export function toTimeOutCode(cause: unknown): string | undefined {
  const inner = findInnermost(cause);
  if (!(inner instanceof Error)) return undefined;
  const code = readCode(inner);
  if (![inner.name, code].some((one) => TIME_OUT.test(one))) return undefined;
  return code === "UND_ERR_BODY_TIMEOUT" ? "CLIENT_BODY_TIMEOUT" : "CLIENT_TIMEOUT";
}

/** Codes of OpenSSL for certificates whose authority is unknown. */
const UNKNOWN_AUTHORITY =
  /^(SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF))/;

function addHint(reason: string, code: string): string {
  const isUnknown = UNKNOWN_AUTHORITY.test(code);
  return isUnknown ? `${reason}; for an authority of your own, set NODE_EXTRA_CA_CERTS` : reason;
}

function readCode(error: Error): string {
  return "code" in error ? String(error.code) : "";
}

/** `fetch` of Node.js has the reason in `cause`. With several addresses, it is in the `errors` of that cause. */
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
  const page = readPageUrl();
  if (page === undefined) return undefined;
  const { origin } = new URL(page);
  return new URL(url).origin === origin ? undefined : origin;
}
