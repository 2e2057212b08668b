// The door of the client. It loads in browsers as well; what needs Node is in `@call-media/client/node`.
export { type CallMediaClient, createClient } from "./client.ts";
export type { Calls, Search } from "./calls.ts";
export type { Answer, ContractCalls } from "./contract-calls.ts";
export {
  AuthenticationError,
  CallMediaError,
  ConnectionError,
  type ErrorDetails,
  InvalidRequestError,
  NotFoundError,
  type Operation,
  PermissionError,
  ProtocolError,
  RateLimitError,
  ServiceError,
} from "./errors.ts";
export type { ClientOptions, Credentials, Fetch } from "./options.ts";
export type { Profile } from "./profile.ts";
export type { RecordingRequest, Recordings, RecordingStream } from "./recordings.ts";
