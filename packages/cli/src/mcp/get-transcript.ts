// The tool get_transcript: what was said and written in a call, a piece at a time.
import { lookUpCall } from "../call/look-up.ts";
import { toPlainCall } from "../call/plain.ts";
import { toTranscriptText } from "../call/transcript.ts";
import { MAX_TEXT, takeFrom } from "./caps.ts";
import { CALL_ID } from "./get-call.ts";
import { ABOUT, type Tool } from "./tool.ts";

interface Input {
  readonly call_id: string;
  readonly offset?: number;
}

export const getTranscript: Tool<Input> = {
  name: "get_transcript",
  title: "Get a transcript",
  description: `What was said in a call, and its chat, a line for each message. An answer has at most ${MAX_TEXT} characters; where next_offset is not null, ask again with it as offset. ${ABOUT}`,
  input: {
    type: "object",
    additionalProperties: false,
    required: ["call_id"],
    properties: {
      call_id: CALL_ID,
      offset: { type: "integer", minimum: 0, default: 0, description: "Where to go on." },
    },
  },
  output: {
    type: "object",
    required: ["about", "time_zone", "text", "characters", "next_offset"],
    properties: {
      about: { type: "string" },
      time_zone: { type: "string", description: "How to read the datetimes." },
      text: { type: "string" },
      characters: { type: "integer", description: "Of the whole transcript." },
      next_offset: { type: ["integer", "null"], description: "null: this is the end." },
    },
  },
  run: async ({ call_id, offset = 0 }, { client, showDatetime, timeZone }, signal) => {
    const call = toPlainCall(await lookUpCall(client, call_id, signal));
    const whole = toTranscriptText(call, showDatetime);
    const text = takeFrom(whole, offset, MAX_TEXT);
    const next = offset + text.length;
    return {
      about: ABOUT,
      time_zone: timeZone,
      text,
      characters: whole.length,
      next_offset: next < whole.length ? next : null,
    };
  },
};
