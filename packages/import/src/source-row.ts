// The words between the readers and the runner: a file that is read, a row of it, and what makes a row unfit.
import type { Head } from "./head.ts";

/** A file of an import, or one inside a zip archive. */
export interface SourceFile {
  /** As it was given, or below the folder or the zip archive that was given. */
  readonly name: string;
  /** Of the file on the disk, in whose folder recordings are looked for. */
  readonly path: string;
  /** What its name ends in, in lower case and without .gz: `.csv`. */
  readonly extension: string;
  /** Its beginning; undefined for a pipe, which can be read only once. Throws `ImportError`. */
  peek(): Promise<Head | undefined>;
  /** What `chunks` gives, before its turn and without counting as progress; undefined for a pipe. */
  readAhead(): AsyncIterable<Buffer> | undefined;
  /** The file unpacked and as UTF-8. Throws `ImportError` when it cannot be read. */
  chunks(): AsyncIterable<Buffer>;
}

/**
 * A row of a file: a line of jsonl, a row of csv, a vCon. Readers only translate: `entries` are objects of the archive's
 * own format, not yet checked (see entry/parse-entry.ts); together they are written or rejected.
 */
export type SourceRow = FitRow | UnfitRow;

export interface FitRow {
  /** Where the row begins, from 1. */
  readonly line: number;
  /** The row as it came, for the reject file. */
  readonly raw: string;
  readonly entries: readonly unknown[];
  /** What whoever imports should know of the row although it is taken; a sentence without its end. */
  readonly notice?: string;
}

export interface UnfitRow {
  readonly line: number;
  readonly raw: string;
  readonly reason: string;
}

export type Reader = (file: SourceFile) => AsyncIterable<SourceRow>;

/** Why a row cannot be taken; the message names the field and the fault. */
export class RowFault extends Error {
  override readonly name = "RowFault";
}
