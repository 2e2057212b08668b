// Maintenance of an archive: reading all of it, erasing and checking, and operations that only some adapters have.
import type { ErasedCounts, ErasureEntry, OperatorAct } from "./access-log.ts";
import type { MetadataRecord } from "./calls.ts";
import type { Finding } from "./finding.ts";
import type { HistoryOf, HistoryState } from "./history.ts";
import type { Holds } from "./holds.ts";
import type { ArchiveItem } from "./import-session.ts";
import type { Internals } from "./internals.ts";
import type { ArchiveLedger, LedgerPlace } from "./ledger.ts";
import type { Media, MediaStore, Retained } from "./media.ts";
import type { Trace, TraceOf } from "./trace.ts";
import type { NotedCommand } from "./vitals.ts";

/** The progress of a long operation. */
export interface Progress {
  /** The current step, for people. */
  readonly step: string;
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

export type OnProgress = (progress: Progress) => void;

/** Calendar days in the archive's time zone, YYYY-MM-DD, both inclusive (D06). Without either, calls without a datetime are included. */
export interface Days {
  readonly fromDay?: string | undefined;
  readonly toDay?: string | undefined;
}

export interface ScanOptions extends Days {
  /**
   * The command that reads. Its row is in the access log before this resolves; only a copy of an archive gets no row and stays unchanged.
   */
  readonly act?: OperatorAct | undefined;
  /** The id of a call: reading starts with the call after it. */
  readonly after?: string | undefined;
}

/** A snapshot of an archive's records, taken at the first row. Nothing is erased until it is disposed. */
export interface Scan extends AsyncDisposable {
  /** Identifies this archive among all archives. */
  readonly archiveId: string;
  readonly timeZone: string;
  /** Length of all rows when the scan was opened, for progress. */
  readonly bytes: number;
  /**
   * In the order in which an import recreates the same archive: users, flags, calls from the newest on, then messages that belong to no
   * record. The newest record of a call_id comes with the chat. Can be read only once. Throws `StoreFault`.
   */
  rows(): AsyncIterable<ScannedRow>;
}

/** Items that belong together: one user, one flag, a call with its chat, or a message. */
export interface ScannedRow {
  /** For a call: identifies it among all calls of the archive, permanently. */
  readonly id?: string | undefined;
  readonly items: readonly ArchiveItem[];
  readonly bytes: number;
  /**
   * The damaged items of the row, by identifiers that an operator can read: `call_id b`. They are not among the items, because a copy would
   * give them a digest that calls them undamaged.
   */
  readonly damaged?: readonly string[] | undefined;
}

/** A snapshot of the contents that recordings name, in the order of their digests. */
export interface ReferencedMedia extends AsyncDisposable, AsyncIterable<Reference> {
  readonly files: number;
  readonly bytes: number;
  has(sha256: string): Promise<boolean>;
}

/** A content, with the first recording that names it, so that an operator can find it. */
export interface Reference {
  readonly media: Media;
  readonly callId: string | null;
  readonly refId: string | null;
  readonly filename: string;
  /** The number of recordings with this content. */
  readonly recordings: number;
}

/**
 * The calls to erase. One of: all that began before a day (YYYY-MM-DD, in the archive's time zone), all without a datetime, all with an
 * identifier, or those that an earlier erasure named while they were held.
 */
export type ErasureFilter = ErasedCalls & {
  /**
   * Erases only the recordings of these calls, all of a call at once, and of its earlier states (D41). The records stay and still name the
   * files. What a hold keeps is not owed.
   */
  readonly isSound?: true | undefined;
};

type ErasedCalls =
  | { readonly before: string }
  | { readonly isUndated: true }
  | { readonly callId: string }
  | { readonly callIds: readonly string[] }
  | { readonly reference: string }
  | { readonly isOwed: true }
  | { readonly due: DueCalls };

/** A record, or an earlier state of it. `instantMs`: undefined without a datetime. */
export interface DatedRecord {
  readonly record: MetadataRecord;
  readonly instantMs: number | undefined;
}

/** `hasSound`: true if it has recordings, now or in an earlier state; absent where nobody asks. */
export interface DueRecord extends DatedRecord {
  readonly hasSound?: boolean;
}

/** Calls that are due under the policy of an archive. All records of one call_id are one call, which is erased whole or not at all. */
export interface DueCalls {
  /** The day as of which they are due, for the access log. */
  readonly day: string;
  /** No call with a record of this instant, in ms since 1970, or of a later one is due. */
  readonly untilMs: number;
  /**
   * Called once, with all its records, for each call that has one from before `untilMs`; for an erasure of sound, only for calls with
   * recordings. Never for a call with a record that cannot be read. `key`: identifies the call in this archive, see `HeldBack`.
   */
  readonly isDue: (records: readonly DueRecord[], key: string) => boolean;
  /** Messages that belong to no record are erased if they are older than this. */
  readonly messagesUntilMs: number;
}

export interface ErasurePlan extends ErasedCounts {
  /** What the filter matches but holds keep; undefined if nothing is held. */
  readonly held?: HeldBack | undefined;
  /** Paths of linked recordings that no other call has. The archive does not own these files and does not delete them. */
  readonly unlinked: readonly string[];
  /**
   * Names of files in the media store that no record names. They come from replaced records, rejected rows and interrupted imports, and are
   * erased as well.
   */
  readonly ofNoRecord: readonly string[];
  /** For an erasure of sound by identifier: the number of its records that have no recording, now or in an earlier state. */
  readonly soundless?: number | undefined;
  /** For an unknown identifier: the erasure that removed its records; undefined if none is known. */
  readonly taken: Pick<ErasureEntry, "timeMs" | "asked"> | undefined;
  /** For a filter by call_ids: those that the archive does not have and that no erasure removed. Undefined for other filters. */
  readonly unknown?: readonly string[] | undefined;
  /**
   * The number of ledger entries that the archive has not applied; undefined if there are none. The next erasure or import erases what they
   * name.
   */
  readonly behind?: number | undefined;
}

export interface HeldBack {
  /** The number of calls; one without a call_id counts as one. */
  readonly calls: number;
  /** Identify the calls, as for `DueCalls.isDue`. */
  readonly keys: ReadonlySet<string>;
  /** The names of the holds that keep them. */
  readonly holds: readonly string[];
  /** True if the erasure named the calls: they are then owed, and `{ isOwed: true }` erases them after the release. */
  readonly isOwed: boolean;
}

export interface ErasureReport extends ErasurePlan {
  /** Recordings that the media store does not delete yet. A later erasure finds and deletes them. */
  readonly retained: readonly Retained[];
  /**
   * Earlier backups, by their directories. `reached`: those whose ledger has the erasure now, so that a restore repeats it; `missed`: those
   * whose ledger lacks it; `gone`: those whose directory no longer exists, which the next erasure does not name.
   */
  readonly backups?: Readonly<Record<"reached" | "missed" | "gone", readonly string[]>> | undefined;
  /** False while some erased data can still be read from the store's files. Erasing again completes it. */
  readonly isComplete: boolean;
  /** The free bytes on the store's own disk with which erasing again completes it. Undefined if it had enough. */
  readonly roomBytes?: number | undefined;
}

/** A content that can no longer be sent, and why. */
export interface Damage extends Reference {
  readonly fault: string;
}

export interface CopyReport {
  readonly calls: number;
  /** Contents that records name, and their total size. */
  readonly mediaFiles: number;
  readonly mediaBytes: number;
  /** How many of these were copied; the target had the others. */
  readonly copied: number;
  /** Missing or damaged recordings, which the copy lacks. */
  readonly damages: readonly Damage[];
  /** Damaged records, identified as in `ScannedRow`. The copy has them with their digests, which show the damage. */
  readonly damagedRecords: readonly string[];
  /** What is wrong with the search index. The copy has the same index; it can be rebuilt from the records. */
  readonly indexFault?: string | undefined;
}

/** Recordings that were erased after the backup, and are deleted from it. */
export interface ErasedSound {
  readonly files: number;
  readonly bytes: number;
}

export interface BackupReport extends CopyReport {
  /** Names of the generations that were deleted because of their age. */
  readonly dropped: readonly string[];
  readonly erasedSound: ErasedSound;
}

export interface RestoreReport extends CopyReport {
  /** When the backup was made, ISO 8601. */
  readonly backupOf: string;
  /** What was erased after the backup, and is now erased again. */
  readonly erasedAgain: ErasedAgain;
  /** See `SkippedLedger`; undefined for a restore with a complete ledger. */
  readonly passedOver?: readonly string[] | undefined;
}

export interface SkippedLedger {
  readonly erasedAgain: ErasedAgain;
  /** The entries that are missing or unusable, each with its fault, in sentences. */
  readonly passedOver: readonly string[];
}

export interface ErasedAgain extends ErasedCounts {
  /** The number of the newest ledger entry; 0 if there is none. */
  readonly newest: number;
  /** When the newest entry that the backup did not have was written, ISO 8601; undefined if the backup had all entries. */
  readonly newestAt: string | undefined;
  /** The names of the holds that the ledger has brought, and of those that were released since. */
  readonly holds: Readonly<Record<"added" | "released", readonly string[]>>;
  /** The number of calls and references that are owed an erasure, if there were new entries. */
  readonly owed: number;
}

export interface CopyOptions {
  readonly onProgress?: OnProgress | undefined;
  /** The operator's name, for the row of the access log; undefined if no row is to be written. */
  readonly operator?: string | undefined;
  /** The run of the command; all its rows have it. */
  readonly run?: string | undefined;
  /** For a backup: it becomes a new generation, and generations older than this many days are deleted. */
  readonly keepDays?: number | undefined;
  /** A restore erases by this ledger as well as by that of the backup. Null: only by the readable entries of the latter. */
  readonly ledger?: LedgerPlace | null | undefined;
}

/** The operator who removes data from the log. `isDryRun`: changes nothing. */
export interface Forgetter {
  readonly operator: string;
  readonly isDryRun?: boolean | undefined;
}

export interface ForgottenAsked {
  /** The number of rows from which it is removed. */
  readonly forgotten: number;
  /** The number of rows of that period that keep it: rows of earlier versions, and of commands that are needed as evidence. */
  readonly whole: number;
  /** False while a reader holds an old state, which the write-ahead log of access.db still has. */
  readonly isComplete: boolean;
}

/** The operator who erases, for the row of the access log. */
export interface Eraser {
  readonly operator: string;
  /** The run of the command; all its rows have it. */
  readonly run?: string | undefined;
  /** The reason, such as the number of a case; stored in the access log and the ledger. */
  readonly case?: string | undefined;
  readonly onProgress?: OnProgress;
}

/**
 * Opened with the places of an archive instead of the archive, since some methods are for an archive that cannot be served. Every method
 * throws `ArchiveError` for places without a usable archive.
 */
export interface Maintenance {
  /** The recordings at these places. */
  readonly media: MediaStore;
  readonly internals: Internals;
  /** Throws `ArchiveError` for invalid days, and while an erasure is running. */
  scan(options?: ScanOptions): Promise<Scan>;
  /** For all days, it includes the contents of earlier states, unless `isCurrent`. */
  referencedMedia(days?: Days & { readonly isCurrent?: boolean }): Promise<ReferencedMedia>;
  /** Stores that these contents were verified in these states. */
  noteVerified(media: readonly Media[]): Promise<void>;
  /**
   * Adds the row of a command to the access log, after the row that is noted next to the recordings, if the log lacks that. A copy of an
   * archive gets no row and stays unchanged. The row is on disk when this resolves. Throws `ArchiveError` for a log that lost rows.
   */
  record(act: OperatorAct): Promise<void>;
  /** Stores that a command has just ended well, for `CallStore.vitals`. `count`: see `Noted`. A copy stays unchanged. */
  noteDone(command: NotedCommand, count?: number): Promise<void>;
  /**
   * Removes those of these contents that no record names from the media store. Does nothing while an import, a copy or an erasure is
   * running, since that may be about to name them; a later erasure removes them.
   */
  discard(sha256s: Iterable<string>): Promise<void>;
  /** The extent of an `erase`. Throws `ArchiveError` while an import is running. */
  planErasure(filter: ErasureFilter): Promise<ErasurePlan>;
  /**
   * Erases calls permanently, after writing to the access log. The service may run meanwhile; calling it again completes an interrupted
   * erasure. Throws `ArchiveError` while an import, a copy or another erasure is running.
   */
  erase(filter: ErasureFilter, by: Eraser): Promise<ErasureReport>;
  /** The states of a call, a user or a flag, newest first; empty if the archive does not have it. */
  history(of: HistoryOf): Promise<readonly HistoryState[]>;
  /** Those of these call_ids whose calls have earlier states. */
  listReplaced(callIds: readonly string[]): Promise<readonly string[]>;
  /**
   * Removes what was asked for from the rows of the access log before that day in the archive's time zone. The chain of hashes stays valid,
   * and the log gets a row about it. Throws `ArchiveError` for an invalid day.
   */
  forgetAsked?(before: string, by: Forgetter): Promise<ForgottenAsked>;
  /** Finds where something still exists, in every place that the archive knows. Changes nothing. */
  trace?(of: TraceOf): Promise<Trace>;
  readonly holds: Holds;
  /** Returns every fault it finds, without changing anything. It does not read recordings through; `MediaStore.verify` does. */
  check(onProgress?: OnProgress): Promise<readonly Finding[]>;
  /** For a backup: finds the databases that have changed since it was made. Reads them whole. */
  checkSeals?(): Promise<readonly Finding[]>;
  /** Rebuilds the search index from the records; returns the number of calls. */
  reindex?(onProgress?: OnProgress): Promise<number>;
  /** Copies a snapshot of the archive. How `to` is interpreted depends on the adapter. */
  snapshot?(to: string, options?: CopyOptions): Promise<BackupReport>;
  /** Restores what `snapshot` has made in `from` to these places, where no archive may exist. */
  restore?(from: string, options?: CopyOptions): Promise<RestoreReport>;
  /**
   * Goes on without the ledger entries that are lost, as the operator decides. What only the lost entries erased stays in the archive; what
   * the others name is erased. The access log gets a row about it.
   */
  skipLedger?(operator: string): Promise<SkippedLedger>;
  /** For adapters that have one. */
  readonly ledger?: ArchiveLedger;
  /** For adapters whose access log can lose rows. */
  readonly lostLog?: LostLog;
  /** For adapters that have roles: how to make a role that can serve, but can neither change nor remove rows of the access log. */
  readonly serviceRole?: string;
}

/** An operator's decision about an access log that was lost or replaced. The log records the decision and the operator. */
export interface LostLog {
  /** Starts a new log, without any credentials. Throws `ArchiveError` if the log is not lost. */
  beginAnew(operator: string): Promise<void>;
  /** Continues with the log that lacks rows; returns what is lost. Throws `ArchiveError` if nothing is lost. */
  acceptLoss(operator: string): Promise<string>;
}
