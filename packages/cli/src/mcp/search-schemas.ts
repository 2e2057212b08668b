// The input of the search tools, with the filter fields of the contract.
import { document, fieldsOf } from "@call-media/api";
import { type CallRecord, isDay } from "@call-media/client";
import { toSuggestion, UsageError } from "@call-media/terminal";
import { PAGE, type PropertySchema } from "./tool.ts";

export const MAX_CALLS = 200;
export const DEFAULT_CALLS = 25;

/** Maximum number of records to read for one response: `where` may exclude most of them. */
export const MAX_READ = 1000;

/** Maximum number of chats to read for one response, if the condition or the words search in them. */
export const MAX_CHATS = 200;

/** The common input of all searches. */
export interface SearchInput {
  readonly from: string;
  readonly to: string;
  readonly words?: string;
  readonly filter?: Readonly<Record<string, unknown>>;
  readonly where?: string;
}

export const SEARCH_PROPERTIES = {
  from: {
    type: "string",
    description:
      "First day, YYYY-MM-DD, in the time zone of the archive, or that of --tz where the server has it.",
  },
  to: { type: "string", description: "Last day, included." },
  words: {
    type: "string",
    description:
      'Words that a call must all have, in its transcript, chat, notes, names of people, company or phone numbers; letter case and accents do not count. "..." is a phrase, refund* a beginning, four digits or more the end of a number. There is no OR and no NOT: ask once for each.',
  },
  filter: {
    type: "object",
    description:
      "Whole values that a call must all have; letter case does not count. Either custom and security fields or others: the service cannot search by both at once.",
    properties: { ...toProperties("MetadataFilter"), ...toProperties("CustomFieldsFilter") },
  },
  where: {
    type: "string",
    description:
      'A condition that calls must meet besides, such as talk_time > 600 && disposition ~ "refund": fields, == != < <= > >=, ~ (contains), && || ! and brackets, "texts", numbers, datetimes, null. Every call that the rest finds is read for it: prefer words and filter.',
  },
} as const satisfies Readonly<Record<string, PropertySchema>>;

export const LIST_PROPERTIES = {
  fields: {
    type: "array",
    items: { type: "string" },
    description:
      "These fields in place of the usual ones; describe_fields has their names. Fewer of them make room for more calls.",
  },
  limit: {
    type: "integer",
    minimum: 1,
    maximum: MAX_CALLS,
    description: `Calls in an answer, ${DEFAULT_CALLS} if left out.`,
  },
  page: PAGE,
} as const satisfies Readonly<Record<string, PropertySchema>>;

function toProperties(schema: "MetadataFilter" | "CustomFieldsFilter") {
  const properties = document.components.schemas[schema]?.properties ?? {};
  return Object.fromEntries(
    Object.entries(properties).map(([field, { type, description }]): [string, PropertySchema] => [
      field,
      { type: type === "integer" ? "integer" : "string", description },
    ]),
  );
}

/** Uses the names of the tool: the service would name the parameters of its own operation. */
export function checkDays({ from, to }: SearchInput): void {
  for (const [name, day] of Object.entries({ from, to }))
    if (!isDay(day)) throw new UsageError(`${name} must be a day of the calendar, not ${day}`);
  if (from > to) throw new UsageError(`from ${from} is after to ${to}`);
}

/** @throws UsageError with the most similar field. */
export function toField(option: string, name: string): keyof CallRecord {
  const fields = fieldsOf("MetadataRecord");
  const field = fields.find((one) => one === name);
  if (field !== undefined) return field;
  throw new UsageError(
    `${option} has no ${name}${toSuggestion(name, fields) || ": describe_fields has their names"}`,
  );
}
