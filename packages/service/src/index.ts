// The fifteen operations for any transport: they turn the parts of a request into the parts of a response.
export {
  type Access,
  type AccessSettings,
  type Caller,
  type Holder,
  NAMED_BY_PROXY,
  toCredential,
} from "./access/access.ts";
export { hideSecrets, toTriedID } from "./access/secrets.ts";
export {
  type Answer,
  type Facts,
  isStreamed,
  type Reply,
  type Sent,
  type StreamedBody,
  toAnswer,
  toErrorAnswer,
  toErrorReply,
  toJsonReply,
  toOptionsReply,
} from "./answer.ts";
export { MAX_BODY_BYTES, readJson } from "./body.ts";
export {
  bodyInvalid,
  type ErrorCode,
  ERRORS,
  methodNotAllowed,
  parameterInvalid,
  pathUnknown,
  ServiceError,
  type ResponseHeaders,
} from "./errors.ts";
export { isUtf8Query } from "./input.ts";
export { isListed } from "./range.ts";
export { toServiceError } from "./translator.ts";
export type { Mount, RequestHeaders, ServiceRequest } from "./request.ts";
export { allMethods } from "./routes.ts";
export {
  createService,
  DEFAULT_TOKEN_LIFETIME_SECONDS,
  type Service,
  type ServiceOptions,
} from "./service.ts";
