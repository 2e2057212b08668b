// The door of the package: two documents in, every change between them out, and what a version number has to say of it.
export { compareDocuments, type CompareOptions } from "./compare.ts";
export { isObject, lookUp, parsePointer, type JsonObject } from "./json.ts";
export { greatestOf, isGreater, type Finding, type Rating } from "./rating.ts";
export { OPTIONAL_RULES, type OptionalRule } from "./rules/rules.ts";
export { BUMPS, findUnfitVersion, versionOf } from "./version.ts";
