// The entry point of the client. It loads in browsers as well; what needs Node.js is in `@call-media/client/node`.
// The compiler names these in the declarations of programs, which cannot import the package that they are from.
export type {
  ChatMessageRecord,
  components,
  DescribedOperations,
  MetadataRecord,
  OperationId,
  operations,
  paths,
  PrivateFlagRecord,
  PublicFlagRecord,
  RecordingRecord,
  Schema,
  TokenResponse,
  UserAddressRecord,
  UserBasicRecord,
  UserSecurityRecord,
} from "@call-media/api";
export type { AnswerPromise } from "./call/answer-promise.ts";
export type { Answer } from "./call/answer.ts";
export { type ContractCalls, createContractCalls } from "./call/contract-calls.ts";
export type { Method, OperationMethods, RequestOf } from "./call/methods.ts";
export type { AllowUndefined, DataOf, InitOf, PathWith } from "./call/operation-types.ts";
export { type CallMediaClient, type ClientOptions, createClient } from "./client.ts";
export type { Clock } from "./clock.ts";
export { type CallingUser, readCaller } from "./dictionary.ts";
export {
  AbortError,
  AuthenticationError,
  CallMediaError,
  ConnectionError,
  EnvelopeError,
  type ErrorDetails,
  type ErrorSubject,
  InvalidRequestError,
  isCallMediaError,
  NotFoundError,
  type Operation,
  PermissionError,
  ProtocolError,
  RateLimitError,
  ServiceError,
  TimeoutError,
} from "./errors.ts";
export type { Around, ClientEvent, EventSubject } from "./events.ts";
export type { Fetch, FetchInit } from "./fetch.ts";
export type {
  CallLimits,
  CallOptions,
  ContractOptions,
  Credentials,
  TokenStore,
  Validate,
} from "./options.ts";
export type { Profile } from "./profile.ts";
export { isSameLeg } from "./recordings/own-recordings.ts";
export {
  type Announced,
  type RecordingOwner,
  toVerified,
  type Verified,
} from "./recordings/recording-headers.ts";
export { MAX_PART } from "./recordings/recordings-of-id.ts";
export type { RecordingSound, SoundFinding } from "./recordings/recording-sound.ts";
export { toRecordingNames } from "./recordings/recording-names.ts";
export type {
  NamedRecording,
  OwnRecording,
  RecordingOfRecord,
  RecordingRequest,
} from "./recordings/recording-request.ts";
export type {
  Recording,
  Recordings,
  RecordingStream,
  StreamRequest,
} from "./recordings/recordings.ts";
export type { Calls, FieldSearch, Search } from "./search/calls.ts";
export type { CallRecord } from "./search/keys.ts";
export type { CallSearch, NumberedPage, SearchPage, SearchReport } from "./search/search.ts";
export type { WindowReport } from "./search/window.ts";
export type { ChatReport, WordsFilter } from "./search/words.ts";
export { addDays, daysAgo, isDay, readArchiveZone, toOffset, toOffsetMs } from "./time-zones.ts";
export { type Datetime, type DatetimeOptions, toDatetime, toSeconds } from "./values.ts";
