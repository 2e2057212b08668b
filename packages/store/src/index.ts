// The door of the store: the port, its errors, and what a user's rights let be seen.
export type {
  AccessEntry,
  AccessLog,
  AccessQuery,
  ChainReport,
  ErasedCounts,
  ErasureEntry,
  LogRow,
  ReleasedRecording,
} from "./access-log.ts";
export {
  type Application,
  type ArchiveItem,
  type Bearer,
  type CallPage,
  type Calls,
  type CallSearch,
  type CallStore,
  type ChatMessageRecord,
  type Credentials,
  type Filter,
  type FilterField,
  type FlagRecord,
  type FoundRecording,
  type ImportedRows,
  type ImportSession,
  type Issued,
  type ListedApplication,
  type ListedKey,
  type Media,
  MediaDamaged,
  type MediaFiles,
  MediaRejected,
  type MediaSource,
  type MetadataRecord,
  NotWritten,
  type OpenMedia,
  type Outcome,
  type Recording,
  RecordDamaged,
  type Restriction,
  type Revocation,
  SearchRefused,
  type UserRecord,
  type Users,
  type Visibility,
} from "./call-store.ts";
export { createFieldCheck, type FieldCheck } from "./import/entry/field-check.ts";
export { parseDatetime, type ParsedDatetime } from "./values/instant.ts";
export { foldCase, toMatchKey } from "./values/match-key.ts";
export { isActive, toStatusName, USER_STATUS } from "./user-status.ts";
export { toVisibility } from "./visibility.ts";
