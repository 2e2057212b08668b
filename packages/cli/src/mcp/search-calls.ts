// The tool search_calls: calls by days, values and a condition, some at a time.
import { document, fieldsOf } from "@call-media/api";
import type { CallRecord, CallSearch } from "@call-media/client";
import { openSearch, toWantedFields } from "../search/filters.ts";
import { parseWhere } from "../search/where/where.ts";
import { countBytes, MAX_BYTES, type ShortRecord, toShort } from "./caps.ts";
import { ABOUT, type Archive, type PropertySchema, type Tool } from "./tool.ts";

const MAX_CALLS = 50;
const DEFAULT_CALLS = 20;

/** Records that are read for one answer: with `where` most of them may be left out. */
const MAX_READ = 1000;

/** Characters of one value; get_call has more. */
const MAX_VALUE = 300;

interface Input {
  readonly from: string;
  readonly to: string;
  readonly filter?: Readonly<Record<string, unknown>>;
  readonly where?: string;
  readonly fields?: readonly (keyof CallRecord)[];
  readonly limit?: number;
  readonly cursor?: string;
}

const DAY = { type: "string", pattern: String.raw`^\d{4}-\d\d-\d\d$` } as const;

export const searchCalls: Tool<Input> = {
  name: "search_calls",
  title: "Search calls",
  description: `Finds recorded calls of a range of days, newest first, by values of their fields. An answer has at most ${MAX_CALLS} calls and ends with the one that passes ${MAX_BYTES} bytes; where next_cursor is not null, ask again with the same arguments and that cursor for what follows. Fields without a value are left out, values are cut after ${MAX_VALUE} characters: get_call and get_transcript have more. describe_fields says what the fields mean. ${ABOUT}`,
  input: {
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
        description: `A condition that calls must meet besides, such as talk_time > 600 && disposition ~ "refund": fields, == != < <= > >=, ~ (contains), && || ! and brackets, "texts", numbers, datetimes, null. Every call that the filter finds is read for it, at most ${MAX_READ} for one answer, so that an answer may have no call and a next_cursor.`,
      },
      fields: {
        type: "array",
        items: { type: "string", enum: fieldsOf("MetadataRecord") },
        description: "These fields alone. Fewer of them make room for more calls.",
      },
      limit: { type: "integer", minimum: 1, maximum: MAX_CALLS, default: DEFAULT_CALLS },
      cursor: { type: "string", description: "next_cursor of the answer before." },
    },
  },
  output: {
    type: "object",
    required: ["about", "time_zone", "calls", "returned", "read", "matching", "next_cursor"],
    properties: {
      about: { type: "string" },
      time_zone: { type: "string", description: "How to read the datetimes." },
      calls: { type: "array", items: { type: "object" } },
      returned: { type: "integer", description: "How many calls are in this answer." },
      read: { type: "integer", description: "How many were read so far, before where." },
      matching: {
        type: ["integer", "null"],
        description:
          "How many there are in all, before where; null where the service does not say.",
      },
      next_cursor: { type: ["string", "null"], description: "null: there are no more." },
      warning: { type: "string" },
    },
  },
  run: async (input, archive, signal) => {
    const { from: startDate, to: endDate, filter = {} } = input;
    const wanted = { startDate, endDate, ...toWantedFields(filter), cursor: toCursor(input) };
    const search = openSearch(archive.client, wanted, signal);
    const { calls, isEnd } = await collect(search, input, archive);
    const { rows, windows, verdict } = search.report;
    return {
      about: ABOUT,
      time_zone: archive.timeZone,
      calls,
      returned: calls.length,
      read: rows,
      matching: windows[0]?.announced ?? null,
      next_cursor: isEnd ? null : Buffer.from(search.cursor ?? "").toString("base64url"),
      ...(isEnd && verdict === "drifted" && { warning: DRIFTED }),
    };
  },
};

const DRIFTED =
  "The archive changed while it was read, and calls may be missing: search again from the start.";

async function collect(search: CallSearch, input: Input, archive: Archive) {
  const { fields, where, limit = DEFAULT_CALLS } = input;
  const isWanted = where === undefined ? () => true : parseWhere(where).by(archive.clock);
  const calls: ShortRecord[] = [];
  let [bytes, read] = [0, 0];
  for await (const record of search) {
    read++;
    if (isWanted(record)) {
      const call = pick(toShort(record, archive.showDatetime, MAX_VALUE), fields);
      bytes += countBytes(call);
      calls.push(call);
    }
    const isFull = calls.length === limit || bytes >= MAX_BYTES || read === MAX_READ;
    if (isFull) return { calls, isEnd: isLast(search) };
  }
  return { calls, isEnd: true };
}

/** Whether nothing follows, as far as that is known. */
function isLast({ report: { rows, windows } }: CallSearch): boolean {
  return windows[0]?.announced === rows;
}

function pick(record: ShortRecord, fields: Input["fields"]): ShortRecord {
  if (fields === undefined) return record;
  return Object.fromEntries(
    fields.flatMap((field) => (field in record ? [[field, record[field] ?? ""]] : [])),
  );
}

/** The client's is JSON, whose quotes a model could lose. */
function toCursor({ cursor }: Input): string | undefined {
  return cursor === undefined ? undefined : Buffer.from(cursor, "base64url").toString();
}

function toProperties(schema: "MetadataFilter" | "CustomFieldsFilter") {
  const properties = document.components.schemas[schema]?.properties ?? {};
  return Object.fromEntries(
    Object.entries(properties).map(([field, { type, description }]): [string, PropertySchema] => [
      field,
      { type, description },
    ]),
  );
}
