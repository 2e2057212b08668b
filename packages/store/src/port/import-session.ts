// The items that fill an archive, and the outcome for each row.
import type { ChatMessageRecord, MetadataRecord, Recording } from "./calls.ts";
import type { Writer } from "./access-log.ts";
import type { FlagRecord, UserRecord } from "./users.ts";

/** An item for the archive. A call's `sessionId` and `masterId` are further names for by-reference. */
export type ArchiveItem =
  | {
      readonly kind: "call";
      readonly record: MetadataRecord;
      readonly sessionId?: string | undefined;
      readonly masterId?: string | undefined;
      /**
       * When its source last changed what it says of the call, in ms since 1970. If several records of a call_id have
       * it, the archive keeps those of the latest moment, in whatever order they come.
       */
      readonly revisedMs?: number | undefined;
      /** The store brings them into the order of D17. Their names come first in the record's `recordings`, before others. */
      readonly recordings: readonly Recording[];
      /**
       * True if the source says nothing of recordings. The call then keeps the recordings, and their names, that the
       * archive has.
       */
      readonly keepsRecordings?: boolean | undefined;
      /**
       * The values by which the source distinguishes the legs of one call_id, and which it never corrects; default: when
       * they began. A datetime among them is compared as a moment. A record takes the place of the one that has the same
       * call_id and the same identity (D32). Without a call_id: the number of a record among equal ones, from the second on.
       */
      readonly identity?: readonly (string | null)[] | undefined;
    }
  | {
      readonly kind: "user";
      readonly record: UserRecord;
      /**
       * The record of that user that this one replaces; null: there must be none. Left out: whatever it has is
       * replaced.
       */
      readonly before?: UserRecord | null | undefined;
    }
  | { readonly kind: "flag"; readonly record: FlagRecord; readonly userId?: number | undefined }
  | { readonly kind: "chat"; readonly record: ChatMessageRecord };

export type CallItem = Extract<ArchiveItem, { kind: "call" }>;

/** The outcome for a row. */
export type Outcome =
  /** Some of it was new, and nothing took the place of anything. */
  | "imported"
  /** Some of it took the place of what the archive had of the same record (D32). */
  | "replaced"
  /** All of it was there already. */
  | "unchanged"
  /** A purge has erased all of it before, and it stays out (D33). */
  | "erased"
  | { readonly rejected: string };

/**
 * One run of an import. Rows that the archive already has are left unchanged, so a run can be repeated. The rule for
 * what counts as the same record is in apps/docs/guides/importing.md, "Import again".
 */
export interface ImportSession extends AsyncDisposable {
  /**
   * The items of a row that no purge has erased before. `write` leaves out the others, unless the session restores them, so
   * their recordings are not needed.
   */
  leaveOutErased(row: readonly ArchiveItem[]): Promise<readonly ArchiveItem[]>;
  /**
   * Writes the rows in one transaction, each row whole or not at all, and answers in the same order. The archive counts
   * the outcomes, and the `refused` rows that were read with them and are not items. When `hasMore` says that more
   * follow, the transaction may go on: a write without it ends it, of no rows if need be. Should that throw, the writes
   * since the last one that ended may be lost, and the session is over.
   */
  write(
    rows: ReadonlyArray<readonly ArchiveItem[]>,
    refused?: number,
    hasMore?: boolean,
  ): Promise<Outcome[]>;
}

/** The rows read for an archive since it was created, by outcome. */
export interface ImportedRows {
  readonly imported: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly erased: number;
  readonly rejected: number;
}

export interface ImportSessionOptions {
  /** True to import records again that a purge has erased (D33); default false. */
  readonly restoresErased?: boolean | undefined;
  /** Nothing but users is written, which is possible also where other records are lost. Default: everything is. */
  readonly only?: "users" | undefined;
  /** False if a session of the same run has counted the rows, which takes long in a great archive; default true. */
  readonly countsRows?: boolean | undefined;
  /** Who writes: history names it. Default: an import by nobody that is known. */
  readonly writer?: Writer | undefined;
}
