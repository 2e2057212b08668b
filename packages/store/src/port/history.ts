// What an archive had of a call, a user or a flag before it was replaced, and who brought and replaced each state (D42). For operators
// alone: it is never shown over HTTP.
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
  /** Undefined if it is damaged, or was when it was replaced. */
  readonly state: PastCall | UserRecord | FlagRecord | undefined;
  /** Tells the legs of a call apart; empty of others. */
  readonly leg: string;
  /** Undefined of what an earlier version of this program wrote. */
  readonly brought: Act | undefined;
  /** Undefined of a state that is there. */
  readonly replaced: Act | undefined;
  readonly isCurrent: boolean;
  /** False if the state or who wrote it is not what was written, or if states may be missing: the doctor names which. */
  readonly isWhole: boolean;
}
