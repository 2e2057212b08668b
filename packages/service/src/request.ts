// A request, as a transport hands it to the service.
import type { Caller } from "./access/access.ts";

/** By names in lower case, as node:http and the Headers of fetch have them. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ServiceRequest {
  readonly method: string;
  /** The requested path, neither decoded nor resolved, from the slash on. */
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  readonly headers: RequestHeaders;
  /** Sent as X-Request-Id and written to every log, so that a caller's report can be found again. */
  readonly requestId: string;
  /** Where the request comes from, as far as that is known (D24). */
  readonly address: string;
  /** The address that failed sign-ins count for (D23); undefined when many callers may share it. */
  readonly origin: string | undefined;
  /** The body; undefined when it has more than `maxBytes`. */
  readonly readBody: (maxBytes: number) => Promise<Uint8Array | undefined>;
  /** Called once it is known who asks; undefined: nobody, as for a sign-in. Throws if the service is full (D23). */
  readonly admit: (credential: string | undefined) => void;
  /** True once nobody waits for the answer: then an error response leaves no row in the access log. */
  readonly isGone: () => boolean;
}

/** Where the operations are mounted, and how the caller is found there. */
export interface Mount {
  /** In front of the contract's paths, for example `/console/api`. */
  readonly prefix: string;
  /** True if POST /Token and OPTIONS are answered, which have no caller. */
  readonly isOpen: boolean;
  /** Throws 401. */
  readonly identify: (request: ServiceRequest) => Promise<Caller>;
}
