// The door of the values: pure functions on datetimes, names, digests and fields, which know no archive.
export {
  DIGEST_BYTES,
  DIGEST_KINDS,
  type DigestKind,
  type Digests,
  pickDigests,
} from "./digests.ts";
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
  toDay,
  withOffset,
} from "./instant.ts";
export { foldCase, toMatchKey } from "./match-key.ts";
