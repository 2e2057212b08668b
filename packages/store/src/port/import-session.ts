// The items that fill an archive, and the result for each row.
import type { ChatMessageRecord, MetadataRecord, Recording } from "./calls.ts";
import type { Writer } from "./access-log.ts";
import type { FlagRecord, UserRecord } from "./users.ts";

/** An item for the archive. A call's `sessionId` and `masterId` are additional names for by-reference. */
export type ArchiveItem =
  | {
      readonly kind: "call";
      readonly record: MetadataRecord;
      readonly sessionId?: string | undefined;
      readonly masterId?: string | undefined;
      /**
       * When the source last changed its data about the call, in ms since 1970. If several records of a call_id have it, the archive
       * keeps those with the latest time, in whatever order they arrive.
       */
      readonly revisedMs?: number | undefined;
      /** The store sorts them by D17. Their names come first in the record's `recordings`, before others. */
      readonly recordings: readonly Recording[];
      /**
       * True if the source does not mention recordings. The call then keeps the recordings, and their names, that the
       * archive has.
       */
      readonly keepsRecordings?: boolean | undefined;
      /**
       * The values by which the source distinguishes the legs of one call_id, and which it never corrects; default: when
       * they began. Datetimes among them are compared as instants. A record replaces the one with the same call_id and the same
       * identity (D32). Without a call_id: the number of a record among equal ones, from the second on.
       */
      readonly identity?: readonly (string | null)[] | undefined;
      readonly verdict?: Verdict | undefined;
    }
  | {
      readonly kind: "user";
      readonly record: UserRecord;
      /**
       * The record of that user that this one replaces; null if there must be none. If absent, any existing record is
       * replaced.
       */
      readonly before?: UserRecord | null | undefined;
    }
  | { readonly kind: "flag"; readonly record: FlagRecord; readonly userId?: number | undefined }
  | {
      readonly kind: "chat";
      readonly record: ChatMessageRecord;
      readonly verdict?: Verdict | undefined;
    };

/**
 * What `leaveOutErased` said by the policy of the archive (D43), asked with all rows of the call. `write` obeys it; without one, it judges
 * by the row alone and what the archive has.
 */
export type Verdict = "kept" | "soundless" | "due";

export type CallItem = Extract<ArchiveItem, { kind: "call" }>;

/** The outcome for a row. */
export type Outcome =
  /** Some of it was new, and nothing was replaced. */
  | "imported"
  /** Some of it took the place of what the archive had of the same record (D32). */
  | "replaced"
  /** All of it was there already. */
  | "unchanged"
  /** A purge has erased all of it before, and it stays out (D33). */
  | "erased"
  /** The policy of the archive would make what is left of it due at once, and it stays out (D43). */
  | "due"
  | { readonly rejected: string };

/** What is left of a row without what was erased. */
export interface LeftRow {
  readonly items: readonly ArchiveItem[];
  /** Those of the items whose recordings were erased (D41): they are written without recordings, but still name them. */
  readonly soundless: ReadonlySet<ArchiveItem>;
  /** The items that are left out because of the policy of the archive (D43), for which some are `soundless` as well. */
  readonly due: ReadonlySet<ArchiveItem>;
  /** Those of the items of which the policy leaves out the recordings alone. */
  readonly dueSound: ReadonlySet<ArchiveItem>;
}

/**
 * One run of an import. Rows that the archive already has are left unchanged, so a run can be repeated. The rule for
 * what counts as the same record is in apps/docs/guides/importing.md, "Import again".
 */
export interface ImportSession extends AsyncDisposable {
  /**
   * Returns what no purge has erased of a row and no policy makes due at once. `write` leaves out the rest, unless the session restores it, so its recordings are not
   * needed.
   */
  leaveOutErased(row: readonly ArchiveItem[]): Promise<LeftRow>;
  /**
   * Writes the rows in one transaction, each row completely or not at all, and returns the results in the same order. The archive counts
   * them, and the `refused` rows that were read along with them but are not items. If `hasMore` is true, the transaction may stay open;
   * a later write without it commits, even one without rows. If that throws, the writes since the last commit may be lost, and the session
   * is over.
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
  /** Left out, because a purge has erased them or a policy makes them due. */
  readonly erased: number;
  readonly rejected: number;
}

export interface ImportSessionOptions {
  /** True to import records again that a purge has erased (D33); default false. */
  readonly restoresErased?: boolean | undefined;
  /** Writes only users, which is possible even if other records are lost. Default: writes everything. */
  readonly only?: "users" | undefined;
  /** False if a session of the same run has already counted the rows, which takes long in a large archive; default true. */
  readonly countsRows?: boolean | undefined;
  /** The writer, named in the history. Default: an import by an unknown user. */
  readonly writer?: Writer | undefined;
}
