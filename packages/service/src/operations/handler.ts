// The type of a handler: it gets an operation's validated input and its caller, and returns the contract's success.
import type { OperationId, OperationInput, OperationOutput } from "@call-media/api";
import type { CallStore, OpenMedia, ReleasedRecording } from "@call-media/store";
import type { Access, Caller } from "../access/access.ts";
import type { ResponseHeaders } from "../errors.ts";
import type { MediaBody } from "../media-body.ts";
import type { ServiceRequest } from "../request.ts";

/** The records that a response releases. */
export interface Released {
  /** The calls that the response shows; a requested call_id is already known. */
  readonly callIds?: readonly (string | null)[] | undefined;
  /** Records in the answer. */
  readonly rows?: number;
  readonly recording?: ReleasedRecording;
  readonly isHandedOut?: true;
}

/** The success of an operation: the contract's body, and headers in addition to those of every response. */
export interface JsonResult<Id extends OperationId> {
  readonly body: OperationOutput<Id>;
  readonly headers?: ResponseHeaders;
  /** The calls that the body shows, for the access log; a requested call_id is already known. */
  readonly callIds?: readonly (string | null)[];
  /** The user who signed in, for the access log. */
  readonly signedIn?: number;
}

/** The success of an operation that returns the bytes of a recording. */
export interface MediaResult {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Undefined for 304 and 307. */
  readonly media: (MediaBody & { readonly source: OpenMedia }) | undefined;
  readonly released: Released;
}

/** The arguments of a handler; the input was validated against the contract. */
export interface Request<Id extends OperationId> {
  readonly request: ServiceRequest;
  readonly input: OperationInput<Id>;
  /** Only POST /Token has none. */
  readonly caller: Id extends "createToken" ? undefined : Caller;
  readonly store: CallStore;
  readonly access: Access;
  /** How long the URL of a recording is valid, if callers may have one; undefined: never. */
  readonly mediaRedirectSeconds: number | undefined;
}

/** Operations whose success is more than plain JSON text. */
type OfMedia = Extract<OperationId, `${string}Recording${string}`>;

export type Handler<Id extends OperationId> = (
  request: Request<Id>,
) => Promise<Id extends OfMedia ? MediaResult : JsonResult<Id>>;

export type Operations = { readonly [Id in OperationId]: Handler<Id> };
