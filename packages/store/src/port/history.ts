// Earlier states of a call, a user or a flag, and the acts that added and replaced each (D42). Only for operators: never shown over
// HTTP.
import type { Writer } from "./access-log.ts";
import type { CallItem } from "./import-session.ts";
import type { FlagRecord, UserRecord } from "./users.ts";

/** A command that wrote records. */
export interface Act extends Omit<Writer, "operation"> {
  readonly operation: string;
  /** When it began to write, in ms since 1970. */
  readonly atMs: number;
}

export type HistoryOf =
  | { readonly callId: string }
  | { readonly userId: number }
  | { readonly flagId: number };

export type PastCall = Pick<
  CallItem,
  "record" | "sessionId" | "masterId" | "identity" | "recordings"
>;

export interface HistoryState {
  /** Undefined if it is damaged, or was damaged when it was replaced. */
  readonly state: PastCall | UserRecord | FlagRecord | undefined;
  /** Distinguishes the legs of a call; empty for other records. */
  readonly leg: string;
  /** Undefined for records written by an earlier version of this program. */
  readonly brought: Act | undefined;
  /** Undefined for a current state. */
  readonly replaced: Act | undefined;
  readonly isCurrent: boolean;
  /** False if the state or its writer is damaged, or if states may be missing; the doctor names them. */
  readonly isWhole: boolean;
}
