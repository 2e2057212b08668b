// What keeps an archive in order: reading all of it, erasing, checking; and what only some adapters can do besides.
import type { ErasedCounts, OperatorAct } from "./access-log.ts";
import type { Finding } from "./finding.ts";
import type { ArchiveItem } from "./import-session.ts";
import type { Internals } from "./internals.ts";
import type { Media, MediaStore, Retained } from "./media.ts";

/** How far a long piece of work has come. */
export interface Progress {
  /** What is being done, for people. */
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
  /** The command that reads: its row is in the access log before this resolves, but for a copy, which stays as it is. */
  readonly act?: OperatorAct | undefined;
  /** The id of a call: calls are read from the one after it. */
  readonly after?: string | undefined;
}

/** An archive's records as they are at one moment, that of the first row. Until it is disposed of nothing is erased. */
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

/** What belongs together: one user or flag, a call with its chat, or a message. */
export interface ScannedRow {
  /** Of a call: tells it from all others of the archive, for ever. */
  readonly id?: string | undefined;
  readonly items: readonly ArchiveItem[];
  readonly bytes: number;
}

/** The contents that recordings name, as they are at one moment, in the order of their digests. */
export interface ReferencedMedia extends AsyncDisposable, AsyncIterable<Reference> {
  readonly files: number;
  readonly bytes: number;
  has(sha256: string): boolean;
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
 * Which calls go: all that began before a day (YYYY-MM-DD, in the archive's time zone), all without a datetime, the records of a
 * call, or those that are found by a reference, session or master identifier.
 */
export type ErasureFilter =
  | { readonly before: string }
  | { readonly isUndated: true }
  | { readonly callId: string }
  | { readonly reference: string };

export interface ErasurePlan extends ErasedCounts {
  /** Where linked recordings lie that no other call has: they are not the archive's to delete. */
  readonly unlinked: readonly string[];
  /**
   * What the media store has that no record names, by its name there, and that goes as well: of replaced records, of rows that
   * were rejected, of imports that were cut off.
   */
  readonly ofNoRecord: readonly string[];
  /**
   * Of an identifier that nothing has: when an erasure has taken out what it had, in ms since 1970; undefined when none has, as
   * far as the access log goes back.
   */
  readonly takenMs: number | undefined;
}

export interface ErasureReport extends ErasurePlan {
  /** Recordings that their place does not let go yet. They are found again, and deleted, by an erasure after that. */
  readonly retained: readonly Retained[];
  /** False while something of what was erased can still be read from the store's files. Erasing again ends that. */
  readonly isComplete: boolean;
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
  /** Those that are missing or damaged: they are not in the copy. */
  readonly damages: readonly Damage[];
}

export interface CopyOptions {
  readonly onProgress?: OnProgress | undefined;
  /** The name of whoever runs it: the access log gets a row; without it gets none. */
  readonly operator?: string | undefined;
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
  referencedMedia(days?: Days): Promise<ReferencedMedia>;
  /** Keeps that these contents were found right in these states. */
  noteVerified(media: readonly Media[]): Promise<void>;
  /** What `erase` would take. Throws `ArchiveError` while an import is under way. */
  planErasure(filter: ErasureFilter): Promise<ErasurePlan>;
  /**
   * Takes calls out for good, and tells the access log first. The service may run meanwhile; what was cut off is completed by
   * the same call. Throws `ArchiveError` while an import, a copy or another erasure is under way.
   */
  erase(
    filter: ErasureFilter,
    by: { readonly operator: string; readonly onProgress?: OnProgress },
  ): Promise<ErasureReport>;
  /** Everything that is found wrong, without changing anything. Contents are looked at, not read: that is `MediaStore.verify`. */
  check(onProgress?: OnProgress): Promise<readonly Finding[]>;
  /** Makes the search index anew from the records; gives the number of calls. */
  reindex?(onProgress?: OnProgress): Promise<number>;
  /** Copies the archive as it is at one moment; `to` is for the adapter to read. */
  snapshot?(to: string, options?: CopyOptions): Promise<CopyReport>;
  /** Makes the archive of these places, where there is none, from what `snapshot` has made in `from`. */
  restore?(from: string, options?: CopyOptions): Promise<CopyReport>;
  /** For adapters whose access log can be lost without the records. */
  readonly lostLog?: LostLog;
}

/** What an operator decides of an access log that is not the one that it was. The log says so, and who decided it. */
export interface LostLog {
  /** Begins a new log, without any credentials. Throws `ArchiveError` when none is lost. */
  beginAnew(operator: string): Promise<void>;
  /** Uses the log that lacks rows; gives what is lost. Throws `ArchiveError` when nothing is. */
  acceptLoss(operator: string): Promise<string>;
}
