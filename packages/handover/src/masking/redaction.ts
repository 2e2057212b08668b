// Keeps data from third parties: fields are masked for good, also where the record repeats them elsewhere.
import { type CallRecord, toRecordingNames } from "@call-media/client";
import { listSources, toStoredDigits } from "@call-media/words";
import { type Field, RECORD_FIELDS } from "../export/fields.ts";
import type { FileKind } from "../export/layout.ts";
import { createMask, MASK } from "./mask.ts";

/** Names of recordings are made by platforms, often of the number that called. */
export const ALWAYS_MASKED: Field = "recordings";

export interface Redaction {
  /** The masked fields, in the order of the interface; empty without any. */
  readonly fields: readonly Field[];
  /** Null stays null. A field of seconds becomes null. The datetime stays, whatever it repeats. */
  readonly redact: (record: CallRecord) => CallRecord;
  /** Masks in every text of `value`, which belongs to the record, but its datetime whatever is masked in the record. */
  readonly redactRepeated: <Value>(value: Value, record: CallRecord) => Value;
}

export const NO_REDACTION: Redaction = {
  fields: [],
  redact: (record) => record,
  redactRepeated: (value) => value,
};

/**
 * All fields that a plan masks, in the order of the interface. The transcript is spoken text, and depends only on
 * --files.
 */
export function listMasked({
  redact,
  files,
}: {
  readonly redact: readonly Field[];
  readonly files: readonly FileKind[];
}): readonly Field[] {
  if (redact.length === 0) return [];
  const isUnsaid = (field: Field) => field === "transcript" && !files.includes("transcripts");
  return RECORD_FIELDS.filter((field) => redact.includes(field) || isUnsaid(field));
}

export function createRedaction(fields: readonly Field[]): Redaction {
  if (fields.length === 0) return NO_REDACTION;
  const redactRepeated = <Value>(value: Value, record: CallRecord) =>
    createMask(toRepeated(record, fields))(value);
  const redact = (record: CallRecord): CallRecord => {
    const masked = fields
      .filter((field) => Object.hasOwn(record, field))
      .map((field) => [field, typeof record[field] === "string" ? MASK : null] as const);
    return { ...redactRepeated(record, record), ...Object.fromEntries(masked) };
  };
  return { fields, redact, redactRepeated };
}

/** The values that are masked wherever they stand. */
function toRepeated(record: CallRecord, fields: readonly Field[]): readonly string[] {
  const names = fields.includes(ALWAYS_MASKED) ? toRecordingNames(record[ALWAYS_MASKED]) : [];
  const values = fields.map((field): [Field, string] => [
    field,
    field === "transcript" ? "" : String(record[field] ?? "").trim(),
  ]);
  // Of an address such as tel:+49-30-998877;ext=12, people repeat the number.
  const numbers = listSources(Object.fromEntries(values))
    .filter(({ isNumber, text }) => isNumber && /\p{L}/u.test(text))
    .map(({ text }) => `${text.includes("+") ? "+" : ""}${toStoredDigits(text)}`);
  return [...values.map(([, value]) => value), ...names, ...numbers];
}

/** True if the service cannot be asked for a call any more: its identifier repeats a masked value. */
export const isUnaskable = (identifier: string | null, { fields }: Pick<Redaction, "fields">) =>
  fields.length > 0 && typeof identifier === "string" && identifier.includes(MASK);
