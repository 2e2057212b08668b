// What a handler is: an operation's checked input and its caller in, the contract's success out.
import type { OutgoingHttpHeaders } from "node:http";
import type { OperationId, OperationInput, OperationOutput } from "@call-media/api";
import type { CallStore } from "@call-media/store";
import type { Access, Caller } from "../access/access.ts";
import type { Touched } from "../access/access-record.ts";
import type { Reply } from "../http/reply.ts";

/** The success of an operation: the contract's body, and headers beside those that every answer has. */
export interface Answer<Id extends OperationId> {
  readonly body: OperationOutput<Id>;
  readonly headers?: OutgoingHttpHeaders;
  /** The calls that the body shows, for the access log; a call_id that was asked for is known. */
  readonly callIds?: readonly (string | null)[];
  /** The user for whom a sign-in was, for the access log. */
  readonly signedIn?: number;
}

/** A reply that an operation made itself, with what it releases. */
export type StreamAnswer = Reply & { readonly touched: Touched };

/** What a handler is given; the input was checked against the contract. */
export interface Request<Id extends OperationId> {
  readonly input: OperationInput<Id>;
  /** POST /Token alone has none. */
  readonly caller: Id extends "createToken" ? undefined : Caller;
  readonly store: CallStore;
  readonly access: Access;
  readonly method: string | undefined;
  /** The path as it was asked for, without the query. */
  readonly pathname: string;
  readonly accept: string | undefined;
  /** See `Source`. */
  readonly origin: string | undefined;
}

/** Operations whose success is no plain JSON text: they make their own reply. */
type Streamed = Extract<OperationId, `${string}Recording${string}`>;

export type Handler<Id extends OperationId> = (
  request: Request<Id>,
) => Promise<Id extends Streamed ? StreamAnswer : Answer<Id>>;

export type Operations = { readonly [Id in OperationId]: Handler<Id> };
