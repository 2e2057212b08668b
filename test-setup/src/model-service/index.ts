// The public API: the parts of the services under apps/ with a third-party document, and of their drifts.
export { type ModelService, runModelService, startModelService } from "./command.ts";
export {
  body,
  type Drift,
  hears,
  isAt,
  type JsonObject,
  records,
  renamed,
  replies,
  rows,
  when,
  withHeaders,
  without,
  withQuery,
  withSent,
  type Wrap,
} from "./drift.ts";
export {
  as,
  asAnybody,
  cached,
  cappedPages,
  doneThough,
  fieldAt,
  fieldLost,
  insteadOf,
  type Paging,
  queryAt,
  readAll,
  sentAt,
  staleField,
  statusAt,
  toDrifts,
  undone,
  withDefaults,
} from "./kinds.ts";
export { type Callers, play, type Received } from "./play.ts";
export {
  addDays,
  createRandom,
  createService,
  json,
  type Parameters,
  parseBody,
  parseDate,
  Problem,
  queryInteger,
  queryValue,
  type Reply,
  type Request,
  type Service,
} from "./service.ts";
export { stopAt, type Stopping } from "./stop-at.ts";
export { listVariants } from "./variants.ts";
