// Conversation details of Genesys Cloud: what it tells is what the archive has, a call for each agent who took it.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, createFolder, writeLines } from "./support/archives.ts";
import { toRecord } from "./support/records.ts";
import { toWave } from "@call-media/test-setup/sounds";

const at = (time: string) => `2026-08-21T09:${time}.000Z`;

const CUSTOMER = {
  purpose: "customer",
  participantName: "Mobile caller",
  attributes: { order: "4711" },
  sessions: [
    {
      sessionId: "s-customer",
      mediaType: "voice",
      direction: "inbound",
      ani: "tel:+14155550101",
      dnis: "tel:+18005550100",
      segments: [{ segmentStart: at("00:00"), segmentEnd: at("09:00"), segmentType: "interact" }],
    },
  ],
};

const IVR = {
  purpose: "ivr",
  sessions: [
    { flow: { flowId: "f-1", flowName: "Main menu" }, segments: [] },
    { flow: { flowId: "f-2" } },
  ],
};

const QUEUE = {
  purpose: "acd",
  participantName: "Billing",
  sessions: [{ segments: [{ segmentType: "interact", queueId: "q-7" }] }],
};

const RANG = {
  purpose: "agent",
  userId: "u-0",
  sessions: [{ sessionId: "s-0", segments: [{ segmentType: "alert", queueId: "q-7" }] }],
};

const ANN = {
  purpose: "agent",
  userId: "u-1",
  participantName: "Ann Lee",
  teamId: "t-1",
  sessions: [
    {
      sessionId: "s-1",
      metrics: [
        { name: "tTalk", value: 100_000, emitDate: at("03:00") },
        { name: "tTalkComplete", value: 122_600, emitDate: at("03:00") },
        { name: "tHandle", value: 160_000, emitDate: at("04:00") },
      ],
      segments: [
        { segmentStart: at("01:00"), segmentType: "interact", queueId: "q-7" },
        { segmentType: "wrapup", wrapUpCode: "w-3", wrapUpNote: "will pay" },
      ],
    },
  ],
};

const BOB = {
  purpose: "agent",
  userId: "u-2",
  participantName: "Bob Ray",
  sessions: [
    {
      sessionId: "s-2",
      metrics: [
        { name: "tTalk", value: 60_000 },
        { name: "tAcw", value: 5_000 },
      ],
      segments: [{ segmentStart: at("03:00"), segmentEnd: at("09:00"), segmentType: "interact" }],
    },
  ],
};

const CONVERSATION = {
  conversationId: "c-1",
  conversationStart: at("00:00"),
  conversationEnd: at("09:00"),
  originatingDirection: "inbound",
  externalTag: "case 12",
  divisionIds: ["d"],
  // The order of participants is not that of the conversation.
  participants: [CUSTOMER, IVR, BOB, QUEUE, RANG, ANN],
};

const COMMON = {
  call_id: "c-1",
  ref_id: "case 12",
  ani: "+14155550101",
  dnis: "+18005550100",
  call_type: "inbound",
  media: "voice",
  ivr_path: "Main menu > f-2",
};

const ANNS = toRecord({
  ...COMMON,
  datetime: at("00:00"),
  agent: "u-1",
  agent_name: "Ann Lee",
  agent_group_id: "t-1",
  skill: "Billing",
  skill_id: "q-7",
  disposition_id: "w-3",
  disposition_notes: "will pay",
  talk_time: 123,
  handle_time: 160,
});

const BOBS = toRecord({
  ...COMMON,
  datetime: at("03:00"),
  agent: "u-2",
  agent_name: "Bob Ray",
  skill: "Billing",
  skill_id: "q-7",
  talk_time: 60,
  handle_time: 65,
});

test("each agent who took a conversation has a call of it, from when his part began; whose telephone only rang has none", async () => {
  const store = createArchive();
  const path = await writeLines("details.json", [{ conversations: [CONVERSATION], totalHits: 1 }]);

  expect(await importFiles({ store, paths: [path] })).toMatchObject({ read: 1, imported: 1 });
  expect(await store.calls.byCallId("c-1", "everything")).toEqual([BOBS, ANNS]);
  expect(await store.calls.byReference("s-2", "everything")).toEqual([BOBS]);
  expect(await store.calls.byReference("case 12", "everything")).toHaveLength(2);
});

test("a conversation that nobody took is one call, of the queue it waited in", async () => {
  const store = createArchive();
  const lost = { ...CONVERSATION, participants: [CUSTOMER, QUEUE, RANG] };
  await importFiles({ store, paths: [await writeLines("details.jsonl", [lost])] });
  expect(await store.calls.byCallId("c-1", "everything")).toEqual([
    toRecord({
      ...COMMON,
      ivr_path: null,
      datetime: at("00:00"),
      skill: "Billing",
      skill_id: "q-7",
    }),
  ]);
});

test("a chat is found by its room, and attributes go where a mapping says, into every leg", async () => {
  const store = createArchive();
  const session = { ...CUSTOMER.sessions[0], mediaType: "chat", roomId: "room-5" };
  const chat = { ...CONVERSATION, participants: [{ ...CUSTOMER, sessions: [session] }, ANN, BOB] };
  const mappingFile = await writeLines("map.json", [
    { fields: { custom_field_1: "{participants[0].attributes.order}" } },
  ]);
  const path = await writeLines("details.json", [[chat]]);
  await importFiles({ store, paths: [path], format: "genesys", mappingFile });
  const found = await store.calls.byReference("room-5", "everything");
  expect(found.map((call) => [call.media, call.custom_field_1])).toEqual([
    ["chat", "4711"],
    ["chat", "4711"],
  ]);
});

const RECORDING = {
  id: "r-1",
  conversationId: "c-1",
  media: "audio",
  startTime: at("03:01"),
  fileState: "AVAILABLE",
  sessionId: "s-2",
};

test.each([[["details.json", "recordings.json"]], [["recordings.json", "details.json"]]])(
  "recordings find the leg they were made of: %j",
  async (order) => {
    const store = createArchive();
    const mediaDirectory = await createFolder();
    const place = join(mediaDirectory, "year=2026", "conversation_id=c-1");
    await mkdir(place, { recursive: true });
    await writeFile(join(place, "r-1.wav"), toWave());
    // What describes a recording, so much of it that something is listed behind the recording.
    for (const extension of ["json", "JSON", "jsonl", "csv", "CSV", "txt", "TXT", "xml", "vtt"])
      await writeFile(join(place, `r-1.${extension}`), "{}");
    const byUser = { ...RECORDING, id: "r-2", sessionId: null, users: [{ id: "u-2" }] };
    const ofNobody = { ...RECORDING, id: "r-3", sessionId: null };
    const files = {
      "details.json": [{ conversations: [CONVERSATION] }],
      "recordings.json": [[RECORDING, byUser, ofNobody]],
    };
    const paths = await Promise.all(
      order.map((name) => writeLines(name, files[name as keyof typeof files])), // of the table above
    );
    expect(await importFiles({ store, paths, mediaDirectory })).toMatchObject({
      read: 1,
      imported: 1,
    });
    expect(await store.calls.recordings({ reference: "s-2" }, "everything")).toMatchObject([
      { filename: "r-1.wav", startMs: Date.parse(at("03:01")) },
    ]);
    expect(await store.calls.byReference("s-1", "everything")).toEqual([
      { ...ANNS, recordings: "r-3" },
    ]);
  },
);

test("what was told of a running conversation goes when it has ended, also when it comes again later", async () => {
  const store = createArchive();
  const { conversationEnd: _, ...running } = { ...CONVERSATION, participants: [QUEUE, RANG] };
  for (const told of [running, CONVERSATION, running])
    await importFiles({ store, paths: [await writeLines("details.json", [told])] });
  expect(await store.calls.byCallId("c-1", "everything")).toEqual([BOBS, ANNS]);
});

test.each([
  [
    { conversationStart: "noon" },
    'datetime: "noon" is not an ISO 8601 date and time; revised: "noon" is not an ISO 8601 date and time',
  ],
  [{ participants: "many" }, "participants: must be an array, not a string"],
  [{ participants: [{ sessions: [7] }] }, "sessions[0]: must be an object, not a number"],
  [
    {
      participants: [
        {
          ...ANN,
          sessions: [{ ...ANN.sessions[0], metrics: [{ name: "tTalk", value: "long" }] }],
        },
      ],
    },
    'tTalk: "long" is not a number of milliseconds',
  ],
])("%j is rejected", async (change, reason) => {
  const store = createArchive();
  const path = await writeLines("details.json", [[CONVERSATION, { ...CONVERSATION, ...change }]]);
  const report = await importFiles({ store, paths: [path] });
  expect(report).toMatchObject({ imported: 1, rejected: 1, firstRejections: [{ reason }] });
});
