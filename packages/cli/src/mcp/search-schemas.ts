// What search_calls takes and gives, with the filter fields of the contract.
import { document, fieldsOf } from "@call-media/api";
import type { ObjectSchema, PropertySchema } from "./tool.ts";

export const MAX_CALLS = 50;
export const DEFAULT_CALLS = 20;

/** Records that are read for one answer: with `where` most of them may be left out. */
export const MAX_READ = 1000;

/** Chats that are read for one answer, where the condition asks what was said. */
export const MAX_CHATS = 200;

const DAY = { type: "string", pattern: String.raw`^\d{4}-\d\d-\d\d$` } as const;

export const SEARCH_INPUT: ObjectSchema = {
  type: "object",
  additionalProperties: false,
  required: ["from", "to"],
  properties: {
    from: { ...DAY, description: "First day, YYYY-MM-DD, in the time zone of the archive." },
    to: { ...DAY, description: "Last day, included." },
    filter: {
      type: "object",
      additionalProperties: false,
      description:
        "Whole values that a call must all have; letter case does not count. Either custom and security fields or others: the service cannot search by both at once.",
      properties: { ...toProperties("MetadataFilter"), ...toProperties("CustomFieldsFilter") },
    },
    where: {
      type: "string",
      maxLength: 2000,
      description: `A condition that calls must meet besides, such as talk_time > 600 && disposition ~ "refund": fields, == != < <= > >=, ~ (contains), && || ! and brackets, "texts", numbers, datetimes, null. Every call that the filter finds is read for it, at most ${MAX_READ} for one answer, so that an answer may have no call and a next_cursor. transcript ~ looks at the spoken transcript and, where that does not decide, at the chat of the call, at most ${MAX_CHATS} for one answer.`,
    },
    fields: {
      type: "array",
      minItems: 1,
      items: { type: "string", enum: fieldsOf("MetadataRecord") },
      description: "These fields alone. Fewer of them make room for more calls.",
    },
    limit: { type: "integer", minimum: 1, maximum: MAX_CALLS, default: DEFAULT_CALLS },
    cursor: { type: "string", description: "next_cursor of the answer before." },
  },
};

export const SEARCH_OUTPUT: ObjectSchema = {
  type: "object",
  required: ["about", "time_zone", "calls", "returned", "read", "matching", "next_cursor"],
  properties: {
    about: { type: "string" },
    time_zone: { type: "string", description: "How to read the datetimes." },
    calls: { type: "array", items: { type: "object" } },
    returned: { type: "integer", description: "How many calls are in this answer." },
    read: { type: "integer", description: "How many were read so far, before where." },
    chats_read: {
      type: "integer",
      description: "With where: how many chats were read for this answer.",
    },
    matching: {
      type: ["integer", "null"],
      description: "How many there are in all, before where; null where the service does not say.",
    },
    next_cursor: { type: ["string", "null"], description: "null: there are no more." },
    warning: { type: "string" },
  },
};

function toProperties(schema: "MetadataFilter" | "CustomFieldsFilter") {
  const properties = document.components.schemas[schema]?.properties ?? {};
  return Object.fromEntries(
    Object.entries(properties).map(([field, { type, description }]): [string, PropertySchema] => [
      field,
      { type, description },
    ]),
  );
}
