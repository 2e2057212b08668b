// Explains why a service cannot be reached, and what may help.
import { io } from "@call-media/terminal";

interface Unreachable {
  readonly reason: string;
  readonly advice: string;
}

const ADVICE = "check the address and the network";

const PROXY_ADVICE =
  "if only a proxy reaches it, set NODE_USE_ENV_PROXY=1 as well: without it Node.js ignores HTTPS_PROXY";

/** Codes of OpenSSL for plain HTTP, or anything else, instead of a TLS record. */
const NO_TLS: ReadonlySet<string> = new Set([
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_SSL_PACKET_LENGTH_TOO_LONG",
]);

/** Codes of Node.js (node:tls, X509 certificate error codes) for a certificate that no trusted authority has signed. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** `cause`: the cause of a ConnectionError, thrown by `fetch`. The reason is empty if it is unknown. */
export function toUnreachable(cause: unknown): Unreachable {
  // The error of `fetch` has the real error as its cause.
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  if (!(inner instanceof Error)) return { reason: "", advice: ADVICE };
  const code = "code" in inner ? String(inner.code) : "";
  if (NO_TLS.has(code))
    return { reason: "the server does not speak TLS", advice: "is it http: and not https:?" };
  if (UNTRUSTED.has(code))
    return {
      // After a semicolon, Node.js suggests an option that this program cannot pass on.
      reason: inner.message.replace(/;.*/s, ""),
      advice:
        "for your own certificate authority, set NODE_EXTRA_CA_CERTS to the file of its certificate",
    };
  const isElsewhere = !("address" in inner) || !/^(?:127\.|::1$)/.test(String(inner.address));
  const advice = isElsewhere && isProxyIgnored(io().env) ? PROXY_ADVICE : ADVICE;
  return { reason: inner.message || code, advice };
}

const isProxyIgnored = ({ HTTPS_PROXY, https_proxy, NODE_USE_ENV_PROXY }: NodeJS.ProcessEnv) =>
  Boolean(HTTPS_PROXY ?? https_proxy) && NODE_USE_ENV_PROXY !== "1";

/** Reason and advice that replace OpenSSL's message; undefined if the system's message is clear enough. */
export function explainUnreachable(cause: unknown): string | undefined {
  const { reason, advice } = toUnreachable(cause);
  return advice === ADVICE ? undefined : `${reason}: ${advice}`;
}
