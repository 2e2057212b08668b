// The door of the conformance kit.
export { checkService } from "./check-service.ts";
export { DEFAULT_MAX_REQUESTS } from "./http/sender.ts";
export { type ListedRequirement, listRequirements } from "./requirements/manifest.ts";
export type {
  CheckOptions,
  Coverage,
  Credentials,
  Exchange,
  Finding,
  Hints,
  JsonValue,
  Observation,
  Progress,
  ReceivedAnswer,
  Report,
  SentRequest,
  Share,
  Skipped,
  Target,
  Unseen,
  Yardstick,
} from "./report.ts";
