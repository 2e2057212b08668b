// The public exports of the package: compares two documents, and derives the required version number.
export { compareDocuments, type CompareOptions } from "./compare.ts";
export { below, isObject, lookUp, parsePointer, type JsonObject } from "./json.ts";
export { greatestOf, isGreater, type Finding, type Rating } from "./rating.ts";
export {
  ALL_RULES,
  OPTIONAL_RULES,
  RULE_IDS,
  SEVERITIES,
  SEVERITY_IDS,
  SIDES,
  type Severities,
  type Severity,
  type Side,
} from "./severity.ts";
export { BUMPS, findUnfitVersion, versionOf } from "./version.ts";
