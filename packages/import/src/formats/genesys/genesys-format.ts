// Genesys Cloud: conversation details, and the recordings that belong to them.
import { createFormatWithRecordings } from "../recordings-beside.ts";
import { readText } from "../json-value.ts";
import { toCalls } from "./to-calls.ts";

export const genesys = createFormatWithRecordings({
  title: "Genesys Cloud conversation details",
  hint: "a call for each agent leg; recordings find theirs, whichever file comes first",
  records: ["conversations.*", "recordings.*", "results.*", "entities.*", "*", ""],
  marks: [
    ["conversationId", "conversationStart", "participants"],
    ["id", "conversationId", "media"],
    ["conversationId", "recordingId"], // of a bulk download
  ],
  callId: ["conversationId"],
  callsAlone: ["conversations.*"],
  toCallId: (conversation) => readText(conversation, "conversationId"),
  toRecording: (record) => {
    const id = readText(record, "recordingId", "id");
    const callId = readText(record, "conversationId");
    const isConversation = "participants" in record;
    return isConversation || id === undefined || callId === undefined ? undefined : { id, callId };
  },
  toCalls,
});
