// What an archive is filled with, and what became of it.
import type { ChatMessageRecord, MetadataRecord, Recording } from "./calls.ts";
import type { FlagRecord, UserRecord } from "./users.ts";

/** What an archive is filled with. A call's `sessionId` and `masterId` are further names for by-reference. */
export type ArchiveItem =
  | {
      readonly kind: "call";
      readonly record: MetadataRecord;
      readonly sessionId?: string | undefined;
      readonly masterId?: string | undefined;
      /**
       * When its source last changed what it says of the call, in ms since 1970. Of a call_id that comes with this, only
       * what is of the latest moment is kept, in whatever order it comes.
       */
      readonly revisedMs?: number | undefined;
      /** In the order of D17. Their names come first in the record's `recordings`, before others that it gives. */
      readonly recordings: readonly Recording[];
      /**
       * Whether the source says nothing of recordings, and gives none: then those that the archive has of the same call stay,
       * with the names in its record.
       */
      readonly keepsRecordings?: boolean | undefined;
      /**
       * What its source tells the legs of one call_id apart by, and corrects nothing of; default: ref_id, datetime and agent. A
       * record takes the place of the one that has the same call_id and the same identity (D32).
       */
      readonly identity?: readonly (string | null)[] | undefined;
      /**
       * Whether its source may have given its `ref_id` later than the call: then one that the archive has without, and that is the
       * same otherwise, is replaced.
       */
      readonly hasLateReference?: boolean | undefined;
    }
  | {
      readonly kind: "user";
      readonly record: UserRecord;
      /** What the archive must have by then of the user of that id, null: nothing. Left out: whatever it has is replaced. */
      readonly before?: UserRecord | null | undefined;
    }
  | { readonly kind: "flag"; readonly record: FlagRecord; readonly userId?: number | undefined }
  | { readonly kind: "chat"; readonly record: ChatMessageRecord };

export type CallItem = Extract<ArchiveItem, { kind: "call" }>;

/** What became of a row. */
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
 * One run of an import. Rows that the archive already has are left alone, so a run can be repeated; the rule for what is
 * the same record is in apps/docs/guides/importing.md, "Import again".
 */
export interface ImportSession extends AsyncDisposable {
  /** The items of a row that no purge has erased before: `write` leaves out the others, so their recordings are not needed. */
  leaveOutErased(row: readonly ArchiveItem[]): Promise<readonly ArchiveItem[]>;
  /**
   * Writes the rows in one transaction, each row whole or not at all, and answers in the same order. The archive keeps
   * count of what became of them, and of the `refused` rows that were read with them and are no items. When `hasMore`
   * says that more follow, the transaction may go on: a write without it ends it, of no rows if need be. Should that
   * throw, the writes since the last one that ended may be lost.
   */
  write(
    rows: ReadonlyArray<readonly ArchiveItem[]>,
    refused?: number,
    hasMore?: boolean,
  ): Promise<Outcome[]>;
}

/** Rows that were read for an archive since it was made, by what became of them. */
export interface ImportedRows {
  readonly imported: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly erased: number;
  readonly rejected: number;
}

export interface ImportSessionOptions {
  /** Whether records that a purge has erased are written again (D33); default no. */
  readonly restoresErased?: boolean | undefined;
}
