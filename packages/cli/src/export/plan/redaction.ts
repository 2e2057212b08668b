// What third parties must not see: fields that are masked for good, also where the record repeats them elsewhere.
import { fieldsOf } from "@call-media/api";
import type { CallRecord } from "@call-media/client";
import { toSuggestion } from "../../command-line/suggestion.ts";
import { UsageError } from "../../failures/usage-error.ts";
import type { Field } from "../../search/where/comparison.ts";
import type { Plan } from "./plan.ts";

/** Of the same length whatever it stands for, so that nothing can be told from it. */
export const MASK = "[redacted]";

/** Names of recordings are made by platforms, often of the number that called. */
const ALWAYS: Field = "recordings";

/** A shorter value stands everywhere: masking "1" in other fields would destroy them. */
const MIN_REPEATED = 4;

/** From so many digits on a value is a number that people write with spaces and signs between. */
const MIN_DIGITS = 6;

export interface Redaction {
  /** What is masked, in the order of the interface; empty where nothing is. */
  readonly fields: readonly Field[];
  /** Null stays null. A field of seconds becomes null. */
  readonly redact: (record: CallRecord) => CallRecord;
  /** Masks in `text`, which belongs to the record, whatever is masked in the record. */
  readonly redactText: (text: string, record: CallRecord) => string;
}

export const NO_REDACTION: Redaction = {
  fields: [],
  redact: (record) => record,
  redactText: (text) => text,
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
  const masked: ReadonlySet<string> = new Set(fields);
  const redact = (record: CallRecord): CallRecord => {
    const repeated = toPatterns(record, masked);
    const entries = Object.entries(record).map(([field, value]) => {
      if (value === null || typeof value !== "string")
        return [field, masked.has(field) ? null : value] as const;
      return [field, masked.has(field) ? MASK : mask(value, repeated)] as const;
    });
    return Object.fromEntries(entries) as CallRecord; // the same fields
  };
  return { fields, redact, redactText: (text, record) => mask(text, toPatterns(record, masked)) };
}

const mask = (text: string, patterns: readonly RegExp[]) =>
  patterns.reduce((masked, pattern) => masked.replaceAll(pattern, MASK), text);

/** One for each value that is masked, longest first: a name may be part of an address. */
function toPatterns(record: CallRecord, masked: ReadonlySet<string>): readonly RegExp[] {
  const values = Object.entries(record)
    .filter(([field]) => masked.has(field) && field !== "transcript")
    .map(([, value]) => String(value ?? "").trim())
    .filter((value) => value.length >= MIN_REPEATED);
  return [...new Set(values)]
    .toSorted((one, other) => other.length - one.length)
    .map((value) => new RegExp(toPattern(value), "giu"));
}

function toPattern(value: string): string {
  const digits = value.replaceAll(/\D/g, "");
  const isNumber = digits.length >= MIN_DIGITS && /^[\d\s()+./-]+$/.test(value);
  return isNumber ? digits.split("").join(String.raw`[\s()./-]*`) : escape(value);
}

const escape = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
