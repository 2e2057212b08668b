// Where a call, a recording or a text still exists. The places are those that the archive knows: its own files, its backups and its ledger.
import type { EntryKind } from "./ledger.ts";
import type { ErasureEntry } from "./access-log.ts";

/**
 * `text` is looked for in the bytes of all files except recordings, and in the values of databases. `sha256`: of a recording, lower-case
 * hexadecimal.
 */
export type TraceOf =
  | { readonly callId: string }
  | { readonly sha256: string }
  | { readonly text: string };

/** What was found in one database and the directory of its recordings. */
export interface Found {
  readonly records: number;
  readonly states: number;
  readonly messages: number;
  /** Recordings whose files exist, including linked ones that a record names; and their total size. */
  readonly files: number;
  readonly bytes: number;
}

export interface TracedState {
  /** The directory. */
  readonly place: string;
  /** When the backup was made, ISO 8601. */
  readonly createdAt: string;
  /** The first backup after this time deletes it, ISO 8601; undefined if it is kept. */
  readonly goesAt: string | undefined;
  readonly found: Found;
}

export interface TracedBackup {
  readonly place: string;
  /** Each state in the backup that has something; undefined if the backup cannot be read now. */
  readonly states: readonly TracedState[] | undefined;
  /** The number of states in the backup. */
  readonly count: number;
}

/** The records that an interrupted backup or restore has left, if they have something. */
export interface TracedPart {
  /** The file. */
  readonly place: string;
  readonly found: Found;
}

export interface TracedEntry {
  readonly erasure: number;
  readonly kind: EntryKind;
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
}

export interface Trace {
  readonly here: Found;
  /** The newest erasure of the identifier, from the access log. */
  readonly erased: ErasureEntry | undefined;
  /** The ledger entries that have its mark, or name its content. */
  readonly entries: readonly TracedEntry[];
  readonly backups: readonly TracedBackup[];
  /** In the directories of the archive and of its backups; empty for a text, for which `files` has everything. */
  readonly parts: readonly TracedPart[];
  /** The files of the archive and of its backups that have the text. */
  readonly files: readonly string[];
  /** Files and directories that cannot be read and may have what is sought. */
  readonly unread: readonly string[];
  /** The times between which its records began, if any were found; in ms since 1970. */
  readonly span: { readonly fromMs: number; readonly toMs: number } | undefined;
}
