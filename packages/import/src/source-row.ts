// The types between readers and runner: a source file, its rows, and the fault of a row.
import type { FindingKind } from "@call-media/sound";
import type { Doubt, Sides } from "./doubts/doubt.ts";
import type { Head } from "./head.ts";

/** A file of an import, or one inside a zip archive. */
export interface SourceFile {
  /** The path as given, or below the given folder or zip archive. */
  readonly name: string;
  /** Path of the file on the disk; recordings are looked for in its folder. */
  readonly path: string;
  /** Extension in lower case, without .gz: `.csv`. */
  readonly extension: string;
  /** Its beginning; undefined for a pipe, which can be read only once. Throws `ImportError`. */
  peek(): Promise<Head | undefined>;
  /** Like `chunks`, but not counted as progress; undefined for a pipe. */
  readAhead(): AsyncIterable<Buffer> | undefined;
  /** Parts of it that are not read. `hasCalls`: what it should have may be there. */
  readonly leftOut?: readonly {
    readonly file: string;
    readonly reason: string;
    readonly hasCalls: boolean;
  }[];
  /** The file unpacked and as UTF-8. Throws `ImportError` when it cannot be read. */
  chunks(): AsyncIterable<Buffer>;
}

/**
 * A row of a file: a line of jsonl, a row of csv, a vCon. Readers only translate: `entries` are objects of the archive's
 * own format, not yet checked (see entry/parse-entry.ts); together they are written or rejected.
 */
export type SourceRow = Row | SkippedLine;

export type Row = FitRow | UnfitRow;

export interface FitRow {
  /** Where the row begins, from 1. */
  readonly line: number;
  /** The unchanged row, for the reject file. */
  readonly raw: string;
  readonly entries: readonly unknown[];
  readonly notice?: RowNotice;
  /** True if other rows of the file with the same call_id and moment are other legs of the call; default: they are the same. */
  readonly areLegs?: boolean;
}

/** A line without a row: a repeated header, as in joined files, sums, or a line that the mapping skips. Counted separately. */
export interface SkippedLine {
  readonly line: number;
  readonly raw: string;
  readonly isHeader: boolean;
  /** True if it has what a row has: as many columns, most of them with a value, or the form of a line. */
  readonly isRowLike: boolean;
  /** True if it has the sums of the others. */
  readonly isTotal?: boolean;
}

/** About a row, which is imported all the same. */
export interface RowNotice {
  /** A sentence without its end. */
  readonly text: string;
  /** Its subject, for the list of the first ones: "a.wav is JSON". */
  readonly name?: string;
  /** The fault in the sound of a recording, to be counted. */
  readonly fault?: FindingKind;
}

export interface UnfitRow {
  readonly line: number;
  readonly raw: string;
  readonly reason: string;
  /** The fault of a row that was read in part. */
  readonly fault?: RowFault;
}

/** Where a row stands. */
export interface Place {
  /** The path of its file. */
  readonly file: string;
  readonly line: number;
}

/** The reading of an operator's mapping. */
export interface Mapped {
  /** The templates of its fields, as they are written: "{Start}". */
  readonly templates: Readonly<Record<string, string>>;
  /** True of the kind of entries of which it reads day and month of `datetime` as numbers, which could lie the other way round. */
  readonly isOrderOpen: Readonly<Record<"call" | "chat", boolean>>;
  readonly sides: Sides;
  /** Columns or members of a file, or of its first record, that it does not name. */
  readonly listUnread: (head: Head) => readonly string[];
}

export interface Reader {
  (file: SourceFile): AsyncIterable<SourceRow>;
  /** Present if the operator's own mapping says what the values are; then it alone can be wrong about them. */
  readonly mapped?: Mapped;
  /** The doubts after the rows so far. */
  readonly judge?: (() => readonly Doubt[]) | undefined;
}

/** Rejects a row; the message names each field and its fault. */
export class RowFault extends Error {
  override readonly name = "RowFault";
  /** One for each field. */
  readonly faults: readonly string[];
  /** What was read of the row in spite of the faults. Other faults may be in it. */
  readonly entries: Record<string, unknown>[];

  constructor(fault: string | readonly string[], entries: RowFault["entries"] = []) {
    const faults = [fault].flat();
    super(faults.join("; "));
    this.faults = faults;
    this.entries = entries;
  }
}
