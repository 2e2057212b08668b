// What third parties must not see: fields that are masked for good, also where the record repeats them elsewhere.
import { fieldsOf } from "@call-media/api";
import type { CallRecord } from "@call-media/client";
import { toRecordingNames } from "../../call/recording-names.ts";
import { toSuggestion } from "../../command-line/suggestion.ts";
import { UsageError } from "../../failures/usage-error.ts";
import type { Field } from "../../search/where/comparison.ts";
import type { Plan } from "./plan.ts";
import { createMask, MASK } from "./repeats.ts";

/** Names of recordings are made by platforms, often of the number that called. */
const ALWAYS: Field = "recordings";

/** A shorter value stands everywhere: masking "1" in other fields would destroy them. */
const MIN_REPEATED = 4;

export interface Redaction {
  /** What is masked, in the order of the interface; empty where nothing is. */
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

/** @throws UsageError for a field that there is not, and for datetime, which order and folders of an export tell. */
export function parseRedaction(text: string): readonly Field[] {
  const wanted = text.split(",").map((name) => name.trim());
  const all = fieldsOf("MetadataRecord");
  for (const name of wanted)
    if (!all.some((field) => field === name))
      throw new UsageError(
        `--redact: there is no field ${name} of a record${toSuggestion(name, all)}`,
      );
  if (wanted.includes("datetime"))
    throw new UsageError("--redact: datetime cannot be masked, since the days are folders");
  return all.filter((field) => wanted.includes(field) || field === ALWAYS);
}

/**
 * All fields that a plan masks, in the order of the interface. The transcript is what was said, and goes with what is
 * asked for by --files alone.
 */
export function listMasked({ redact, files }: Pick<Plan, "redact" | "files">): readonly Field[] {
  if (redact.length === 0) return [];
  const isUnsaid = (field: Field) => field === "transcript" && !files.includes("transcripts");
  return fieldsOf("MetadataRecord").filter((field) => redact.includes(field) || isUnsaid(field));
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
  const names = fields.includes(ALWAYS) ? toRecordingNames(record[ALWAYS]) : [];
  return fields
    .map((field) => (field === "transcript" ? "" : String(record[field] ?? "")))
    .concat(names)
    .map((value) => value.trim())
    .filter((value) => value.length >= MIN_REPEATED);
}

/** Whether the service cannot be asked for a call any more: its identifier repeats what is masked. */
export const isUnaskable = (identifier: string | null, { fields }: Pick<Redaction, "fields">) =>
  fields.length > 0 && typeof identifier === "string" && identifier.includes(MASK);
