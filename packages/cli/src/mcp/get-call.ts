// The tool get_call: every field of one call.
import { lookUpCall } from "../call/look-up.ts";
import { UsageError } from "@call-media/terminal";
import { MAX_CHARACTERS, MAX_TEXT, toShort } from "./caps.ts";
import { ABOUT, PAGE, type Tool } from "./tool.ts";

interface Input {
  readonly call_id: string;
  readonly page?: number;
}

export const CALL_ID = {
  type: "string",
  description: "Identifier of the call: call_id of search_calls.",
} as const;

export const getCall: Tool<Input> = {
  name: "get_call",
  title: "Get a call",
  description: `All fields of one call that have a value, as a line of JSON for each record: the legs of a transferred call are records of their own. recordings has only names: this server returns no sound. An answer has at most ${MAX_CHARACTERS} characters; longer values are cut, and get_transcript has what was said in full. ${ABOUT}`,
  input: {
    type: "object",
    required: ["call_id"],
    properties: { call_id: CALL_ID, page: PAGE },
  },
  run: async ({ call_id, page = 1 }, { client, zone, showDatetime, describeZone }, signal) => {
    const { records, messages } = await lookUpCall({ client, ...zone }, checkId(call_id), signal);
    const lines = records.map((record) => JSON.stringify(toShort(record, showDatetime, MAX_TEXT)));
    const pages = toPages(lines);
    const shown = pages[page - 1];
    if (shown === undefined && (page > 1 || records.length > 0))
      throw new UsageError(`there is no page ${page}: the last one is ${pages.length}`);
    const left = pages.slice(page).flat().length;
    return [
      `${records.length} records, ${messages.length} chat messages (get_transcript has them). ${describeZone()}`,
      ...(shown ?? []),
      ...(left > 0 ? [`${left} more: ask for page ${page + 1}`] : []),
      ABOUT,
    ].join("\n");
  },
};

/** Checked here, because the service would name the parameter of its own operation. */
export function checkId(call_id: string): string {
  if (call_id.trim() === "") throw new UsageError("call_id is empty: search_calls has them");
  return call_id;
}

/** Each page has at least one line. */
function toPages(lines: readonly string[]): readonly (readonly string[])[] {
  const pages: string[][] = [];
  let room = 0;
  for (const line of lines) {
    room -= line.length + 1;
    if (room < 0) {
      pages.push([]);
      room = MAX_TEXT - line.length;
    }
    pages.at(-1)?.push(line);
  }
  return pages;
}
