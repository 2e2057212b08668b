// A reject names all fields of its row that are missing or wrong, wherever they are checked.
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { toWave } from "@call-media/test-setup/sounds";
import { expect, test } from "vitest";
import { explainFiles, importFiles, type ImportOptions } from "../src/index.ts";
import { createArchive, writeLines } from "./support/archives.ts";
import { importCsv } from "./support/csv.ts";

const DURATION = "is not a duration: give seconds, MM:SS or HH:MM:SS";

const MAPPING = {
  mapping: 2,
  fields: {
    call_id: "{Call}",
    datetime: "{Start}",
    revised: { from: "{Changed}", format: "dd.MM.yyyy" },
    talk_time: "{Talk}",
    handle_time: "{Handle}",
  },
};
const TABLE = [
  "Call,Start,Changed,Talk,Handle",
  "A,2026-08-21T09:00:00Z,21.08.2026,60,90",
  "B\u200b,noon,21/08/2026,soon,late",
];
const REASON = [
  'revised: "21/08/2026" is not a date and time of the form "dd.MM.yyyy"',
  `talk_time: "soon" ${DURATION}`,
  `handle_time: "late" ${DURATION}`,
  'datetime: "noon" is not an ISO 8601 date and time',
  "call_id: has an invisible character, U+200B, by which nobody would find it: remove it in the source",
].join("; ");

test("of a table by a mapping", async () => {
  const report = await importCsv(createArchive(), MAPPING, TABLE);

  expect(report).toMatchObject({ imported: 1, rejected: 1, firstRejections: [{ reason: REASON }] });
});

test("also when it is explained", async () => {
  const paths = [await writeLines("log.csv", TABLE)];
  const mappingFile = await writeLines("map.json", [MAPPING]);

  const { files } = await explainFiles({ paths, mappingFile, timeZone: "UTC" });

  expect(files).toMatchObject([{ unfit: 1, firstUnfit: [`${paths[0]}:3: ${REASON}`] }]);
});

test("of turns that a mapping reads, and a field that cannot be read is not missing as well", async () => {
  const fields = {
    call_id: "{Call}",
    datetime: { from: "{At}", format: "dd.MM.yyyy HH:mm" },
    party_type: "{Party}",
    room_id: "{Room}",
  };
  const mapping = { mapping: 2, kind: "chat", fields };
  const lines = ["Call,At,Party,Room", "A,21.08.2026 09:00,agent,1", "A,noon,,"];
  const report = await importCsv(createArchive(), mapping, lines);

  expect(report.firstRejections.map(({ reason }) => reason)).toEqual([
    'datetime: "noon" is not a date and time of the form "dd.MM.yyyy HH:mm"; party_type: missing; room_id: missing',
  ]);
});

test("of a platform's record without identifier, and of a mapping that adds to it", async () => {
  const contact = { contactId: 7, masterContactId: 7, contactStart: "2026-08-21T09:00:00Z" };
  const { contactId: _, ...nameless } = contact;
  const paths = [
    await writeLines("contacts.json", [
      [contact, { ...nameless, contactStart: "noon", agentSeconds: "soon", spent: "late" }],
    ]),
  ];
  const mappingFile = await writeLines("map.json", [
    { mapping: 2, fields: { agent: { from: "{spent}", as: "duration" } }, optional: ["spent"] },
  ]);
  const report = await importFiles({
    store: createArchive(),
    paths,
    format: "nice-contacts",
    mappingFile,
  });

  const [{ reason } = { reason: "" }] = report.firstRejections;
  expect(reason.split("; ").map((fault) => fault.split(":")[0])).toEqual([
    "talk_time",
    "handle_time",
    "contactId",
    "agent",
    "datetime",
  ]);
});

test("of a vCon, and of a conversation of Genesys Cloud", async () => {
  const dialog = [
    { type: "text", body: "???", encoding: "base64url", start: "noon" },
    { type: "recording", filename: "a.wav", encoding: "none", body: "x" },
    { type: "recording", body: "AAAA", encoding: "base64url", content_hash: "sha256-x" },
  ];
  const metrics = [
    { name: "tTalkComplete", value: "soon" },
    { name: "tHandle", value: "late" },
  ];
  const conversation = {
    conversationId: "A",
    conversationStart: "2026-08-21T09:00:00Z",
    participants: [
      { purpose: "agent", sessions: [{ segments: [{ segmentType: "interact" }], metrics }] },
      { purpose: "customer", sessions: "none" },
    ],
  };
  const files = {
    vcon: [{ vcon: "0.0.1", uuid: "u", parties: [], dialog }],
    "0.9": [{ vcon: "0.9", uuid: 7, parties: {}, dialog: [7] }],
    genesys: [conversation],
  };
  const keys: Record<string, readonly (string | undefined)[]> = {};
  for (const [name, lines] of Object.entries(files)) {
    const paths = [await writeLines(`${name}.json`, lines)];
    const format = name === "genesys" ? name : "vcon";
    const { firstRejections } = await importFiles({ store: createArchive(), paths, format });
    const [{ reason } = { reason: "" }] = firstRejections;
    keys[name] = reason.split("; ").map((fault) => fault.split(":")[0]);
  }
  expect(keys).toEqual({
    vcon: ["dialog[0].start", "dialog[0].body", "dialog[1].encoding", "dialog[2].content_hash"],
    "0.9": ["vcon", "uuid", "parties", "dialog[0]"],
    genesys: ["sessions", "tTalkComplete", "tHandle"],
  });
});

test("of its recordings that are missing", async () => {
  const media = [{ file: "a.wav" }, { file: "b.wav" }];
  const paths = [await writeLines("calls.jsonl", [{ kind: "call", call_id: "A", media }])];
  const report = await importFiles({ store: createArchive(), paths, format: "jsonl" });

  const [{ reason } = { reason: "" }] = report.firstRejections;
  expect(reason).toMatch(/^media: "a\.wav" .*; media: "b\.wav" /);
});

test("numbers of too many digits are read as text, also next to a fault", async () => {
  const paths = [
    await writeLines("calls.json", [
      '[{"contactId":12345678901234567890,"masterContactId":7,"contactStart":"2026-08-21T09:00:00Z"},',
      '{"contactId":12345678901234567891,"masterContactId":7,"contactStart":"noon"}]',
    ]),
  ];
  const store = createArchive();
  const report = await importFiles({ store, paths, format: "nice-contacts" });

  expect(report).toMatchObject({ imported: 1, rejected: 1 });
  expect(report.firstRejections[0]?.reason).toBe(
    'datetime: "noon" is not an ISO 8601 date and time',
  );
  expect(await store.calls.byCallId("12345678901234567890", "everything")).toHaveLength(1);
});

test("of its fields and its recordings, found by name or missing", async () => {
  const path = await writeLines("calls.csv", [
    "Call,Talk,File",
    "A,soon,gone",
    "B,soon,found",
    "C,60,gone",
  ]);
  await writeFile(join(dirname(path), "found.wav"), toWave());
  const fields = { call_id: "{Call}", talk_time: "{Talk}" };
  const mappingFile = await writeLines("map.json", [{ fields, media: ["{File}"] }]);
  const bring = async (file: string, options: Partial<ImportOptions>) => {
    const report = await importFiles({ store: createArchive(), paths: [file], ...options });
    return report.firstRejections.map(({ reason }) => reason);
  };
  const [talk, media] = [`talk_time: "soon" ${DURATION}`, 'media: "gone" does not exist'];
  expect(await bring(path, { mappingFile })).toEqual([`${talk}; ${media}`, talk, media]);
  expect(await bring(path, { mappingFile, missingMedia: "name" })).toEqual([talk, talk]);

  const call = { kind: "call", call_id: "D", datetime: "noon", media: [{ file: "gone.wav" }] };
  const optional = { ...call, media: [{ file: "gone.wav", optional: true }] };
  const own = await writeLines("calls.jsonl", [call, optional]);
  const datetime = 'datetime: "noon" is not an ISO 8601 date and time';
  const missing = 'media: "gone.wav" does not exist';
  expect(await bring(own, {})).toEqual([`${datetime}; ${missing}`, datetime]);
  expect(await bring(own, { missingMedia: "reject" })).toEqual([
    `${datetime}; ${missing}`,
    `${datetime}; ${missing}`,
  ]);
});
