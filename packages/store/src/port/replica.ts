// A copy of the records that lags behind: it may answer for records alone, never for credentials or the access log (D31).
import type { Calls } from "./calls.ts";

export interface Replica {
  /** How far the copy is behind at most, in ms: it has all that was acknowledged before. Infinity while it cannot be reached. */
  readonly lagMs: () => number;
  /** It may be asked only while `lagMs()` is at most this. */
  readonly maxLagMs: number;
  /** Of the copy; a question that it fails to answer is put to the original. */
  readonly calls: Pick<Calls, "byCallId" | "byReference" | "search">;
}

/** Where a copy is, and how far behind it may be to be asked. */
export interface ReplicaPlace {
  /** postgres://user@host/database, of one standby. */
  readonly address: string;
  readonly maxLagMs: number;
}
