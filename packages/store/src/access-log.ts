// The access log of an archive, as a port: who read what, one row a read, what was erased, and whether it was begun anew; appended, never changed.
import type { OperationId } from "@call-media/api";

/** One request of a known caller, and what was released to it. Holds no secret and nothing that stands in a record. */
export interface AccessEntry {
  /** When its answer was about to leave, in ms since 1970. */
  readonly timeMs: number;
  /** The X-Request-Id of the answer. A recording that is cut short has a second row with the same one. */
  readonly requestId: string;
  /** Where the request came from, as far as that is known (D24). */
  readonly address: string;
  readonly userId: number;
  /** The secretID of the application, or the id of the API key; of a session that a proxy opened, its id. */
  readonly credential: string;
  /** The id of the console's session that the request came by (D35). */
  readonly session?: string;
  readonly operation: OperationId;
  /** The parameters and the search filter of the request; empty when they were refused. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** The calls that were asked for or, by a reference, found. Of a search the filter and the number of rows tell. */
  readonly callIds: readonly string[];
  /** Records in the answer. */
  readonly rows: number;
  /** The HTTP status of the answer. */
  readonly status: number;
  readonly recording?: ReleasedRecording;
  /** Set on the second row of a recording that did not go out whole: `recording` is what did. */
  readonly isCut?: true;
}

/** The part of a recording that left: bytes `first` to `last`, both inclusive. */
export interface ReleasedRecording {
  /** SHA-256 of the whole recording. */
  readonly sha256: string;
  readonly first: number;
  readonly last: number;
}

/** What an operator takes out of the archive for good. Its row is written before the first of it goes. */
export interface ErasureEntry {
  readonly timeMs: number;
  readonly operation: "purge";
  /** The name, on this machine, of the user who ran the command. */
  readonly operator: string;
  /** `before`, a day, or `undated`, which is true, or `call_id` or `ref_id`. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** The call that was asked for, or the calls that the reference found; none of a day and of the undated. */
  readonly callIds: readonly string[];
  readonly erased: ErasedCounts;
}

export interface ErasedCounts {
  /** Records of calls. */
  readonly calls: number;
  /** Messages of chats. */
  readonly chats: number;
  /** Files of recordings, and their bytes. */
  readonly files: number;
  readonly fileBytes: number;
}

/** The first row of a log that an operator has begun after the one before it was lost. */
export interface BeginningEntry {
  readonly timeMs: number;
  readonly operation: "audit begin-anew";
  /** The name, on this machine, of the user who ran the command. */
  readonly operator: string;
  readonly asked: Readonly<Record<string, never>>;
  readonly callIds: readonly never[];
}

/** An entry as it stands in the log; what only others have is undefined. */
export type LogRow = RowOf<AccessEntry> | RowOf<ErasureEntry> | RowOf<BeginningEntry>;

type RowOf<Own> = Own & Lacking<Own> & Chained;
type Lacking<Own> = {
  readonly [Key in Exclude<keyof AccessEntry | keyof ErasureEntry, keyof Own>]?: undefined;
};

interface Chained {
  /** Counts from 1 without a gap. */
  readonly seq: number;
  /** SHA-256 over the hash of the row before and all of this row, 64 hexadecimal digits. */
  readonly hash: string;
}

/** Which rows are wanted: all conditions hold at once, none means every row. */
export interface AccessQuery {
  readonly sinceMs?: number | undefined;
  readonly userId?: number | undefined;
  readonly callId?: string | undefined;
}

export interface ChainReport {
  /** Rows up to the fault, or all of them. */
  readonly rows: number;
  /** The hash of the last of these; undefined for an empty log. */
  readonly lastHash: string | undefined;
  /** The first place where the log was changed, in words; undefined when it was not. */
  readonly fault: string | undefined;
}

export interface AccessLog {
  /**
   * Adds a row. With `isDurable` it resolves when the row would survive a loss of power; without, rows are written in
   * groups at most 100 ms later, and it waits only while the log is further behind than that or could not be written.
   * Throws `NotWritten` when the row, or one before it, cannot be: then the read must be refused, and this row is dropped.
   */
  append(entry: AccessEntry, isDurable: boolean): Promise<void>;
  /** Writes to the log without adding to it. Throws when rows cannot be written, or would be to an archive that is not there any more. */
  check(): Promise<void>;
  /** The rows in their order; memory does not grow with their number. */
  read(query: AccessQuery): AsyncIterable<LogRow>;
  /** Follows the chain of hashes from the first row. `knownHash` is one that was noted earlier and has to be in it. */
  verify(knownHash?: string): Promise<ChainReport>;
}
