// A request, as a transport passes it to the service.
import type { Caller } from "./access/access.ts";

/** By lower-case names, as in node:http and the Headers of fetch. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ServiceRequest {
  readonly method: string;
  /** The requested path, neither decoded nor resolved, starting with the slash. */
  readonly path: string;
  /** Without the question mark; empty if there is none. */
  readonly query: string;
  readonly headers: RequestHeaders;
  /** Sent as X-Request-Id and written to every log, so that the request of a caller's report can be found. */
  readonly requestId: string;
  /** The IP address of the caller if a trusted proxy names it, else that of the connection (D24). */
  readonly address: string;
  /** The address that failed sign-ins count for (D23); undefined if many callers may share it. */
  readonly origin: string | undefined;
  /** The body; undefined if it has more than `maxBytes`. */
  readonly readBody: (maxBytes: number) => Promise<Uint8Array | undefined>;
  /** Called once the caller is known; undefined without one, as for a sign-in. Throws if the service is full (D23). */
  readonly admit: (credential: string | undefined) => void;
  /** True once nobody waits for the response: then an error response leaves no row in the access log. */
  readonly isGone: () => boolean;
}

/** The mount point of the operations, and how the caller is found there. */
export interface Mount {
  /** Precedes the contract's paths, for example `/console/api`. */
  readonly prefix: string;
  /** True if POST /Token and OPTIONS are answered, which have no caller. */
  readonly isOpen: boolean;
  /** Throws 401. */
  readonly identify: (request: ServiceRequest) => Promise<Caller>;
}
