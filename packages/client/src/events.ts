// Events that a client reports while it works.
import type { CallMediaError, ErrorSubject } from "./errors.ts";

/** The call that an event belongs to. No event contains headers, bodies, secrets or tokens. */
export interface EventSubject extends ErrorSubject {
  /** Number of the call within its client, from 1. A sign-in is a call of its own; `token` has 0. */
  readonly call: number;
}

/**
 * Events of a call, in this order:
 *
 * - `start`
 * - `request` for each request that is sent, and `response` for the head of its response
 * - `retry` before each further request
 * - `end`, when the call has its JSON or the head of its stream, or has failed
 */
export type ClientEvent = EventSubject &
  (
    | { readonly type: "start" }
    /** `attempt` counts the requests of the call from 1. `wrap` has it sent by a function, in which a span is active, say. */
    | {
        readonly type: "request";
        readonly attempt: number;
        readonly wrap: (run: Around) => void;
      }
    /** The head of a response came. */
    | {
        readonly type: "response";
        readonly attempt: number;
        readonly status: number;
        readonly requestId: string | undefined;
        readonly afterMs: number;
      }
    /** Another request follows `waitMs` later; 0 for the replay after a 401. */
    | { readonly type: "retry"; readonly waitMs: number; readonly error: CallMediaError }
    /** The client has a new token, from POST /Token or the `tokenStore`. */
    | { readonly type: "token"; readonly from: "sign-in" | "store" }
    /** A download broke off and is resumed at `offset` bytes. */
    | { readonly type: "resume"; readonly offset: number; readonly error: CallMediaError }
    /** `error` is a CallMediaError or what the `tokenStore` threw; undefined after a success. */
    | { readonly type: "end"; readonly error: unknown }
  );

/** Calls `send` exactly once, immediately, and returns its result. */
export type Around = <Result>(send: () => Promise<Result>) => Promise<Result>;

type FieldsOf<Event> = Event extends EventSubject ? Omit<Event, keyof EventSubject> : never;

export type Emit = (about: EventSubject, fields: FieldsOf<ClientEvent>) => void;
