// The options and the report of an import.
import type { FindingKind } from "@call-media/sound";
import type { ArchiveItem, CallStore, Writer } from "@call-media/store";
import type { Doubt } from "./doubts/doubt.ts";
import type { MissingMedia, NotSound } from "./entry/media-entry.ts";
import type { ReadOptions } from "./formats/format.ts";

/** An archive that is created at the first row: an import that cannot start leaves nothing behind. */
export interface NewArchive {
  /** IANA name (D03); undefined if nobody has said it: then times without an offset stop the import. Default UTC. */
  readonly timeZone: string | undefined;
  /** Called once, at the first row. The caller closes the store. */
  readonly create: () => Promise<CallStore>;
}

export interface ImportOptions extends Omit<ReadOptions, "timeZone" | "openArchive"> {
  /** The archive to fill. */
  readonly store: CallStore | NewArchive;
  /** Files, zip archives, or folders of which every file of the format is read, in the order of their paths. */
  readonly paths: readonly string[];
  /** A name of `FORMATS` or of a file in `mapsDirectory`; default `auto`: each file is what its beginning shows, and nothing is written when one of them shows nothing. */
  readonly format?: string | undefined;
  /** A folder of mapping files that are formats, beside those of the package. */
  readonly mapsDirectory?: string | undefined;
  /** True to leave recordings in place and store their paths; default: they are copied. */
  readonly isLinked?: boolean | undefined;
  /**
   * A call whose recording is missing or empty is rejected, or imported with only the name, which the report counts.
   * Default: `name` where a platform's log names recordings that may lie elsewhere, `reject` for a mapping's or an
   * entry's own list.
   */
  readonly missingMedia?: MissingMedia | undefined;
  /**
   * A call with a recording that is a page, a text, a program or a header without sound is imported and named, or rejected. Default
   * `keep`: an archive keeps evidence unchanged.
   */
  readonly notSound?: NotSound | undefined;
  /** Skips and reports files of no known format; by default such a file stops the import before it starts. */
  readonly skipsUnknown?: boolean | undefined;
  /** Imports again records that a purge has erased (D33); default false. */
  readonly restoresErased?: boolean | undefined;
  /** The person who imports, for the history of replaced records; see `ImportSessionOptions`. */
  readonly writer?: Writer | undefined;
  /** See `ImportSessionOptions`; default true. */
  readonly countsRows?: boolean | undefined;
  /** Called before a batch is written that brings erased records back. */
  readonly onRestoring?: ((restored: readonly ArchiveItem[]) => Promise<void>) | undefined;
  /** IANA name: how datetimes without an offset are read; default: the archive's time zone (D03). */
  readonly timeZone?: string | undefined;
  /** Where rejected rows go, as JSON lines of `RejectedRow`. Made only when there is one; never one that has rows already. */
  readonly rejectFile?: string | undefined;
  /** A new file for the paths of recordings that no row names, a line each. Made only when there are any. */
  readonly orphanFile?: string | undefined;
  /** Called once, before anything is written, with the recognised files and the skipped ones. */
  readonly onRecognised?:
    | ((recognised: readonly Recognised[], skipped: readonly SkippedFile[]) => void)
    | undefined;
  /** Called after every batch. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

export interface Recognised {
  readonly file: string;
  readonly format: string;
  /** For people: "Five9 call log". */
  readonly title: string;
  /** The evidence for the format, for people: "header has CALL ID, TIMESTAMP". */
  readonly because: string;
}

/** A file of no known format. */
export interface SkippedFile {
  readonly file: string;
  /** The reason, and the advice. */
  readonly reason: string;
}

export interface ImportProgress {
  readonly bytesRead: number;
  /** For all files together; 0 where the system cannot tell (a pipe). */
  readonly bytesTotal: number;
  /** Rows so far. */
  readonly read: number;
}

/** The outcomes of the rows of an import: `read` is the sum of the other five. */
export interface ImportReport {
  readonly read: number;
  /** Rows with a new record. */
  readonly imported: number;
  /** Rows that replaced a record (D32). */
  readonly replaced: number;
  readonly unchanged: number;
  /** Rows that a purge erased before (D33). */
  readonly erased: number;
  /** Rows that the policy of the archive would make due at once, and the first of them, at most ten; absent without one. */
  readonly due?: number;
  readonly firstDue?: readonly NamedRow[];
  readonly rejected: number;
  /** Present when something was rejected and a reject file was asked for. */
  readonly rejectFile?: string;
  /** The first of the rejected rows, at most ten. */
  readonly firstRejections: readonly Rejection[];
  /** The first of the rows that replaced something, at most ten. */
  readonly firstReplacements: readonly NamedRow[];
  /** The first of the rows that were erased before, at most ten. */
  readonly firstErased: readonly NamedRow[];
  /** Files of no known format; absent if there are none. */
  readonly skipped?: readonly SkippedFile[];
  /** Such as the sheets of a workbook behind the first; only if there are any. */
  readonly leftOut?: readonly SkippedFile[];
  /**
   * What is in doubt though rows were imported; absent if there is nothing. One that stops was not yet seen in the first
   * rows: everything was written.
   */
  readonly doubts?: readonly Doubt[];
  /** Notices about imported rows; absent if there are none. */
  readonly notices?: readonly Notice[];
  /** Recordings by the faults of their sound; absent if there are none. */
  readonly sound?: SoundCounts;
}

export type SoundCounts = Readonly<Partial<Record<FindingKind, number>>>;

export interface Notice {
  /** A sentence without its end. */
  readonly text: string;
  /** Number of rows. */
  readonly rows: number;
  /** The first of what it is about, at most ten, such as "a.wav is JSON: call 7 (calls.csv:4)"; absent if it names nothing. */
  readonly first?: readonly string[];
}

export interface NamedRow {
  /** As in `Rejection`. */
  readonly file: string;
  readonly line: number;
  /** The record, for people: "call 7 of 2026-08-21T09:00:06Z". */
  readonly record: string;
}

export interface Rejection {
  /** The given path, or a path below the given folder. */
  readonly file: string;
  /** Counts from 1; where the row begins. */
  readonly line: number;
  /** Names the field and the fault. */
  readonly reason: string;
}

/** A line of the reject file. */
export interface RejectedRow extends Rejection {
  /** The row itself, cut after 4,096 characters. */
  readonly raw: string;
}
