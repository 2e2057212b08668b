// Why a service cannot be reached: what the system says of it, in words, and what may help.

import { io } from "../io.ts";
interface Unreachable {
  readonly reason: string;
  readonly advice: string;
}

const ADVICE = "check the address and the network";

const PROXY_ADVICE =
  "where only a proxy leads there, set NODE_USE_ENV_PROXY=1 as well: without it Node.js does not go by HTTPS_PROXY";

/** Of OpenSSL, when plain HTTP or something else comes instead of a TLS record. */
const NO_TLS: ReadonlySet<string> = new Set([
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_SSL_PACKET_LENGTH_TOO_LONG",
]);

/** Of Node.js (node:tls, X509 certificate error codes): nobody whom this machine trusts has signed the certificate. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** `cause`: what `fetch` threw, as a ConnectionError keeps it. The reason is empty where nothing is known. */
export function toUnreachable(cause: unknown): Unreachable {
  // `fetch` keeps what went wrong in the cause of its own error.
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  if (!(inner instanceof Error)) return { reason: "", advice: ADVICE };
  const code = "code" in inner ? String(inner.code) : "";
  if (NO_TLS.has(code))
    return { reason: "what answers does not speak TLS", advice: "is it http: and not https:?" };
  if (UNTRUSTED.has(code))
    return {
      // Node.js adds an option of its own after a semicolon, which does not reach it through this program.
      reason: inner.message.replace(/;.*/s, ""),
      advice:
        "for an authority of your own, set NODE_EXTRA_CA_CERTS to the file of its certificate",
    };
  const isElsewhere = !("address" in inner) || !/^(?:127\.|::1$)/.test(String(inner.address));
  const advice = isElsewhere && isProxyIgnored(io().env) ? PROXY_ADVICE : ADVICE;
  return { reason: inner.message || code, advice };
}

const isProxyIgnored = ({ HTTPS_PROXY, https_proxy, NODE_USE_ENV_PROXY }: NodeJS.ProcessEnv) =>
  Boolean(HTTPS_PROXY ?? https_proxy) && NODE_USE_ENV_PROXY !== "1";

/** Reason and advice in place of what OpenSSL says; undefined where the words of the system do. */
export function explainUnreachable(cause: unknown): string | undefined {
  const { reason, advice } = toUnreachable(cause);
  return advice === ADVICE ? undefined : `${reason}: ${advice}`;
}
