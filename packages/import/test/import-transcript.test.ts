// Transcripts in JSON: in each of their dialects, what they say is the chat of the call they belong to.
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";
import { chatOf, importTranscript, START } from "./support/transcripts.ts";

test("a chat of Amazon Connect gives its messages, and no events", async () => {
  const item = { ParticipantRole: "CUSTOMER", DisplayName: "Ann", Type: "MESSAGE" };
  const { report, chat } = await importTranscript("anything.json", [
    {
      ContactId: "4711",
      Transcript: [
        { AbsoluteTime: START, ParticipantRole: "CUSTOMER", Type: "EVENT" },
        { ...item, AbsoluteTime: "2026-08-21T09:00:01.5Z", Content: "Hello?" },
        { ...item, AbsoluteTime: "2026-08-21T09:00:02Z", ParticipantRole: "AGENT", Content: "Hi." },
      ],
    },
  ]);
  expect(report).toMatchObject({ read: 1, imported: 1 });
  expect(chat).toEqual([
    ["2026-08-21T09:00:01.5Z", "customer", "Ann", "Hello?"],
    ["2026-08-21T09:00:02Z", "agent", "Ann", "Hi."],
  ]);
});

test("an analysis of Contact Lens has times from the start of the call in the archive, and roles by participant", async () => {
  const { chat } = await importTranscript("anything.json", [
    {
      CustomerMetadata: { ContactId: "4711" },
      Participants: [{ ParticipantId: "p-1", ParticipantRole: "AGENT" }],
      Transcript: [{ ParticipantId: "p-1", BeginOffsetMillis: 1_500, Content: "Hi." }],
    },
  ]);
  expect(chat).toEqual([["2026-08-21T09:00:01.500Z", "agent", "p-1", "Hi."]]);
});

test("a post-call analysis has a time zone of its own, and belongs to the call its file is named by", async () => {
  const { chat } = await importTranscript("4711.json", [
    {
      ConversationAnalytics: {
        GUID: "None",
        ConversationTime: "2026-08-21 09:00:00.250",
        ConversationLocation: "America/New_York",
        SpeakerLabels: [{ Speaker: "spk_0", DisplayText: "Agent" }],
      },
      SpeechSegments: [
        { SegmentStartTime: 1.25, SegmentSpeaker: "spk_0", DisplayText: "Hi." },
        { SegmentStartTime: 2, SegmentSpeaker: "spk_1", DisplayText: "Hello." },
      ],
    },
  ]);
  expect(chat).toEqual([
    ["2026-08-21T13:00:01.500Z", "agent", "Agent", "Hi."],
    ["2026-08-21T13:00:02.250Z", "participant", "spk_1", "Hello."],
  ]);
});

test.each<[string, readonly object[], string, string]>([
  [
    "a text with speakers",
    [
      {
        ConversationId: "4711",
        StartTime: "2026-08-21 10:00:00",
        Content: "**A call**\n\n**Agent:** Hi.\n\n**Customer:** Hello,\nyou.",
      },
    ],
    "Agent",
    "Customer",
  ],
  [
    "conversation items",
    [
      {
        analysisInput: {
          conversations: [
            {
              id: "4711",
              conversationItems: [
                { participantId: "Agent", text: "Hi." },
                { participantId: "Customer", text: "Hello,\nyou." },
              ],
            },
          ],
        },
      },
    ],
    "Agent",
    "Customer",
  ],
  [
    "utterances",
    [
      [
        {
          conversation_id: "4711",
          utterances: [
            { speaker: "assistant", text: "Hi." },
            { speaker: "user", text: "Hello,\nyou." },
          ],
        },
      ],
    ],
    "assistant",
    "user",
  ],
  [
    "pairs",
    [
      [
        {
          convo_id: 4711,
          original: [
            ["agent", "Hi."],
            ["customer", "Hello,\nyou."],
          ],
        },
      ],
    ],
    "agent",
    "customer",
  ],
])("%s of which no turn has a time begin with the conversation", async (_, lines, one, other) => {
  const { report, chat } = await importTranscript("x.json", lines, "Europe/London");
  expect(report).toMatchObject({ read: 1, imported: 1, rejected: 0 });
  const start = "2026-08-21T09:00:00.000Z";
  expect(chat).toEqual([
    [start, "agent", one, "Hi."],
    [start, "customer", other, "Hello,\nyou."],
  ]);
});

test("segments have times of their own, each a row", async () => {
  const segment = { speaker_role: "agent", start_timestamp_ms: Date.parse(START), index: 1 };
  const { report, chat } = await importTranscript("4711.json", [
    [
      { ...segment, human_transcript: "hello" },
      { ...segment, start_timestamp_ms: "soon", human_transcript: "bye" },
    ],
  ]);
  expect(report).toMatchObject({ read: 2, imported: 1, rejected: 1 });
  expect(report.firstRejections[0]?.reason).toBe(
    'start_timestamp_ms: "soon" is not a number of 0 or more',
  );
  expect(chat).toEqual([["2026-08-21T09:00:00.000Z", "agent", "agent", "hello"]]);
});

test("messages may stand on lines, each with its call", async () => {
  const said = { call_id: "4711", speaker: "Ann", role: "customer", text: "Hi." };
  const { report, chat } = await importTranscript(
    "x.jsonl",
    [
      { ...said, datetime: "2026-08-21 10:00:03" },
      { ...said, offset_ms: 5_000 },
      { ...said, datetime: "soon" },
    ],
    "Europe/London",
  );
  expect(report).toMatchObject({ read: 3, imported: 2, rejected: 1 });
  expect(report.firstRejections[0]?.reason).toContain('datetime: "soon" is not');
  expect(chat).toEqual([
    ["2026-08-21T10:00:03+01:00", "customer", "Ann", "Hi."],
    ["2026-08-21T09:00:05.000Z", "customer", "Ann", "Hi."],
  ]);
});

test("a transcript finds its call in the same import, whichever file comes first", async () => {
  const store = createArchive();
  const chat = { call_id: "7", speaker: "Ann", text: "Hi." };
  const paths = [
    await writeLines("chat.jsonl", [chat]),
    await writeLines("calls.jsonl", [{ kind: "call", call_id: "7", datetime: START }]),
  ];
  expect(await importFiles({ store, paths })).toMatchObject({ imported: 2, rejected: 0 });
  expect(await chatOf(store, "7")).toEqual([
    ["2026-08-21T09:00:00.000Z", "participant", "Ann", "Hi."],
  ]);
});

const UNKNOWN =
  'datetime: the transcript does not say when the conversation was, and the archive has no call "9" that does: import the calls first';

test.each<[string, readonly (string | object)[], string]>([
  ["9.txt", ["Agent: Hi.", "Customer: Hello."], `${UNKNOWN}; nothing was read from here on`],
  ["x.json", [{ call_id: "9", messages: [{ speaker: "a", text: "b" }] }], UNKNOWN],
  ["x.json", [{ call_id: "9", messages: [] }], "the conversation has no messages"],
  [
    "x.json",
    [{ convo_id: "9", original: ["a"] }],
    "original[0]: must be a speaker and what he says",
  ],
  [
    "x.json",
    [{ ConversationId: "9", StartTime: START, Content: "Hi. Hello." }],
    "Content: no line begins with a speaker, so it is one text and not messages; by a mapping, as json, it can become the transcript of a call",
  ],
])("%s: %j is rejected", async (name, lines, reason) => {
  const { report } = await importTranscript(name, lines);
  expect(report).toMatchObject({ read: 1, rejected: 1, firstRejections: [{ reason }] });
});
