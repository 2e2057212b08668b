// The closed table of the JSON dialects of transcripts: where conversations lie, what shows them, how one is read. A record
// may also be a single message.
import type { JsonRecord } from "../json-format.ts";
import { readObjects, readText } from "../json-value.ts";
import { amazonConnect, postCallAnalytics } from "./amazon-dialects.ts";
import type { Message } from "./conversation.ts";
import { type Dialect, readNumber, toStart } from "./dialect.ts";
import { conversationItems, labelledContent, pairs, utterances } from "./untimed-dialects.ts";

const plain: Dialect = {
  records: ["conversations.*", "", "*"],
  marks: [
    ["call_id", "messages"],
    ["call_id", "speaker", "text"],
  ],
  read: (record) => ({
    callId: readText(record, "call_id"),
    start: toStart(readText(record, "start")),
    messages: ("messages" in record ? readObjects(record, "messages") : [record]).map(toMessage),
  }),
};

const segments: Dialect = {
  records: ["*", ""],
  marks: [["speaker_role", "human_transcript", "start_timestamp_ms"]],
  read: (segment) => ({
    messages: [
      {
        speaker: readText(segment, "speaker_role"),
        text: readText(segment, "human_transcript", "transcript") ?? "",
        datetime: toIso(readNumber(segment, "start_timestamp_ms")),
      },
    ],
  }),
};

export const DIALECTS: readonly Dialect[] = [
  plain,
  amazonConnect,
  postCallAnalytics,
  labelledContent,
  conversationItems,
  utterances,
  pairs,
  segments,
];

function toMessage(message: JsonRecord): Message {
  return {
    speaker: readText(message, "speaker"),
    role: readText(message, "role"),
    text: readText(message, "text") ?? "",
    datetime: readText(message, "datetime"),
    offsetMs: readNumber(message, "offset_ms"),
  };
}

function toIso(instantMs: number | undefined): string | undefined {
  const instant = new Date(instantMs ?? Number.NaN);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}
