// The entry point of the store: the port, its errors, and the rules for what a user's rights make visible.
export * from "./port/index.ts"; // it lists each public name
export {
  type Coverage,
  COVERAGE_KEYS,
  type CoverageCounts,
  type CoverageGap,
  type CoverageKey,
  type CoverageOptions,
  GAPS,
  measureCoverage,
} from "./coverage.ts";
export {
  type MigrateOptions,
  type MigrationReport,
  migrateArchive,
  moveInternals,
  readSettings,
} from "./migrate/migrate.ts";
export { describeNonAudio, type Heard, readHead } from "./media/non-audio.ts";
export { isActive, toStatusName, USER_STATUS } from "./values/user-status.ts";
export { type MediaReport, verifyMedia, type VerifyOptions } from "./verify-media.ts";
export { toVisibility } from "./values/visibility.ts";
