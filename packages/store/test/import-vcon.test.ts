// vCons of every version: one call each, its messages and its recordings.
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importFiles } from "../src/import/index.ts";
import type { MetadataRecord, Recording } from "../src/index.ts";
import { createArchive, toPattern, writeLines } from "./support/archives.ts";

const UUID = "018f3c1e-0000-8000-8000-000000000001";
const AGENT = {
  role: "agent",
  name: "Ann Lee",
  mailto: "mailto:ann@centre.test",
  tel: "tel:+1800555",
  dept: "Support",
};
const CUSTOMER = {
  role: "customer",
  name: "Bo van den Berg",
  mailto: "bo@home.test",
  tel: "+31201234567",
  org: "Berg BV",
};
const START = "2025-05-01T10:00:00+02:00";
const SOUND = Buffer.from("RIFF....WAVEfmt sound");

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
  expect(await store.calls.chat(UUID, [])).toEqual([]);
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
  const recordings = await store.calls.recordings({ reference: "session one" }, []);
  expect(recordings.map(({ startMs }) => startMs)).toEqual([
    Date.parse(START),
    Date.parse("2025-05-01T08:05:00Z"),
  ]);
  expect(recordings[0]?.media.sha256).toBe(createHash("sha256").update(SOUND).digest("hex"));
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
  expect(await store.calls.chat(UUID, [])).toEqual([
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
  expect(await store.calls.byReference("local-id", [])).toHaveLength(1);
  expect(await store.calls.recordings({ callId: "interaction 9" }, [])).toEqual([]);
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

test("a recording beside the vCon is taken, by its file name or that of its URL, and never from elsewhere", async () => {
  const store = await createArchive();
  const recording = { type: "recording", start: START, parties: [0] };
  const vcon = (uuid: string, dialog: object) => ({
    uuid,
    parties: [CUSTOMER],
    dialog: [{ ...recording, ...dialog }],
  });
  const path = await writeLines("all.jsonl", [
    vcon("by name", { filename: "a.wav" }),
    vcon("by path", { filename: "deep/b.wav" }),
    vcon("by url", { url: "https://media.test/x/a.wav?y=1" }),
    vcon("elsewhere", { filename: "../outside.wav" }),
    vcon("absolute", { filename: "/etc/passwd" }),
    vcon("empty", { filename: "empty.wav" }),
    vcon("odd", { filename: "100%.wav", url: "no url" }),
    vcon("gone", {}),
  ]);
  const folder = dirname(path);
  await mkdir(join(folder, "media", "deep"), { recursive: true });
  for (const name of ["outside.wav", "media/a.wav", "media/deep/b.wav"])
    await writeFile(join(folder, name), name);
  await writeFile(join(folder, "media/empty.wav"), "");

  const report = await importFiles({
    store,
    paths: [path],
    format: "vcon",
    mediaDirectory: join(folder, "media"),
  });

  expect(report).toMatchObject({
    read: 8,
    imported: 7,
    rejected: 1,
    firstRejections: [{ line: 6, reason: 'media: "empty.wav" is empty' }],
  });
  const names = async (callId: string) => {
    const files = await store.calls.recordings({ callId }, []);
    return [
      (await store.calls.byCallId(callId, []))[0]?.recordings,
      files.map(({ media }: Recording) => media.bytes),
    ];
  };
  expect(await names("by name")).toEqual(["a.wav", ["media/a.wav".length]]);
  expect(await names("by path")).toEqual(["b.wav", ["media/deep/b.wav".length]]);
  expect(await names("by url")).toEqual(["a.wav", ["media/a.wav".length]]);
  expect(await names("elsewhere")).toEqual(["outside.wav", []]);
  expect(await names("absolute")).toEqual(["passwd", []]);
  expect(await names("odd")).toEqual(["100%.wav", []]);
  expect(await names("gone")).toEqual([null, []]);
});

test.each<[text: string | object, reason: string | RegExp]>([
  ["", "the file is empty"],
  ['{\n"uuid": "x",\n', /^not valid JSON/],
  ["[]", "a vCon must be a JSON object, not an array"],
  [{ parties: [] }, "uuid: must be a string, not undefined"],
  [{ uuid: "" }, "uuid: must not be empty"],
  [{ uuid: UUID, vcon: "1.0.0" }, 'vcon: version "1.0.0" is not known, 0.0.1 to 0.4.0 are'],
  [{ uuid: UUID, vcon: 2 }, "vcon: version 2 is not known, 0.0.1 to 0.4.0 are"],
  [{ payload: "", signatures: [] }, "the vCon is signed (JWS): verify it and import what it holds"],
  [{ ciphertext: "", recipients: [] }, "the vCon is encrypted (JWE): decrypt it first"],
  [{ uuid: UUID, parties: {} }, "parties: must be an array, not an object"],
  [{ uuid: UUID, dialog: [1] }, "dialog[0]: must be an object, not a number"],
  [{ uuid: UUID, analysis: [null] }, "analysis[0]: must be an object, not null"],
  [
    { uuid: UUID, dialog: [{}, { type: "text", start: "yesterday" }] },
    'dialog[1].start: "yesterday" is not an ISO 8601 date and time',
  ],
  [{ uuid: UUID, created_at: "May" }, 'datetime: "May" is not an ISO 8601 date and time'],
  [
    { uuid: UUID, dialog: [{ type: "text", body: "Hi" }] },
    "dialog[0].start: missing, and the vCon has no created_at",
  ],
  [
    { uuid: UUID, dialog: [{ type: "text", start: START, body: "%%%", encoding: "base64url" }] },
    "dialog[0].body: is not base64url",
  ],
  [
    { uuid: UUID, dialog: [{ type: "recording", body: "a b", encoding: "base64url" }] },
    "dialog[0].body: is not base64url",
  ],
  [
    { uuid: UUID, dialog: [{ type: "recording", body: "abc", encoding: "none" }] },
    'dialog[0].encoding: a recording must be in base64url, not "none"',
  ],
  [
    { uuid: UUID, dialog: [{ type: "recording", body: {}, encoding: "base64url" }] },
    /^dialog\[0\]\.encoding: a recording must be/,
  ],
  [{ uuid: "a\0b" }, "call_id: has a NUL character"],
])("a broken vCon is rejected: %j", async (given, reason) => {
  const store = await createArchive();
  const path = await writeLines("broken.vcon", []);
  await writeFile(path, typeof given === "string" ? given : JSON.stringify(given, null, 2));

  const report = await importFiles({ store, paths: [path], format: "vcon" });

  expect(report).toMatchObject({ read: 1, imported: 0, rejected: 1 });
  expect(report.firstRejections).toEqual([
    {
      file: path,
      line: 1,
      reason: expect.stringMatching(toPattern(reason)),
    },
  ]);
});

const toDigest = (kind: "sha256" | "sha512", content: Buffer) =>
  `${kind}-${createHash(kind).update(content).digest("base64url")}`;
const signed = (content: Buffer) => ({
  alg: "SHA-512",
  signature: toDigest("sha512", content).slice(7),
});
const NOISE = Buffer.from("noise");

test.each<[name: string, of: (content: Buffer) => object, kind: string]>([
  ["of SHA-512", (content) => ({ content_hash: toDigest("sha512", content) }), "sha512"],
  ["padded", (content) => ({ content_hash: `${toDigest("sha512", content)}==` }), "sha512"],
  ["of SHA-256", (content) => ({ content_hash: toDigest("sha256", content) }), "sha256"],
  [
    "of SHA-512 beside one of SHA-256",
    (content) => ({ content_hash: [toDigest("sha256", SOUND), toDigest("sha512", content)] }),
    "sha512",
  ],
  ["of an early version", signed, "sha512"],
])("a digest %s is that of the recording, or the vCon is rejected", async (_, of, kind) => {
  const store = await createArchive();
  const toVcon = (uuid: string, content: Buffer) => ({
    uuid,
    dialog: [{ type: "recording", start: START, url: "https://media.test/a.wav", ...of(content) }],
  });
  const path = await writeLines("two.jsonl", [toVcon("right", SOUND), toVcon("wrong", NOISE)]);
  await writeFile(join(dirname(path), "a.wav"), SOUND);

  const report = await importFiles({ store, paths: [path], format: "vcon" });

  expect(report).toMatchObject({ imported: 1, rejected: 1 });
  expect(await store.calls.recordings({ callId: "right" }, [])).toHaveLength(1);
  expect(report.firstRejections[0]?.reason).toContain(`has another content than its ${kind} says`);
});

test("odd content is no reason to refuse a vCon", async () => {
  const { record } = await importVcon({
    uuid: UUID,
    created_at: START,
    parties: [{ tel: 31201234567, name: { first: "Bo" }, role: ["agent"] }, {}],
    dialog: [
      { type: 7, parties: "all", originator: 99, duration: "long", meta: [], session_id: 5 },
      { type: "text", body: null },
      { type: "recording", duration: -1 },
    ],
    analysis: [
      { type: "transcript" },
      { type: "transcript", body: "{}" },
      { type: "transcript", transcript: "{}" },
      { type: "summary", body: {} },
    ],
    attachments: [{}, { body: "{" }, { body: '{"direction":"sideways"}' }],
    group: "none",
  });

  expect(record).toEqual({
    datetime: START,
    call_id: UUID,
    ref_id: UUID,
    ani: "31201234567",
    phone_number1: "31201234567",
  });
});

test("a folder of vCons, pretty or not, and files with one on each line", async () => {
  const store = await createArchive();
  const vcon = (uuid: string) => ({
    vcon: "0.0.1",
    uuid,
    parties: [],
    dialog: [{ type: "text", start: START, parties: [], body: "Hi" }],
  });
  const folder = dirname(await writeLines("lines.json", [vcon("1"), "", "{", vcon("2")]));
  await mkdir(join(folder, "deep"));
  await writeFile(
    join(folder, "deep", "pretty.vcon.json"),
    `\ufeff\r\n${JSON.stringify(vcon("3"), null, 2).replaceAll("\n", "\r\n")}`,
  );
  await writeFile(join(folder, "deep", "plain.vcon"), JSON.stringify(vcon("4")));
  await writeFile(join(folder, "readme.txt"), "no vCon");

  const report = await importFiles({ store, paths: [folder], format: "vcon" });
  const again = await importFiles({ store, paths: [folder], format: "vcon" });

  expect(report).toMatchObject({
    read: 5,
    imported: 4,
    rejected: 1,
    firstRejections: [{ file: join(folder, "lines.json"), line: 3 }],
  });
  expect(again).toMatchObject({ read: 5, unchanged: 4, rejected: 1 });
  for (const id of ["1", "2", "3", "4"]) {
    expect(await store.calls.byCallId(id, []), id).toHaveLength(1);
    expect(await store.calls.chat(id, []), id).toHaveLength(1);
  }
});

/** Imports one vCon; the record without the fields that are null. */
async function importVcon(vcon: object) {
  const store = await createArchive();
  const report = await importFiles({
    store,
    paths: [await writeLines("one.vcon", [vcon])],
    format: "vcon",
  });
  expect(report).toMatchObject({ read: 1, imported: 1, firstRejections: [] });
  const [record] = await store.calls.byReference(UUID, []);
  const filled = Object.entries(record ?? {}).filter(([, value]) => value !== null);
  return { store, record: Object.fromEntries(filled) as Partial<MetadataRecord> };
}
