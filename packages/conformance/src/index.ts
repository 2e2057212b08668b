// The door of the conformance kit.
export { checkService } from "./call-media/check-service.ts";
export { DEFAULT_MAX_REQUESTS } from "./http/sender.ts";
export { type ListedRequirement, listRequirements } from "./call-media/requirements/manifest.ts";
export type {
  CheckOptions,
  Coverage,
  Credentials,
  Finding,
  Hints,
  JsonValue,
  Observation,
  Report,
  Share,
  Skipped,
  Target,
  Unseen,
  Yardstick,
} from "./call-media/report.ts";
export type { Exchange, Progress, ReceivedAnswer, SentRequest } from "./http/exchanges.ts";
