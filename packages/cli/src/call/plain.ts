// Normalises a call to the contract, for services that omit fields or send other values.
import { fieldsOf } from "@call-media/api";
import type { CallRecord } from "@call-media/client";
import { toKind } from "@call-media/conditions";
import type { Message } from "@call-media/handover";
import type { Call } from "./look-up.ts";

/** These are never null in the contract. */
const SAID: Readonly<Partial<Message>> = { datetime: "", party_type: "", room_id: "" };

/** All fields are present, as text or null. A value that is not text, a number or a boolean becomes its JSON. */
export function toPlainCall<Found extends Pick<Call, "records"> & Partial<Call>>(
  found: Found,
): Found {
  const { records, messages } = found;
  return {
    ...found,
    records: records.map(toPlainRecord),
    ...(messages && { messages: messages.map(toPlainMessage) }),
  };
}

const toPlainRecord = (record: CallRecord): CallRecord => ({
  ...record,
  ...toPlain(record, fieldsOf("MetadataRecord")),
});

function toPlainMessage(message: Message): Message {
  const plain = toPlain(message, fieldsOf("ChatMessageRecord"));
  const missing = Object.entries(SAID).filter(([field]) => plain[field] === null);
  return { ...message, ...plain, ...Object.fromEntries(missing) };
}

function toPlain(
  record: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map((field) => [field, toValue(field, record[field] ?? null)]));
}

function toValue(field: string, value: unknown): unknown {
  // The client reads seconds from numbers and from texts (D02).
  const isKept = value === null || typeof value === "string" || toKind(field) === "seconds";
  if (isKept) return value;
  return JSON.stringify(value);
}
