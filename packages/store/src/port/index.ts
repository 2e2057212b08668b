// The port: what the service, the importers and the operator's commands ask of an archive. One interface, any adapter.
import type { AccessLog } from "./access-log.ts";
import type { Calls } from "./calls.ts";
import type { Credentials } from "./credentials.ts";
import type { ImportedRows, ImportSession, ImportSessionOptions } from "./import-session.ts";
import type { Maintenance } from "./maintenance.ts";
import type { MediaStore } from "./media.ts";
import type { Users } from "./users.ts";

export interface CallStore extends AsyncDisposable {
  /** IANA name: how datetimes without an offset are read and where days begin (D03, D06). */
  readonly timeZone: string;
  readonly calls: Calls;
  readonly users: Users;
  readonly credentials: Credentials;
  readonly accessLog: AccessLog;
  readonly media: MediaStore;
  readonly maintenance: Maintenance;
  openImport(options?: ImportSessionOptions): Promise<ImportSession>;
  importedRows(): Promise<ImportedRows>;
  /** Writes what waits to be written, and throws when that is not possible. */
  [Symbol.asyncDispose](): Promise<void>;
}

export {
  type AccessEntry,
  type AccessLog,
  type AccessQuery,
  type ChainHead,
  type ChainReport,
  type ErasedCounts,
  type ErasureEntry,
  type LogRow,
  type OperatorAct,
  type OperatorCommand,
  type OperatorEntry,
  type ReleasedRecording,
  type SignInEntry,
} from "./access-log.ts";
export {
  type CallPage,
  type Calls,
  type CallSearch,
  type ChatMessageRecord,
  type Filter,
  type FilterField,
  type FoundRecording,
  type MetadataRecord,
  type Recording,
  type Restriction,
  type Visibility,
} from "./calls.ts";
export {
  type Application,
  type Bearer,
  type Credentials,
  type Issued,
  type ListedApplication,
  type ListedKey,
  type Revocation,
} from "./credentials.ts";
export { ArchiveError, type FaultReason, isFault, MediaRejected, StoreFault } from "./faults.ts";
export {
  type ArchiveItem,
  type CallItem,
  type ImportedRows,
  type ImportSession,
  type ImportSessionOptions,
  type Outcome,
} from "./import-session.ts";
export {
  type CopyOptions,
  type CopyReport,
  type Damage,
  type Days,
  type ErasureFilter,
  type ErasurePlan,
  type ErasureReport,
  type Finding,
  type LostLog,
  type Maintenance,
  type OnProgress,
  type Progress,
  type Reference,
  type ReferencedMedia,
  type Scan,
  type ScannedRow,
  type ScanOptions,
} from "./maintenance.ts";
export {
  type ByteRange,
  type Media,
  type MediaSource,
  type MediaStore,
  type OpenMedia,
  type StoredMedia,
} from "./media.ts";
export {
  type FlagRecord,
  type PrivateFlagRecord,
  type PublicFlagRecord,
  type UserRecord,
  type Users,
} from "./users.ts";
