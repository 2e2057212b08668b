// A copy of the records that lags behind. It may serve only records, never credentials or the access log (D31).
import type { Calls } from "./calls.ts";

export interface Replica {
  /** The maximum lag of the copy, in ms: it has everything acknowledged before that. Infinity while it cannot be reached. */
  readonly lagMs: () => number;
  /** The copy may be read only while `lagMs()` is at most this. */
  readonly maxLagMs: number;
  /** Reads the copy. If that fails, the original is read. */
  readonly calls: Pick<Calls, "byCallId" | "byReference" | "search">;
}

/** The address of a copy, and the maximum lag at which it may be read. */
export interface ReplicaPlace {
  /** The postgres://user@host/database address of one standby. */
  readonly address: string;
  readonly maxLagMs: number;
}
