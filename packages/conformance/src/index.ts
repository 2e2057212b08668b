// The public exports of the conformance kit.
export { checkApi } from "./check-api.ts";
export { checkWithSelfTest } from "./self-test/self-test.ts";
export { type DriftingField, type FieldDrift, fieldDrifts } from "./self-test/field-drifts.ts";
export { type ApiDocument, loadDocument, parseDocument } from "./document/document.ts";
export { type Explanation, explain } from "./explain.ts";
export { listClauses } from "./findings/collect.ts";
export { type FirstRelations, mineRelations, toFirstRelations } from "./init/first-relations.ts";
export { checkTraffic, type TrafficCheck, type TrafficOptions } from "./traffic/check-traffic.ts";
export { type EntryHeaders, type TrafficEntry, trafficEntrySchema } from "./traffic/entry.ts";
export { toJsonSchema } from "./relations/kinds.ts";
export { loadRelations } from "./relations/read.ts";
export type { Relations } from "./relations/relations.ts";
export type { ApiCheck } from "./check.ts";
export type {
  ApiCoverage,
  ApiFinding,
  ApiOptions,
  ApiReport,
  ApiTarget,
  Credentials as CallerCredentials,
  DriftShare,
  JsonValue,
  Left,
  LeftOut,
  Noted,
  Observation,
  Proved,
  SelfTest,
  Share,
  TrafficShare,
  UnknownPath,
  UnseenOperation,
  Unproved,
} from "./report.ts";
export { checkService, isCallMedia, loadCallMedia } from "./call-media/instance.ts";
export {
  type CheckOptions,
  type Credentials,
  type Hints,
  type Target,
  toApiTarget,
  type Yardstick,
} from "./call-media/target.ts";
export { DEFAULT_MAX_REQUESTS } from "./http/sender.ts";
export { type ListedRequirement, listRequirements } from "./call-media/requirements/manifest.ts";
export type {
  Exchange,
  Progress,
  ReceivedAnswer,
  Recorded,
  SentRequest,
} from "./http/exchanges.ts";
