// The door of what keeps an archive safe: verifying its recordings, backups, and finding out what is wrong with it.
export { backUp, type KeepOptions, restore } from "./backup.ts";
export { acceptLostAccessRows, beginAccessLogAnew } from "./access-decisions.ts";
export { examine, type ExamineOptions } from "./doctor/examine.ts";
export type { Finding } from "./doctor/finding.ts";
export type { CopyReport, Damage } from "../port/maintenance.ts";
export type { OnProgress, Progress } from "../port/maintenance.ts";
export {
  planPurge,
  purge,
  type PurgeFilter,
  type PurgeOptions,
  type PurgePlan,
  type PurgeReport,
} from "./purge.ts";
export { rebuildIndex } from "./rebuild-index.ts";
export { type MediaReport, verifyMedia } from "./verify-media.ts";
