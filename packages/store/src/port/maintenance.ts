// Maintenance of an archive: reading all of it, erasing, checking; and what only some adapters can do.
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

/** How far a long piece of work has come. */
export interface Progress {
  /** The current step, for people. */
  readonly step: string;
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

export type OnProgress = (progress: Progress) => void;

/** Calendar days in the archive's time zone, YYYY-MM-DD, both inclusive (D06); without any, calls without a datetime too. */
export interface Days {
  readonly fromDay?: string | undefined;
  readonly toDay?: string | undefined;
}

export interface ScanOptions extends Days {
  /**
   * The command that reads. Its row is in the access log before this resolves; only a copy of an archive gets none and
   * stays unchanged.
   */
  readonly act?: OperatorAct | undefined;
  /** The id of a call: calls are read from the one after it. */
  readonly after?: string | undefined;
}

/** A snapshot of an archive's records, taken at the first row. Until it is disposed of nothing is erased. */
export interface Scan extends AsyncDisposable {
  /** Tells this archive from every other. */
  readonly archiveId: string;
  readonly timeZone: string;
  /** Length of all rows when it was opened, for progress. */
  readonly bytes: number;
  /**
   * In the order in which an import makes the same archive of them: users, flags, calls from the newest on, then messages of no
   * call. The newest record of a call_id has the chat with it. To be read once. Throws `StoreFault`.
   */
  rows(): AsyncIterable<ScannedRow>;
}

/** Items that belong together: one user or flag, a call with its chat, or a message. */
export interface ScannedRow {
  /** For a call: identifies it among all calls of the archive, permanently. */
  readonly id?: string | undefined;
  readonly items: readonly ArchiveItem[];
  readonly bytes: number;
  /**
   * What of the row is not what was written, by its identifiers, for an operator: `call_id b`. It is not among the items, or a copy
   * would get a digest that calls it well.
   */
  readonly damaged?: readonly string[] | undefined;
}

/** A snapshot of the contents that recordings name, in the order of their digests. */
export interface ReferencedMedia extends AsyncDisposable, AsyncIterable<Reference> {
  readonly files: number;
  readonly bytes: number;
  has(sha256: string): Promise<boolean>;
}

/** A content; the first recording that names it says where an operator finds it. */
export interface Reference {
  readonly media: Media;
  readonly callId: string | null;
  readonly refId: string | null;
  readonly filename: string;
  /** How many recordings have this content. */
  readonly recordings: number;
}

/**
 * The calls to erase: all that began before a day (YYYY-MM-DD, in the archive's time zone), all without a datetime,
 * all with an identifier, or those that an erasure named while a hold kept them.
 */
export type ErasureFilter =
  | { readonly before: string }
  | { readonly isUndated: true }
  | { readonly callId: string }
  | { readonly callIds: readonly string[] }
  | { readonly reference: string }
  | { readonly isOwed: true }
  | { readonly due: DueCalls };

/** Calls that are due by the policy of an archive. One without a datetime, and one that cannot be read, never is. */
export interface DueCalls {
  /** The day on which they are, for the access log. */
  readonly day: string;
  /** No call that began at this instant, in ms since 1970, or later is due. */
  readonly untilMs: number;
  /** Asked once of each call that began before. */
  readonly isDue: (record: MetadataRecord, instantMs: number) => boolean;
  /** Messages of no call go that are older. */
  readonly messagesUntilMs: number;
}

export interface ErasurePlan extends ErasedCounts {
  /** What was asked for and stays, as holds keep it; undefined if nothing is held. */
  readonly held?: HeldBack | undefined;
  /** Where linked recordings lie that no other call has: they are not the archive's to delete. */
  readonly unlinked: readonly string[];
  /**
   * Files of the media store that no record names, by their names there. They come from replaced records, rejected rows
   * and interrupted imports, and are erased as well.
   */
  readonly ofNoRecord: readonly string[];
  /** For an unknown identifier: the erasure that removed its records. Undefined if there was none, as far as is known. */
  readonly taken: Pick<ErasureEntry, "timeMs" | "asked"> | undefined;
  /** Of several call_ids that were named those that nothing here has, and that no erasure took. Undefined of other filters. */
  readonly unknown?: readonly string[] | undefined;
  /** Entries of the ledger that the archive does not know; undefined without any. What they name is erased by the next erasure or import. */
  readonly behind?: number | undefined;
}

export interface HeldBack {
  /** The number of calls; one without a call_id counts as one. */
  readonly calls: number;
  /** The names of the holds that keep them. */
  readonly holds: readonly string[];
  /** True if the erasure named the calls: they are owed, and `{ isOwed: true }` takes them after the release. */
  readonly isOwed: boolean;
}

export interface ErasureReport extends ErasurePlan {
  /** Recordings that their place does not let go yet. They are found again, and deleted, by an erasure after that. */
  readonly retained: readonly Retained[];
  /**
   * Earlier backups, by their folders: those whose ledger has the erasure now, so that a restore repeats it, and those that have not.
   * `gone`: those whose folder is not where it was; the next erasure does not name them.
   */
  readonly backups?: Readonly<Record<"reached" | "missed" | "gone", readonly string[]>> | undefined;
  /** False while something of what was erased can still be read from the store's files. Erasing again ends that. */
  readonly isComplete: boolean;
  /** The free bytes on the store's own disk with which erasing again completes it. Undefined unless there were fewer. */
  readonly roomBytes?: number | undefined;
}

/** A content that cannot be sent any more, and why. */
export interface Damage extends Reference {
  readonly fault: string;
}

export interface CopyReport {
  readonly calls: number;
  /** Contents that records name, and their bytes. */
  readonly mediaFiles: number;
  readonly mediaBytes: number;
  /** How many of these were copied; the others were there. */
  readonly copied: number;
  /** Missing or damaged recordings, which the copy lacks. */
  readonly damages: readonly Damage[];
  /** Records that are not what was written, in the words of `ScannedRow`; the copy has them as they are, with the digests that say so. */
  readonly damagedRecords: readonly string[];
  /** What is wrong with the search index, which the copy has as it is; it can be made anew from the records. */
  readonly indexFault?: string | undefined;
}

/** Recordings that were erased since, and are deleted from a backup. */
export interface ErasedSound {
  readonly files: number;
  readonly bytes: number;
}

export interface BackupReport extends CopyReport {
  /** The generations that were older than they are kept, by their names. */
  readonly dropped: readonly string[];
  readonly erasedSound: ErasedSound;
}

export interface RestoreReport extends CopyReport {
  /** When the backup was made, ISO 8601. */
  readonly backupOf: string;
  /** What was erased since the backup, and is erased again. */
  readonly erasedAgain: ErasedAgain;
  /** See `SkippedLedger`; undefined for a restore by a whole ledger. */
  readonly passedOver?: readonly string[] | undefined;
}

export interface SkippedLedger {
  readonly erasedAgain: ErasedAgain;
  /** The entries that are missing or cannot be used, each with its fault, in sentences. */
  readonly passedOver: readonly string[];
}

export interface ErasedAgain extends ErasedCounts {
  /** The newest entry of the ledger; 0 without any. */
  readonly newest: number;
  /** When the newest of the entries that the backup did not know was written, ISO 8601; undefined if it knew all. */
  readonly newestAt: string | undefined;
}

export interface CopyOptions {
  readonly onProgress?: OnProgress | undefined;
  /** The operator's name, for the row of the access log; without it there is no row. */
  readonly operator?: string | undefined;
  /** Of the command, whose rows have it as well. */
  readonly run?: string | undefined;
  /** Of a backup: it becomes a new generation, and those that are older than so many days go. */
  readonly keepDays?: number | undefined;
  /** A restore erases by this ledger as well as by that of the backup; null: by what can be read of the latter. */
  readonly ledger?: LedgerPlace | null | undefined;
}

/** Who has the log forget. `isDryRun`: nothing is changed. */
export interface Forgetter {
  readonly operator: string;
  readonly isDryRun?: boolean | undefined;
}

export interface ForgottenAsked {
  /** Rows that lose what was asked for. */
  readonly forgotten: number;
  /** Rows of that time that keep it: of earlier versions, and of commands that prove something later. */
  readonly whole: number;
  /** False while a reader holds an old state, which the log of access.db still has. */
  readonly isComplete: boolean;
}

/** Who erases: for the row of the access log. */
export interface Eraser {
  readonly operator: string;
  /** Of the command, whose rows have it as well. */
  readonly run?: string | undefined;
  /** Why, such as the number of a case; the access log and the ledger have it. */
  readonly case?: string | undefined;
  readonly onProgress?: OnProgress;
}

/**
 * Opened by the places of an archive, not by the archive: some of it is for one that cannot be served. Everything throws
 * `ArchiveError` for places without an archive that can be used.
 */
export interface Maintenance {
  /** The recordings of these places. */
  readonly media: MediaStore;
  readonly internals: Internals;
  /** Throws `ArchiveError` for days that are none, and while an erasure is under way. */
  scan(options?: ScanOptions): Promise<Scan>;
  /** Of all days: with the contents of earlier states, unless `isCurrent`. */
  referencedMedia(days?: Days & { readonly isCurrent?: boolean }): Promise<ReferencedMedia>;
  /** Keeps that these contents were found right in these states. */
  noteVerified(media: readonly Media[]): Promise<void>;
  /**
   * Adds the row of a command to the access log, once that has the row which is noted beside the recordings; a copy of an archive
   * gets none and stays unchanged. It is on the disk when this resolves. Throws `ArchiveError` for a log that lost rows.
   */
  record(act: OperatorAct): Promise<void>;
  /**
   * Removes these contents from the media store where no record names them. What others may be about to name stays for an
   * erasure: nothing is done while an import, a copy or an erasure is under way.
   */
  discard(sha256s: Iterable<string>): Promise<void>;
  /** The extent of an `erase`. Throws `ArchiveError` while an import is under way. */
  planErasure(filter: ErasureFilter): Promise<ErasurePlan>;
  /**
   * Takes calls out for good, and tells the access log first. The service may run meanwhile; what was cut off is completed by
   * the same call. Throws `ArchiveError` while an import, a copy or another erasure is under way.
   */
  erase(filter: ErasureFilter, by: Eraser): Promise<ErasureReport>;
  /** The states of a call, a user or a flag, the newest first; none of what nothing has. */
  history(of: HistoryOf): Promise<readonly HistoryState[]>;
  /**
   * Takes what was asked for out of the rows of the access log of before that day of the archive's time zone; the chain of hashes stays
   * as it is. The log has a row of it. Throws `ArchiveError` for a day that is none.
   */
  forgetAsked?(before: string, by: Forgetter): Promise<ForgottenAsked>;
  /** Where something still is, from every place that the archive knows. Nothing is changed by looking. */
  trace?(of: TraceOf): Promise<Trace>;
  readonly holds: Holds;
  /** Everything that is found wrong, without changing anything. Contents are looked at, not read: that is `MediaStore.verify`. */
  check(onProgress?: OnProgress): Promise<readonly Finding[]>;
  /** Of a backup alone: what its databases are not as the backup left them. Reads them whole. */
  checkSeals?(): Promise<readonly Finding[]>;
  /** Rebuilds the search index from the records; returns the number of calls. */
  reindex?(onProgress?: OnProgress): Promise<number>;
  /** Copies a snapshot of the archive; `to` is for the adapter to read. */
  snapshot?(to: string, options?: CopyOptions): Promise<BackupReport>;
  /** Makes the archive of these places, where there is none, from what `snapshot` has made in `from`. */
  restore?(from: string, options?: CopyOptions): Promise<RestoreReport>;
  /**
   * Goes on without entries of the ledger that are lost, as the operator decides: what they have erased and the archive does not know
   * stays. What the others name is erased. The access log has a row of it.
   */
  skipLedger?(operator: string): Promise<SkippedLedger>;
  /** For adapters that keep one. */
  readonly ledger?: ArchiveLedger;
  /** For adapters whose access log can lose rows. */
  readonly lostLog?: LostLog;
  /** For adapters that have roles: how one is made that serves, and can neither change nor remove rows of the access log. */
  readonly serviceRole?: string;
}

/** An operator's decision about an access log that was lost or exchanged. The log says so, and who decided it. */
export interface LostLog {
  /** Begins a new log, without any credentials. Throws `ArchiveError` when none is lost. */
  beginAnew(operator: string): Promise<void>;
  /** Uses the log that lacks rows; gives what is lost. Throws `ArchiveError` when nothing is. */
  acceptLoss(operator: string): Promise<string>;
}
