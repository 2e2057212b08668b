// Holds: calls that no purge or import takes away until an operator releases them (D43). They are never shown over HTTP.
import type { Writer } from "./access-log.ts";
import type { FilterField } from "./calls.ts";
import type { Act } from "./history.ts";

/** Conditions on a record, ANDed. At least one is there. */
export interface HoldQuery {
  /** Any of the values of each field, compared as filters are (D08). */
  readonly where?: Readonly<Partial<Record<FilterField, readonly (string | number)[]>>> | undefined;
  /** A search by words (D30). */
  readonly words?: string | undefined;
  /** Calendar days in the archive's time zone, YYYY-MM-DD, both inclusive. */
  readonly fromDay?: string | undefined;
  readonly toDay?: string | undefined;
}

export interface NewHold {
  readonly name: string;
  readonly reason: string;
  /** A query also holds the calls that will fit it. */
  readonly holds: HoldQuery | { readonly callIds: readonly string[] };
}

export interface ListedHold extends Pick<NewHold, "name" | "reason"> {
  /** Undefined for a hold of call_ids. */
  readonly query: HoldQuery | undefined;
  /** The command that added it; undefined if its row is damaged. */
  readonly added: Act | undefined;
  /** The calls that it holds now; one without a call_id counts as one. */
  readonly calls: number;
  /** Of a hold of call_ids those that nothing here has; they are held when they come. */
  readonly missing: readonly string[];
  /** Of a hold that was added: why the ledger could not be read, which may say that some of these calls are erased. */
  readonly unread?: string | undefined;
}

export interface Holds {
  /**
   * Holds from now on, also against an erasure that is under way. A state that has been replaced counts as well. Throws `ArchiveError`
   * for a name that is taken, and for a query that cannot be read.
   */
  add(hold: NewHold, by: Writer): Promise<ListedHold>;
  /** By their names. Reads all calls if a hold has a query. */
  list(): Promise<readonly ListedHold[]>;
  /** The number of calls that are owed an erasure now, and held by nothing; undefined if no hold has the name. */
  release(name: string): Promise<number | undefined>;
}
