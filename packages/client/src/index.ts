// The door of the client. It loads in browsers as well; what needs Node is in `@call-media/client/node`.
export type { Calls, Search } from "./calls.ts";
export type { CallSearch, SearchPage, SearchReport } from "./search.ts";
export type { CallRecord } from "./keys.ts";
export type { WindowReport } from "./window.ts";
export type { Clock } from "./clock.ts";
export type { AnswerPromise } from "./answer-promise.ts";
export { type Answer, type ContractCalls, createContractCalls } from "./contract-calls.ts";
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
export { type CallMediaClient, type ClientOptions, createClient } from "./client.ts";
export type { ClientEvent, EventSubject } from "./events.ts";
export type { ContractOptions, Credentials, Fetch, Validate } from "./options.ts";
export type { Profile } from "./profile.ts";
export type { Announced } from "./recording-headers.ts";
export type { Recording, RecordingRequest, Recordings, RecordingStream } from "./recordings.ts";
export type { TokenStore } from "./session.ts";
export { type Datetime, toDatetime, toSeconds } from "./values.ts";
