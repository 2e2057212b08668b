// The port: what the service, the importers and the operator's commands ask of an archive. One interface, any adapter.
import type { Schema } from "@call-media/api";
import type { AccessLog, OperatorAct } from "./access-log.ts";
import type { Digests } from "./values/digests.ts";

export type MetadataRecord = Schema<"MetadataRecord">;
export type ChatMessageRecord = Schema<"ChatMessageRecord">;
export type PublicFlagRecord = Schema<"PublicFlagRecord">;
export type PrivateFlagRecord = Schema<"PrivateFlagRecord">;
export type FlagRecord = PublicFlagRecord | PrivateFlagRecord;
/** Everything the archive knows of a user: the basic, the address and the security record in one. */
export type UserRecord = Schema<"UserBasicRecord"> &
  Schema<"UserAddressRecord"> &
  Schema<"UserSecurityRecord">;
export type FilterField = keyof Schema<"MetadataFilter"> | keyof Schema<"CustomFieldsFilter">;
export type Filter = Readonly<Partial<Record<FilterField, string | number>>>;

/** One condition of D21: the record's `field` must have one of the `allowed` match keys; null has none. */
export interface Restriction {
  readonly field: FilterField;
  readonly allowed: readonly string[];
}

/** A caller's rights on records: all restrictions hold at once, none means everything is seen. */
export type Visibility = readonly Restriction[];

/** A date range, its conditions (ANDed, D08), and which 50 of the matching records are wanted. */
export interface CallSearch {
  readonly filter: Filter;
  /** Calendar days in the archive's time zone, YYYY-MM-DD, both inclusive (D06). */
  readonly startDate: string;
  readonly endDate: string;
  /** Counts from 0 (D07). */
  readonly pageIndex: number;
  readonly visibility: Visibility;
  /** Whether the exact number of matching records over all pages is wanted too (D10). */
  readonly isCounted: boolean;
}

export interface CallPage {
  /** Newest instant first, ties by import order (D09). */
  readonly records: MetadataRecord[];
  /** Present when the search asked for it. */
  readonly recordCount?: number;
  readonly hasNext: boolean;
  /** Records of a full page (D07). */
  readonly pageSize: number;
}

/**
 * Records as a caller may see them: what `visibility` hides is left out of every answer and every count (D21). All throw
 * `RecordDamaged`; to a caller with restrictions a damaged record is hidden from look-ups by identifier.
 */
export interface Calls {
  byCallId(callId: string, visibility: Visibility): Promise<MetadataRecord[]>;
  /** By reference, session or master identifier. */
  byReference(reference: string, visibility: Visibility): Promise<MetadataRecord[]>;
  /** Throws `SearchRefused` when it would take too long, or too many others wait. */
  search(search: CallSearch): Promise<CallPage>;
  /** The recordings of a call in the order of D17: by start, then as imported. */
  recordings(
    of: { callId: string } | { reference: string },
    visibility: Visibility,
  ): Promise<FoundRecording[]>;
  /** The chat of a call, oldest message first. Without a call record its restricted fields count as null. */
  chat(callId: string, visibility: Visibility): Promise<ChatMessageRecord[]>;
}

export interface Recording {
  readonly filename: string;
  /** When it began, in ms since 1970; unknown ones come after those that are known. */
  readonly startMs?: number | undefined;
  readonly media: Media;
}

/** A recording with the call it belongs to. */
export interface FoundRecording extends Recording {
  readonly callId: string | null;
}

/** A file of the archive, named by its content. */
export interface Media {
  /** SHA-256 of the bytes, 64 lower-case hexadecimal digits, taken at import. */
  readonly sha256: string;
  readonly bytes: number;
  /** Media type found in the bytes, else the one that was declared, else application/octet-stream (D16). */
  readonly type: string;
  /** When the file was last changed before it was imported, in ms since 1970. */
  readonly modifiedMs: number;
  /** What is kept of the file's state when its content was last known to be right; only the adapter can read it. */
  readonly fingerprint?: string | undefined;
  /** Where a linked file lies, absolute; absent for a copy in the archive. */
  readonly path?: string | undefined;
}

/** Bytes by range; ends when closed. */
export interface OpenMedia {
  /** Fills `buffer` from `position` on; fewer bytes than its length only at the end of the file. */
  read(buffer: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

/** The bytes of the archive's recordings, kept once for each content. */
export interface MediaFiles {
  /** Takes a copy, or links a file. Throws `MediaRejected` for what is no usable file, or not the one that was declared. */
  add(source: MediaSource): Promise<Media>;
  /**
   * Throws `MediaDamaged` when the file is missing or no longer what was imported. A file whose state is another than
   * when it was last known to be right is read whole before this resolves.
   */
  open(media: Media): Promise<OpenMedia>;
}

/** The digests are what the content has to have, when the source says so. */
export type MediaSource = MediaPlace &
  Digests & {
    /** What the source says it is: kept for bytes that show no media type themselves. `audio/...` or `video/...`. */
    readonly type?: string | undefined;
  };

type MediaPlace =
  /** A linked file stays where it is, and the archive keeps its path: absolute, without symbolic links. */
  | { readonly path: string; readonly isLinked?: boolean }
  | { readonly name: string; readonly content: Uint8Array };

export class MediaRejected extends Error {
  override readonly name = "MediaRejected";
}

export class MediaDamaged extends Error {
  override readonly name = "MediaDamaged";
}

/** A record, or the search index, is no longer what was written: the disk, or somebody, has changed the archive's files. */
export class RecordDamaged extends Error {
  override readonly name = "RecordDamaged";
}

/** A search that was not carried out to its end. The message says why, and may be told to whoever asked. */
export class SearchRefused extends Error {
  override readonly name = "SearchRefused";
}

/** What was to be kept could not be: a full disk, a lock that somebody holds. Nothing of it was kept. */
export class NotWritten extends Error {
  override readonly name = "NotWritten";
}

export interface Users {
  /** In the order of their ids; without `status` all of them (D05). */
  list(status?: number): Promise<UserRecord[]>;
  byId(id: number): Promise<UserRecord | undefined>;
  byName(username: string): Promise<UserRecord | undefined>;
  /** In the order of their ids; without `names` all of them. Names are compared as values of filters are (D08). */
  publicFlags(names?: readonly string[]): Promise<PublicFlagRecord[]>;
  privateFlags(userId: number): Promise<PrivateFlagRecord[]>;
}

/** An application of a user: what POST /Token is asked with. Only a hash of its key is kept (D18). */
export interface Application {
  readonly secretID: string;
  readonly keyHash: string;
  readonly userId: number;
  readonly createdMs: number;
}

/** A token of an application, an API key of a user (D18, D19), or a session of the console (D35). */
export interface Bearer {
  /** Names the bearer in lists and in `revoke`; not secret. */
  readonly id: string;
  readonly kind: "token" | "key" | "session";
  /** SHA-256 of the secret, hexadecimal: the secret itself is random and kept nowhere. */
  readonly hash: string;
  readonly userId: number;
  /** The application that a token was given to, or that a session was opened with. */
  readonly secretID?: string;
  /** The API key that a session was opened with. */
  readonly keyId?: string;
  readonly createdMs: number;
  readonly expiresMs?: number;
}

/** What was issued, whose it is, and whether it was taken back. */
export type Issued<T> = T & { readonly user: UserRecord; readonly isRevoked: boolean };

/** What was issued, as it may be shown: neither a secret nor its hash. */
export type ListedApplication = Omit<Application, "keyHash"> &
  Listed & {
    /** Those of its tokens that are still good. */
    readonly tokens: number;
  };

export type ListedKey = Pick<Bearer, "id" | "userId" | "createdMs" | "expiresMs"> & Listed;

interface Listed {
  /** Whose it is; undefined where the archive has no such user. */
  readonly user: UserRecord | undefined;
  readonly revokedMs?: number;
}

export interface Credentials {
  /** `act`: the operator's command that does so; its row is in the access log when, and only when, it is done. */
  addApplication(application: Application, act?: OperatorAct): Promise<void>;
  application(secretID: string): Promise<Issued<Application> | undefined>;
  /** Every application there ever was, oldest first; with `userId` those of that user. */
  applications(userId?: number): Promise<ListedApplication[]>;
  /** Every API key there ever was, oldest first; with `userId` those of that user. */
  keys(userId?: number): Promise<ListedKey[]>;
  /** `act`: see `addApplication`. */
  addBearer(bearer: Bearer, act?: OperatorAct): Promise<void>;
  bearer(hash: string): Promise<Issued<Bearer> | undefined>;
  /** Moves the end of a session that is not revoked, ms since 1970 (D35). */
  extendSession(hash: string, expiresMs: number): Promise<void>;
  /**
   * Revokes what `which` names, with an application its tokens and sessions, with a key its sessions; counts what it names.
   * When that is nothing, `act` leaves no row.
   */
  revoke(which: Revocation, act?: OperatorAct): Promise<{ applications: number; bearers: number }>;
}

export type Revocation =
  | { readonly application: string }
  | { readonly key: string }
  /** A token or a session. */
  | { readonly tokenHash: string }
  /** All sessions of a user. */
  | { readonly sessionsOf: number }
  | { readonly tokensOf: { readonly userId: number } | { readonly secretID: string } };

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
 * the same record is in ARCHITECTURE.md, "Importing twice".
 */
export interface ImportSession extends AsyncDisposable {
  /** The items of a row that no purge has erased before: `write` leaves out the others, so their recordings are not needed. */
  leaveOutErased(row: readonly ArchiveItem[]): readonly ArchiveItem[];
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

export interface CallStore extends AsyncDisposable {
  /** IANA name: how datetimes without an offset are read and where days begin (D03, D06). */
  readonly timeZone: string;
  readonly calls: Calls;
  readonly users: Users;
  readonly credentials: Credentials;
  readonly accessLog: AccessLog;
  readonly media: MediaFiles;
  openImport(options?: ImportSessionOptions): Promise<ImportSession>;
  importedRows(): Promise<ImportedRows>;
  /** Writes what waits to be written, and throws when that is not possible. */
  [Symbol.asyncDispose](): Promise<void>;
}
