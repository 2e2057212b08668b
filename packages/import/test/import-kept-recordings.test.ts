// A call that comes again keeps its recordings when the import says nothing of recordings, and has those of an import that does.
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, createFolder, writeLines } from "./support/archives.ts";
import { toWave } from "@call-media/test-setup/sounds";

const TWILIO_CALL = {
  sid: "c1",
  from: "+14155550101",
  to: "+18005550100",
  direction: "inbound",
  start_time: "2026-08-21T09:00:06Z",
  date_updated: "2026-08-21T09:05:00Z",
  status: "completed",
};
const TWILIO_RECORDING = { sid: "r1", call_sid: "c1", source: "RecordVerb", channels: 1 };

const GENESYS_CALL = {
  conversationId: "c1",
  conversationStart: "2026-08-21T09:00:06Z",
  conversationEnd: "2026-08-21T09:05:00Z",
  participants: [],
};
const GENESYS_RECORDING = { id: "r1", conversationId: "c1", media: "audio" };

interface Source {
  readonly call: object;
  /** The same call, of which the source tells more now. */
  readonly changed: object;
  readonly recording: object;
  readonly other: object;
}

const SOURCES: readonly [format: string, source: Source][] = [
  [
    "twilio",
    {
      call: TWILIO_CALL,
      changed: { ...TWILIO_CALL, to: "+18005550199", date_updated: "2026-08-21T10:00:00Z" },
      recording: TWILIO_RECORDING,
      other: { ...TWILIO_RECORDING, sid: "r2", call_sid: "c2" },
    },
  ],
  [
    "genesys",
    {
      call: GENESYS_CALL,
      changed: { ...GENESYS_CALL, originatingDirection: "outbound" },
      recording: GENESYS_RECORDING,
      other: { ...GENESYS_RECORDING, id: "r2", conversationId: "c2" },
    },
  ],
];

test.each(SOURCES)(
  "%s: without a word of recordings they stay, and the rest is replaced",
  async (_, source) => {
    const { store, bring, found } = await createFilled(source);
    const [before] = await store.calls.byCallId("c1", "everything");
    expect(await bring([source.call])).toMatchObject({ unchanged: 1 });
    expect(await bring([source.changed])).toMatchObject({ replaced: 1 });
    expect(await found()).toEqual(["r1.wav"]);
    const [after] = await store.calls.byCallId("c1", "everything");
    expect(after).toMatchObject({ recordings: "r1.wav; r9" });
    expect(after).not.toEqual(before);

    expect(await bring([source.changed])).toMatchObject({ unchanged: 1 });
  },
);

test.each(SOURCES)(
  "%s: an import that brings recordings, none of them the call's, does not take them away",
  async (_, source) => {
    const { store, bring, found } = await createFilled(source);
    const [before] = await store.calls.byCallId("c1", "everything");
    expect(await bring([source.changed, source.other])).toMatchObject({
      firstRejections: [
        { reason: expect.stringMatching(/leave its recording r1\.wav without one/) },
        { reason: expect.stringContaining("belongs to the call c2") },
      ],
    });

    expect(await found()).toEqual(["r1.wav"]);
    expect(await store.calls.byCallId("c1", "everything")).toEqual([before]);
  },
);

const LEGS = ["1", "2", "3"].map((n) => ({
  purpose: "agent",
  userId: `u${n}`,
  sessions: [{ sessionId: `s${n}`, segments: [{ segmentType: "interact" }] }],
}));

test("of a transferred conversation each leg keeps its own, also under another reference", async () => {
  const call = { ...GENESYS_CALL, participants: LEGS };
  const recordings = ["1", "2", "3"].map((n) => ({
    ...GENESYS_RECORDING,
    id: `r${n}`,
    sessionId: `s${n}`,
  }));
  const files = ["r1.wav", "r2.wav", "r3.wav"];
  const { bring, listOfLegs } = await createGenesys();
  await bring([call, ...recordings]);
  expect(await listOfLegs()).toEqual(files);
  await bring([{ ...call, conversationEnd: "2026-08-21T10:00:00Z" }]);
  expect(await listOfLegs()).toEqual(files);
  await bring([{ ...call, conversationEnd: "2026-08-21T11:00:00Z", externalTag: "t" }]);
  expect(await listOfLegs()).toEqual(files);
});

test("a recording that is named again is the leg's that has it now, without its file as well", async () => {
  const { bring, listOfLegs } = await createGenesys();
  await bring([GENESYS_CALL, GENESYS_RECORDING]);
  const later = { ...GENESYS_CALL, conversationEnd: "2026-08-21T10:00:00Z", participants: LEGS };
  await bring([later, { ...GENESYS_RECORDING, sessionId: "s2" }], await createFolder());
  expect(await listOfLegs()).toEqual(["", "", "r1.wav"]);
});

test.each<[string, object, string]>([
  ["no boolean", { keeps_recordings: 1 }, "keeps_recordings: must be true or false, not a number"],
  [
    "names",
    { keeps_recordings: true, recordings: "a" },
    "keeps_recordings: the entry gives recordings of its own",
  ],
  [
    "files",
    { keeps_recordings: true, media: [] },
    "keeps_recordings: the entry gives recordings of its own",
  ],
])("keeps_recordings with %s is rejected", async (_, fields, reason) => {
  const store = createArchive();
  const path = await writeLines("calls.jsonl", [{ kind: "call", call_id: "c1", ...fields }]);

  expect((await importFiles({ store, paths: [path] })).firstRejections).toMatchObject([{ reason }]);
});

async function createGenesys() {
  const store = createArchive();
  const folder = await createFolder();
  for (const name of ["r1.wav", "r2.wav", "r3.wav"]) await writeFile(join(folder, name), toWave());
  return {
    bring: async (records: readonly object[], mediaDirectory = folder) =>
      await importFiles({ store, paths: [await writeLines("all.jsonl", records)], mediaDirectory }),
    listOfLegs: async () =>
      (await store.calls.byCallId("c1", "everything"))
        .map(({ recordings }) => recordings ?? "")
        .toSorted(),
  };
}

/** With the call, a recording of it that has a file, and one, r9, that has none. */
async function createFilled({ call, recording }: Source) {
  const store = createArchive();
  const mediaDirectory = await createFolder();
  await writeFile(join(mediaDirectory, "r1.wav"), toWave());
  const bring = async (records: readonly object[]) =>
    await importFiles({ store, paths: [await writeLines("all.jsonl", records)], mediaDirectory });
  const found = async () =>
    (await store.calls.recordings({ callId: "c1" }, "everything")).map(({ filename }) => filename);
  const id = "sid" in recording ? { sid: "r9" } : { id: "r9" };
  await bring([call, recording, { ...recording, ...id }]);
  expect(await found()).toEqual(["r1.wav"]);
  return { store, bring, found };
}

test("the report of an import tells what it could not remove from the archive", async () => {
  const archive = createArchive();
  const discard = async () => {
    throw new Error("EACCES: permission denied");
  };
  const store = { ...archive, maintenance: { ...archive.maintenance, discard } };
  const bring = async (file: string) => {
    const path = await writeLines("a.jsonl", [{ kind: "call", call_id: "1", media: [{ file }] }]);
    await writeFile(join(dirname(path), file), file);
    return await importFiles({ store, paths: [path] });
  };
  expect(await bring("a.wav")).toMatchObject({ imported: 1 });
  expect(await bring("b.wav")).toMatchObject({
    rejected: 1,
    notices: [{ text: expect.stringMatching(/stay in the archive.*EACCES/), rows: 1 }],
  });
});
