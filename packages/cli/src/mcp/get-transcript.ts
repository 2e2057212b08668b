// The tool get_transcript: the speech and chat of a call, one page at a time.
import { lookUpCall } from "../call/look-up.ts";
import { toPlainCall } from "../call/plain.ts";
import { toTranscriptText } from "../call/transcript.ts";
import { UsageError } from "@call-media/terminal";
import { MAX_CHARACTERS, MAX_TEXT, takeFrom } from "./caps.ts";
import { CALL_ID, checkId } from "./get-call.ts";
import { ABOUT, PAGE, type Tool } from "./tool.ts";

interface Input {
  readonly call_id: string;
  readonly page?: number;
}

export const getTranscript: Tool<Input> = {
  name: "get_transcript",
  title: "Get a transcript",
  description: `What was said in a call, and its chat, a line for each message. An answer has at most ${MAX_CHARACTERS} characters. search_calls with words has the passages that matter; read a transcript only where they do not tell enough. ${ABOUT}`,
  input: {
    type: "object",
    required: ["call_id"],
    properties: { call_id: CALL_ID, page: PAGE },
  },
  run: async ({ call_id, page = 1 }, { client, zone, showDatetime, describeZone }, signal) => {
    const call = toPlainCall(await lookUpCall({ client, ...zone }, checkId(call_id), signal));
    const pages = toPages(toTranscriptText(call, showDatetime));
    const text = pages[page - 1];
    if (text === undefined)
      throw new UsageError(`there is no page ${page}: the last one is ${pages.length}`);
    const left = pages.length - page;
    return [
      `${describeZone()} ${ABOUT}`,
      text,
      ...(left > 0 ? [`${left} more: ask for page ${page + 1}`] : []),
    ].join("\n");
  },
};

function toPages(text: string): readonly string[] {
  const pages: string[] = [];
  for (let start = 0; start < text.length; start += pages.at(-1)?.length ?? 1)
    pages.push(takeFrom(text, start, MAX_TEXT));
  return pages;
}
