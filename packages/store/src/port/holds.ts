// Holds keep calls from being removed by purges and imports until an operator releases them (D43). They are never visible over HTTP.
import type { ErasureEntry, Writer } from "./access-log.ts";
import type { FilterField } from "./calls.ts";
import type { Act } from "./history.ts";

/** Conditions on a record, ANDed. There is at least one. */
export interface HoldQuery {
  /** For each field, any of the values; compared as filters are (D08). */
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
  /** A query also holds calls that match it later. */
  readonly holds: HoldQuery | { readonly callIds: readonly string[] };
}

type Taken = Pick<ErasureEntry, "timeMs" | "asked">;

export interface ListedHold extends Pick<NewHold, "name" | "reason"> {
  /** Undefined for a hold of call_ids. */
  readonly query: HoldQuery | undefined;
  /** The command that added it; undefined if its row is damaged. */
  readonly added: Act | undefined;
  /** The number of calls that it holds now; one without a call_id counts as one. */
  readonly calls: number;
  /** The call_ids of the hold that the archive does not have; they are held when they arrive. */
  readonly missing: readonly string[];
  /** Those of the missing that were erased, which an import leaves out. `taken`: the erasure; undefined if the log no longer has it. */
  readonly erased: readonly { readonly callId: string; readonly taken: Taken | undefined }[];
  /** The call_ids that it keeps whatever their records say, since they were given, or since an earlier state fitted. In byte order. */
  readonly pinned: readonly string[];
  /** The call_ids that it keeps now and that are owed an erasure, with the case of the purge that named them; null without one. */
  readonly owed: readonly { readonly callId: string; readonly reason: string | null }[];
  /** After `add`: why the ledger could not be read. It may say that some of these calls are erased. */
  readonly unread?: string | undefined;
  /** After `add`: the backups whose ledger does not have it, by their directories. A restore of one lacks it. */
  readonly missed?: readonly string[] | undefined;
}

export interface Holds {
  /**
   * The hold applies immediately, also to an erasure that is running. A query is also matched against replaced states. Throws
   * `ArchiveError` for a name that is taken, and for a query that cannot be read.
   */
  add(hold: NewHold, by: Writer): Promise<ListedHold>;
  /** Ordered by name. Reads all calls if a hold has a query. */
  list(): Promise<readonly ListedHold[]>;
  /** Returns the number of calls that are now owed an erasure and not held; undefined if no hold has the name. */
  release(name: string): Promise<number | undefined>;
}
