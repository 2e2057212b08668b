// The limits of requests and connections, each with its reason.

import { MAX_BODY_BYTES } from "@call-media/service";

/** A longer target is 414. An identifier of 1,024 characters in percent-encoding takes up to 12,288 bytes. */
export const MAX_URL_BYTES = 16_384;

/** The target and the headers together; more is 431. No token, proxy or browser needs as much. */
export const MAX_HEAD_BYTES = 32_768;

/** More is 431: each header takes more memory than its bytes. */
export const MAX_HEADERS = 100;

export interface ConnectionLimits {
  /** From the start of the connection, or the end of the request before, to the end of the headers: 408. */
  readonly headerTimeoutMs: number;
  /** To the end of the body: 408. */
  readonly requestTimeoutMs: number;
  /** Between two requests; then the connection is closed. */
  readonly idleTimeoutMs: number;
  /** After this time without any progress of the client, a response is cut off and its file closed. */
  readonly stallTimeoutMs: number;
  /** Beyond this number a new connection replaces an idle one (D23). Must be more than the responses that may be in flight. */
  readonly maxConnections: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  // Headers fit into a few packets: a slower client is stalled or hostile.
  headerTimeoutMs: 10_000,
  // 64 KiB at the speed of a modem.
  requestTimeoutMs: 30_000,
  // Longer than the 60 s after which common proxies close a connection. So the proxy closes it first, and does not send a
  // request into a connection that is closing.
  idleTimeoutMs: 65_000,
  // The same as nginx. A player that pauses requests the rest with Range.
  stallTimeoutMs: 60_000,
  maxConnections: 1_200,
};

/**
 * Responses in flight at a time; beyond this number the caller with the most of them gives way (D23). Each may hold a buffer and a file.
 * The remaining connections are for new callers, so that these always get a response.
 */
export const MAX_ANSWERS = 1_000;

/** The limits as text, one a line, for operators. */
export function describeLimits(): string {
  const seconds = (ms: number) => `${ms / 1_000} s`;
  const kibibytes = (bytes: number) => `${bytes / 1_024} KiB`;
  const limits = CONNECTION_LIMITS;
  return [
    `body                 ${kibibytes(MAX_BODY_BYTES)} (413)`,
    `address of a request ${kibibytes(MAX_URL_BYTES)} (414)`,
    `headers              ${kibibytes(MAX_HEAD_BYTES)} with the address, ${MAX_HEADERS} in number (431)`,
    `headers complete     within ${seconds(limits.headerTimeoutMs)} (408)`,
    `request complete     within ${seconds(limits.requestTimeoutMs)} (408)`,
    `idle connection      ${seconds(limits.idleTimeoutMs)}, then closed`,
    `stalled reader       ${seconds(limits.stallTimeoutMs)} without taking a byte, then cut`,
    `connections          ${limits.maxConnections}; a new one closes an idle one`,
    `answers in flight    ${MAX_ANSWERS}; a new one cuts one of who has most, or gets 503`,
  ].join("\n");
}
