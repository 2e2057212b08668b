// The port: the functions of an archive that the service, the importers and the operator's commands use. One interface for all
// adapters.
export {
  type AccessEntry,
  type AccessLog,
  type AccessQuery,
  type CallQuery,
  type ChainHead,
  type ChainReport,
  type CommandOutcome,
  type ConsoleUse,
  type ErasedCounts,
  type ErasureEntry,
  type FoundLists,
  type FoundRow,
  type LogRow,
  type OperatorAct,
  type OperatorCommand,
  type OperatorEntry,
  type ReleasedRecording,
  type SignInEntry,
  type WitnessedHead,
  type Writer,
} from "./access-log.ts";
export {
  type CallPage,
  type Calls,
  type CallSearch,
  type ChatMessageRecord,
  type Filter,
  type FilterField,
  type FoundRecording,
  type RecordingOwner,
  type MetadataRecord,
  type Recording,
  type Restriction,
  type Visibility,
} from "./calls.ts";
export type {
  Found,
  Trace,
  TracedBackup,
  TracedEntry,
  TracedPart,
  TracedState,
  TraceOf,
} from "./trace.ts";
export { type Act, type HistoryOf, type HistoryState, type PastCall } from "./history.ts";
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
export type { Finding } from "./finding.ts";
export type { Noted, NotedCommand, Vitals } from "./vitals.ts";
export type { HoldQuery, Holds, ListedHold, NewHold } from "./holds.ts";
export {
  type ArchiveItem,
  type CallItem,
  type ImportedRows,
  type ImportSession,
  type ImportSessionOptions,
  type LeftRow,
  type Outcome,
} from "./import-session.ts";
export type { InternalRow, Internals, InternalSetting, LoggedRow, Revocable } from "./internals.ts";
export {
  type CopyOptions,
  type ErasedAgain,
  type Forgetter,
  type ForgottenAsked,
  type BackupReport,
  type CopyReport,
  type RestoreReport,
  type SkippedLedger,
  type Damage,
  type Days,
  type DatedRecord,
  type DueCalls,
  type DueRecord,
  type Eraser,
  type ErasureFilter,
  type ErasurePlan,
  type ErasureReport,
  type HeldBack,
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
  type MediaNotes,
  type MediaSource,
  type MediaStore,
  type OnRead,
  type OpenMedia,
  type Retained,
  type StoredMedia,
} from "./media.ts";
export type { ArchiveLedger, LedgerHead, LedgerPlace } from "./ledger.ts";
export type { ReadBack, ReadBackStatus, ReadBackStep } from "./read-back.ts";
export type { Replica, ReplicaPlace } from "./replica.ts";
export type { Failures, SignInAttempt, SignIns } from "./sign-ins.ts";
export {
  type OnDamaged,
  type FlagRecord,
  type PrivateFlagRecord,
  type PublicFlagRecord,
  type UserRecord,
  type Users,
} from "./users.ts";

export type { CallStore } from "./call-store.ts";
export type { Adapter, CreateOptions, DryRunOptions, OpenOptions } from "./adapter.ts";
