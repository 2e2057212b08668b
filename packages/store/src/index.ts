// The door of the store: the port, its errors, and what turns a user's rights into eyes.
export type {
  AccessEntry,
  AccessLog,
  AccessQuery,
  AccessRow,
  ChainReport,
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
  type ImportSession,
  type Issued,
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
  type Restriction,
  type Revocation,
  type UserRecord,
  type Users,
  type Visibility,
} from "./call-store.ts";
export { parseDatetime, type ParsedDatetime } from "./values/instant.ts";
export { foldCase, toMatchKey } from "./values/match-key.ts";
export { isVisible, toVisibility } from "./visibility.ts";
