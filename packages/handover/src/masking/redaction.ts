// Protects data from third parties: fields are masked permanently, also where the record repeats them elsewhere.
import { type CallRecord, toRecordingNames } from "@call-media/client";
import { isNumberField, toStoredDigits } from "@call-media/words";
import { type Field, RECORD_FIELDS } from "../export/fields.ts";
import type { FileKind } from "../export/layout.ts";
import { createMask, isLeft, MASK } from "./mask.ts";
import { toNameParts } from "./spellings.ts";

/** Platforms choose the names of recordings, and often use the caller's number. */
export const ALWAYS_MASKED: Field = "recordings";

export interface Redaction {
  /** The masked fields, in the order of the interface; empty if none are. */
  readonly fields: readonly Field[];
  /**
   * Null stays null. A field of seconds becomes null. The datetime stays, whatever it repeats. `legs`: the records of its
   * call, whose values are masked too; default: only the record.
   */
  readonly redact: (record: CallRecord, legs?: readonly CallRecord[]) => CallRecord;
  /** Masks in every text of `value`, which belongs to the record, except in its datetime, whatever is masked in the record. */
  readonly redactRepeated: <Value>(value: Value, record: CallRecord) => Value;
  /** The fields that still repeat a masked value of the record in `masked`. */
  readonly listLeft: (record: CallRecord, masked: CallRecord) => readonly Field[];
}

const NO_REDACTION: Redaction = {
  fields: [],
  redact: (record) => record,
  redactRepeated: (value) => value,
  listLeft: () => [],
};

/**
 * All fields that are masked if `redact` are, in the order of the interface. The transcript is spoken text, so it depends
 * only on the files.
 */
export function listMasked({
  redact,
  files,
}: {
  readonly redact: readonly Field[];
  readonly files: readonly FileKind[];
}): readonly Field[] {
  if (redact.length === 0) return [];
  const along = files.includes("transcripts") ? [ALWAYS_MASKED] : [ALWAYS_MASKED, "transcript"];
  return RECORD_FIELDS.filter((field) => redact.includes(field) || along.includes(field));
}

export function createRedaction(fields: readonly Field[]): Redaction {
  if (fields.length === 0) return NO_REDACTION;
  const redactRepeated = <Value>(value: Value, record: CallRecord) =>
    createMask(toRepeated(record, fields), toCompanyWords(record, fields))(value);
  const redact = (record: CallRecord, legs: readonly CallRecord[] = [record]): CallRecord => {
    const masked = fields
      .filter((field) => Object.hasOwn(record, field))
      .map((field) => [field, typeof record[field] === "string" ? MASK : null] as const);
    const mask = createMask(
      legs.flatMap((leg) => toRepeated(leg, fields)),
      legs.flatMap((leg) => toCompanyWords(leg, fields)),
    );
    return { ...mask(record), ...Object.fromEntries(masked) };
  };
  const listLeft = (record: CallRecord, masked: CallRecord) => {
    const texts = fields.map((field) => record[field]).filter((value) => typeof value === "string");
    const parts = toCompanyWords(record, fields);
    return RECORD_FIELDS.filter(
      (field) => !fields.includes(field) && isLeft(texts, parts, String(masked[field] ?? "")),
    );
  };
  return { fields, redact, redactRepeated, listLeft };
}

/** Fields that name a person. */
const NAMES: ReadonlySet<Field> = new Set([
  "agent_name",
  "customer_first_name",
  "customer_middle_name",
  "customer_last_name",
  "dest_agent_name",
] as const);

/** The values that are masked wherever they occur. */
function toRepeated(record: CallRecord, fields: readonly Field[]): readonly string[] {
  const names = fields.includes(ALWAYS_MASKED) ? toRecordingNames(record[ALWAYS_MASKED]) : [];
  const values = fields.map((field): [Field, string] => [
    field,
    field === "transcript" ? "" : String(record[field] ?? "").trim(),
  ]);
  // People repeat only the number of an address such as tel:+49-30-998877;ext=12.
  const numbers = values
    .filter(([field, value]) => isNumberField(field) || /^(?:tel|sips?):/i.test(value))
    .map(([, value]) => `${value.includes("+") ? "+" : ""}${toStoredDigits(value)}`);
  // People are addressed by a part of their name.
  const parts = values.flatMap(([field, value]) => (NAMES.has(field) ? toNameParts(value) : []));
  return [...values.map(([, value]) => value), ...names, ...numbers, ...parts];
}

/** Companies are called by a word of their name, which may be an ordinary word. */
const toCompanyWords = ({ company }: CallRecord, fields: readonly Field[]): readonly string[] =>
  fields.includes("company") ? toNameParts(company ?? "", true) : [];

/** The parts of its search that a report repeats: values of fields, a condition, identifiers that were not found or not muted, and its purpose. */
interface Search {
  readonly filter: Readonly<Record<string, unknown>>;
  readonly where: string | null;
  readonly words?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly mute?: readonly { readonly call_id: string }[] | undefined;
  readonly purpose?: string | undefined;
}

/** Its texts, each of which may contain a masked value. */
export const listSearched = ({
  filter,
  where,
  words,
  ids = [],
  mute = [],
  purpose,
}: Search): readonly string[] => [
  ...Object.values(filter).map(String),
  ...(where === null ? [] : [where]),
  ...(words === undefined ? [] : [words]),
  ...ids,
  ...new Set(mute.map(({ call_id }) => call_id)),
  ...(purpose === undefined ? [] : [purpose]),
];

/** Masks the records of an export, and counts the values that it cannot mask. */
export interface RecordMasks {
  readonly redact: Redaction["redact"];
  /** Indexes of the search texts that contain a masked value of a record. */
  readonly listHidden: () => readonly number[];
  /** The fields that still repeat a masked value, with the number of records. */
  readonly countLeft: () => { readonly left?: Readonly<Partial<Record<Field, number>>> };
}

export function createRecordMasks(redaction: Redaction, searched: readonly string[]): RecordMasks {
  const hidden = new Set<number>();
  const left: Partial<Record<Field, number>> = {};
  return {
    redact(raw, legs) {
      const record = redaction.redact(raw, legs);
      for (const field of redaction.listLeft(raw, record)) left[field] = (left[field] ?? 0) + 1;
      for (const [index, text] of redaction.redactRepeated(searched, raw).entries())
        if (text !== searched[index]) hidden.add(index);
      return record;
    },
    listHidden: () => [...hidden],
    countLeft: () => (Object.keys(left).length === 0 ? {} : { left }),
  };
}

/** The search without the texts that contain a masked value. */
export function redactSearch<Searched extends Search>(
  search: Searched,
  hidden: readonly string[],
): Searched {
  const hide = <Value>(value: Value) => (hidden.includes(String(value)) ? MASK : value);
  const filter = Object.entries(search.filter).map(([name, value]) => [name, hide(value)] as const);
  return {
    ...search,
    filter: Object.fromEntries(filter),
    where: hide(search.where),
    words: search.words === undefined ? undefined : hide(search.words),
    ids: search.ids?.map(hide),
    mute: search.mute?.map((span) => ({ ...span, call_id: hide(span.call_id) })),
    ...(search.purpose !== undefined && { purpose: hide(search.purpose) }),
  };
}

/** True if the call can no longer be requested from the service, because its identifier contains a masked value. */
export const isUnaskable = (identifier: string | null, { fields }: Pick<Redaction, "fields">) =>
  fields.length > 0 && typeof identifier === "string" && identifier.includes(MASK);
