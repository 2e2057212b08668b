// Where a call, a recording or a text still is. The places are those that the archive knows: its own files, its backups and its ledger.
import type { ErasureEntry } from "./access-log.ts";

/** `text` is looked for in the bytes of all files but recordings, and in the values of databases. `sha256`: of a recording, lower-case hexadecimal. */
export type TraceOf =
  | { readonly callId: string }
  | { readonly sha256: string }
  | { readonly text: string };

/** What one database has, with the folder of its recordings. */
export interface Found {
  readonly records: number;
  readonly states: number;
  readonly messages: number;
  /** Recordings whose files are there, also linked ones that a record names; and their bytes. */
  readonly files: number;
  readonly bytes: number;
}

export interface TracedState {
  /** The folder. */
  readonly place: string;
  /** When the backup was made, ISO 8601. */
  readonly createdAt: string;
  /** The backup of a later day removes it, ISO 8601; undefined for one that is kept. */
  readonly goesAt: string | undefined;
  readonly found: Found;
}

export interface TracedBackup {
  readonly place: string;
  /** Undefined if the backup cannot be read now; else each state in it that has something. */
  readonly states: readonly TracedState[] | undefined;
  /** How many states it has. */
  readonly count: number;
}

/** The records that an interrupted backup or restore has left, and that have something. */
export interface TracedPart {
  /** The file. */
  readonly place: string;
  readonly found: Found;
}

export interface TracedEntry {
  readonly erasure: number;
  readonly kind: "erased" | "lifted";
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
}

export interface Trace {
  readonly here: Found;
  /** The newest erasure of the identifier, from the access log. */
  readonly erased: ErasureEntry | undefined;
  /** The entries of the ledger that have its mark, or name its content. */
  readonly entries: readonly TracedEntry[];
  readonly backups: readonly TracedBackup[];
  /** In the folders of the archive and of its backups; not of a text, of which `files` has all. */
  readonly parts: readonly TracedPart[];
  /** The files of the archive and of its backups that have the text. */
  readonly files: readonly string[];
  /** Files and folders that cannot be read, and may have what is sought. */
  readonly unread: readonly string[];
  /** Between when its records began, as far as one was found; in ms since 1970. */
  readonly span: { readonly fromMs: number; readonly toMs: number } | undefined;
}
