// Transcripts as Amazon's services write them: chats of Connect, analyses of Contact Lens, results of Post Call Analytics.
import type { JsonRecord } from "../json-format.ts";
import { readObject, readObjects, readText } from "../json-value.ts";
import { type Dialect, readNumber, toStart } from "./dialect.ts";

export const amazonConnect: Dialect = {
  records: ["", "*"],
  marks: [
    ["Transcript", "ContactId"],
    ["Transcript", "CustomerMetadata"],
  ],
  read: (record) => {
    const roles = new Map(
      readObjects(record, "Participants").map((participant) => [
        readText(participant, "ParticipantId"),
        readText(participant, "ParticipantRole"),
      ]),
    );
    const spoken = readObjects(record, "Transcript").filter((item) => "Content" in item);
    return {
      callId:
        readText(record, "ContactId") ??
        readText(readObject(record, "CustomerMetadata"), "ContactId"),
      messages: spoken.map((item) => ({
        speaker: readText(item, "DisplayName", "ParticipantId"),
        role: readText(item, "ParticipantRole") ?? roles.get(readText(item, "ParticipantId")),
        text: readText(item, "Content") ?? "",
        datetime: readText(item, "AbsoluteTime"),
        offsetMs: readNumber(item, "BeginOffsetMillis"),
      })),
    };
  },
};

export const postCallAnalytics: Dialect = {
  records: ["", "*"],
  marks: [["ConversationAnalytics", "SpeechSegments"]],
  read: (record) => {
    const about = readObject(record, "ConversationAnalytics") ?? {};
    const names = new Map(
      readObjects(about, "SpeakerLabels").map((label) => [
        readText(label, "Speaker"),
        readText(label, "DisplayText"),
      ]),
    );
    return {
      callId: readKnown(about, "GUID"),
      start: toStart(readText(about, "ConversationTime"), readKnown(about, "ConversationLocation")),
      messages: readObjects(record, "SpeechSegments").map((segment) => {
        const speaker = readText(segment, "SegmentSpeaker");
        const seconds = readNumber(segment, "SegmentStartTime") ?? 0;
        const text = readText(segment, "DisplayText", "OriginalText") ?? "";
        return {
          speaker: names.get(speaker) ?? speaker,
          text,
          offsetMs: Math.round(seconds * 1_000),
        };
      }),
    };
  },
};

// Python writes "None" for what it does not know.
function readKnown(object: JsonRecord, key: string): string | undefined {
  const text = readText(object, key);
  return text === "None" ? undefined : text;
}
