// vCons of every version: one call each, and its messages.
import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { AGENT, CUSTOMER, importVcon, SOUND, START, UUID } from "./support/vcons.ts";

test("0.0.1: mimetype, texts, meta and attachments of a phone program", async () => {
  const { store, record } = await importVcon({
    vcon: "0.0.1",
    uuid: UUID,
    created_at: "2025-05-01T12:00:00Z",
    redacted: {},
    group: [],
    parties: [CUSTOMER, { name: "Ann Lee", meta: { role: "agent", extension: "2212" } }],
    dialog: [
      {
        type: "text",
        start: "2025-05-01T10:00:00.123456",
        parties: [1, 0],
        mimetype: "text/plain",
        body: "",
        meta: { direction: "out", disposition: "ANSWERED", agent_selected_disposition: "VM Left" },
      },
    ],
    analysis: [
      {
        type: "transcript",
        dialog: 0,
        vendor: "text",
        body: { transcript: "Hello.\n\nHi.", confidence: 0.9 },
      },
      { type: "summary", dialog: 0, body: "They greet." },
      { type: "diarized", dialog: 0, body: "not this one" },
    ],
    attachments: [
      {
        type: "call_ended",
        encoding: "none",
        body: { direction: "out", duration: 12.6, agentSelectedDisposition: "other" },
      },
    ],
  });

  expect(record).toEqual({
    datetime: "2025-05-01T10:00:00.123456",
    dnis: "+31201234567",
    agent: "2212",
    agent_name: "Ann Lee",
    call_type: "Outbound",
    call_id: UUID,
    ref_id: UUID,
    handle_time: 13,
    talk_time: 13,
    disposition: "VM Left",
    customer_first_name: "Bo",
    customer_middle_name: "van den",
    customer_last_name: "Berg",
    customer_email: "bo@home.test",
    phone_number1: "+31201234567",
    media: "voice",
    company: "Berg BV",
    transcript: "Hello.\n\nHi.",
    notes: "They greet.",
  });
  expect(await store.calls.chat(UUID, "everything")).toEqual([]);
});

test("0.0.2: mediatype, a recording inside in base64url", async () => {
  const { store, record } = await importVcon({
    vcon: "0.0.2",
    uuid: UUID,
    parties: [CUSTOMER, AGENT],
    dialog: [
      {
        type: "recording",
        start: "2025-05-01T08:05:00Z",
        duration: 61.4,
        parties: [0, 1],
        mediatype: "audio/x-wav",
        filename: "second.wav",
        body: Buffer.concat([SOUND, SOUND]).toString("base64url"),
        encoding: "base64url",
      },
      {
        type: "recording",
        start: START,
        duration: 30,
        parties: [[0], 1],
        mediatype: "audio/x-wav",
        body: SOUND.toString("base64url"),
        encoding: "base64url",
        session_id: "session one",
      },
    ],
  });

  expect(record).toMatchObject({
    datetime: START,
    ani: "+31201234567",
    dnis: "+1800555",
    agent: "ann@centre.test",
    agent_name: "Ann Lee",
    agent_group: "Support",
    talk_time: 91,
    media: "voice",
    recordings: `${UUID}-2.wav; second.wav`,
  });
  const recordings = await store.calls.recordings({ reference: "session one" }, "everything");
  expect(recordings.map(({ startMs }) => startMs)).toEqual([
    Date.parse(START),
    Date.parse("2025-05-01T08:05:00Z"),
  ]);
  expect(recordings[0]?.media.sha256).toBe(hash("sha256", SOUND));
});

test("0.3.0: text messages of both sides, in base64url or JSON too", async () => {
  const { store, record } = await importVcon({
    vcon: "0.3.0",
    uuid: UUID,
    parties: [AGENT, { ...CUSTOMER, role: undefined }],
    dialog: [
      {
        type: "text",
        start: START,
        parties: [0, 1],
        originator: 1,
        mediatype: "text/plain",
        body: "Hello?",
        encoding: "none",
      },
      {
        type: "text",
        start: "2025-05-01T10:01:00+02:00",
        parties: 0,
        body: Buffer.from("Grüezi").toString("base64url"),
        encoding: "base64url",
      },
      {
        type: "text",
        start: "2025-05-01T10:02:00+02:00",
        parties: [0],
        body: " ",
        encoding: "none",
      },
      { type: "text", parties: [1], body: { text: "Hi" }, encoding: "json" },
      { type: "incomplete", start: START, parties: [0], disposition: "no-answer" },
    ],
    analysis: [{ type: "disposition", body: "solved" }],
  });

  expect(record).toMatchObject({
    media: "chat",
    agent_name: "Ann Lee",
    customer_last_name: "Berg",
    disposition: "solved",
  });
  const base = { call_id: UUID, room_id: UUID };
  expect(await store.calls.chat(UUID, "everything")).toEqual([
    {
      ...base,
      transcript: "Hello?",
      datetime: START,
      party_type: "customer",
      label: "Bo van den Berg",
    },
    {
      ...base,
      transcript: '{"text":"Hi"}',
      datetime: START,
      party_type: "customer",
      label: "Bo van den Berg",
    },
    {
      ...base,
      transcript: "Grüezi",
      datetime: "2025-05-01T10:01:00+02:00",
      party_type: "agent",
      label: "Ann Lee",
    },
  ]);
});

test("0.4.0 with the contact centre extension: no version, session objects, a recording-set, interaction, campaign and skill", async () => {
  const { store, record } = await importVcon({
    uuid: UUID,
    extensions: ["CC"],
    created_at: START,
    parties: [{ ...AGENT, type: "human" }, CUSTOMER, { role: "supervisor", name: "Sue" }],
    dialog: [
      {
        type: "recording-set",
        start: START,
        duration: 200,
        parties: [1, 0],
        recordings: [1, 2],
        interaction_type: "inbound",
        interaction_id: "interaction 9",
        campaign: "Spring",
        skill: "Dutch",
        session_id: [{}, [{ local: "local-id", remote: "remote-id" }]],
      },
      {
        type: "recording",
        recording_set: 0,
        start: START,
        duration: 90,
        parties: [1],
        mediatype: "video/mp4",
        url: "https://media.test/a/b/part%201.mp4?token=x",
        content_hash: "sha512-x",
      },
      {
        type: "recording",
        recording_set: 0,
        start: START,
        duration: 90,
        parties: [0],
        mediatype: "audio/ogg",
        url: "https://media.test/part2.ogg",
      },
    ],
    analysis: [
      {
        type: "transcript",
        dialog: 1,
        mediatype: "application/json",
        encoding: "json",
        body: { segments: [{ speaker: "A", text: "One." }, { text: "Two." }] },
      },
      { type: "transcript", dialog: 1, body: "from another vendor" },
      {
        type: "transcript",
        dialog: 2,
        encoding: "json",
        body: JSON.stringify({ results: { transcript: "Three." } }),
      },
    ],
  });

  expect(record).toMatchObject({
    call_id: "interaction 9",
    ref_id: UUID,
    call_type: "inbound",
    ani: "+31201234567",
    dnis: "+1800555",
    campaign: "Spring",
    skill: "Dutch",
    talk_time: 200,
    media: "video",
    recordings: "part 1.mp4; part2.ogg",
    transcript: "A: One.\nTwo.\n\nThree.",
  });
  expect(await store.calls.byReference("local-id", "everything")).toHaveLength(1);
  expect(await store.calls.recordings({ callId: "interaction 9" }, "everything")).toEqual([]);
});

test("nobody has a role: who turns to the centre is the customer, and the first party of a dialog is its originator", async () => {
  const { record } = await importVcon({
    uuid: UUID,
    parties: [
      { tel: "+1", name: "+1 (2) 3" },
      { tel: "+2", name: "Bo" },
    ],
    dialog: [{ type: "recording", start: START, parties: [1, 0], url: "https://media.test/a.wav" }],
  });

  expect(record).toMatchObject({
    ani: "+2",
    dnis: "+1",
    phone_number1: "+2",
    customer_first_name: "Bo",
  });
  expect(record).not.toHaveProperty("agent");
});
