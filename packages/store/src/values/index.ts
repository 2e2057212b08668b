// The entry point of the values: pure functions on datetimes, names, digests and fields, independent of an archive.
export {
  type Chain,
  type ChainRow,
  followChain,
  parseEntry,
  toOperatorEntry,
  toRowHash,
  toTimeName,
} from "./access-chain.ts";
export {
  DIGEST_BYTES,
  DIGEST_KINDS,
  type DigestKind,
  type Digests,
  pickDigests,
} from "./digests.ts";
export { toAsked } from "./erasure-entry.ts";
export { toBeforeMs, toInstants } from "./days.ts";
export { FORGET_AFTER_MS } from "./expiry.ts";
export { toExtension } from "./extensions.ts";
export {
  checkInteger,
  checkText,
  createFieldCheck,
  type FieldCheck,
  toDefault,
  toKind,
} from "./field-check.ts";
export {
  findDayFault,
  isTimeZone,
  parseDatetime,
  type ParsedDatetime,
  parseSourceTime,
  toDay,
  toDayRange,
  toOffset,
  withOffset,
} from "./instant.ts";
export {
  createStateMemory,
  findLeg,
  type KnownRecord,
  withNamed,
  withRecordingsOf,
} from "./kept-recordings.ts";
export { toLegIdentity } from "./leg-numbers.ts";
export { toFlagKey, toMatchKey } from "./match-key.ts";
export { foldCase } from "@call-media/words";
export { PAGE_SIZE } from "./page-size.ts";
export { checkLoss } from "./recording-loss.ts";
export { withFileNames } from "./recording-names.ts";
export { toRecordingOrder } from "./recording-order.ts";
export { toRowDigest, toTextDigest } from "./row-digest.ts";
export { checkWhere, toRestrictions, type Where } from "./where.ts";
export {
  createRetention,
  parseNewPolicy,
  parsePolicy,
  type Retention,
  type RetentionPolicy,
} from "./retention.ts";
export { RowRejected } from "./row-rejected.ts";
