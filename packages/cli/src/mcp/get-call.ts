// The tool get_call: every field of one call.
import { lookUpCall } from "../call/look-up.ts";
import { countBytes, MAX_BYTES, type ShortRecord, toShort } from "./caps.ts";
import { ABOUT, type Tool } from "./tool.ts";

/** Characters of one value. */
const MAX_VALUE = 10_000;

interface Input {
  readonly call_id: string;
  readonly first_record?: number;
}

export const CALL_ID = {
  type: "string",
  minLength: 1,
  description: "Identifier of the call: call_id of search_calls.",
} as const;

export const getCall: Tool<Input> = {
  name: "get_call",
  title: "Get a call",
  description: `All fields of one call that have a value. The legs of a transferred call are records of their own. recordings has names alone: no sound can be had here. An answer ends with the record that passes ${MAX_BYTES} bytes; where next_record is not null, ask again with it as first_record. Values are cut after ${MAX_VALUE} characters, or fewer where that would be too much; get_transcript has what was said in full. ${ABOUT}`,
  input: {
    type: "object",
    additionalProperties: false,
    required: ["call_id"],
    properties: {
      call_id: CALL_ID,
      first_record: { type: "integer", minimum: 1, default: 1, description: "Where to go on." },
    },
  },
  output: {
    type: "object",
    required: ["about", "time_zone", "records", "record_count", "chat_messages", "next_record"],
    properties: {
      about: { type: "string" },
      time_zone: { type: "string", description: "How to read the datetimes." },
      records: { type: "array", items: { type: "object" } },
      record_count: { type: "integer", description: "How many records the call has in all." },
      chat_messages: { type: "integer", description: "How many messages get_transcript has." },
      next_record: { type: ["integer", "null"], description: "null: there are no more." },
    },
  },
  run: async ({ call_id, first_record = 1 }, { client, showDatetime, timeZone }, signal) => {
    const { records: all, messages } = await lookUpCall(client, call_id, signal);
    const records: ShortRecord[] = [];
    for (const record of all.slice(first_record - 1)) {
      records.push(toShort(record, showDatetime, MAX_VALUE));
      if (countBytes(records) >= MAX_BYTES) break;
    }
    const next = first_record + records.length;
    return {
      about: ABOUT,
      time_zone: timeZone,
      records,
      record_count: all.length,
      chat_messages: messages.length,
      next_record: next <= all.length ? next : null,
    };
  },
};
