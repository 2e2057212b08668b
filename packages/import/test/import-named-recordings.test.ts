// A call that comes again and names recordings whose files are not there any more, or were not given this time: what the
// archive has under these names stays, whatever the format.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import type { CallStore } from "@call-media/store";
import { createArchive, createFolder, writeLines } from "./support/archives.ts";
import { toWave } from "@call-media/test-setup/sounds";
import { toLines } from "./support/tables.ts";

const FREEPBX = {
  calldate: "2026-08-21 09:00:06",
  clid: "100",
  src: "100",
  dcontext: "care",
  lastapp: "Dial",
  disposition: "ANSWERED",
  uniqueid: "c1",
  recordingfile: "/monitor/r1.wav",
};
const CONNECT = {
  ContactId: "c1",
  InitiationTimestamp: "2026-08-21T09:00:06Z",
  LastUpdateTimestamp: "2026-08-21T09:05:00Z",
  Recordings: [{ Location: "bucket/calls/r1.wav" }],
};
const RINGCENTRAL = {
  id: "c1",
  sessionId: "s1",
  startTime: "2026-08-21T09:00:06Z",
  lastModifiedTime: "2026-08-21T09:05:00Z",
  direction: "Inbound",
  recording: { id: "r1" },
};
const VCON = {
  vcon: "0.0.1",
  uuid: "c1",
  parties: [],
  dialog: [{ type: "recording", start: "2026-08-21T09:00:06Z", filename: "r1.wav" }],
};
const LATER = "2026-08-21T10:00:00Z";

test.each<
  [name: string, before: readonly (string | object)[], after: readonly (string | object)[]]
>([
  ["cdr.csv", toLines([FREEPBX]), toLines([{ ...FREEPBX, disposition: "BUSY" }])],
  ["contacts.jsonl", [CONNECT], [{ ...CONNECT, LastUpdateTimestamp: LATER, Channel: "VOICE" }]],
  ["log.jsonl", [RINGCENTRAL], [{ ...RINGCENTRAL, lastModifiedTime: LATER, result: "Accepted" }]],
  ["calls.vcon", [VCON], [{ ...VCON, subject: "x", analysis: [{ type: "summary", body: "x" }] }]],
])("%s: the recording stays, and the rest is replaced", async (name, before, after) => {
  const store = createArchive();
  const mediaDirectory = await createMedia("r1.wav");
  const bring = async (lines: readonly (string | object)[]) =>
    await importFiles({ store, paths: [await writeLines(name, lines)] });
  const paths = [await writeLines(name, before)];
  await importFiles({ store, paths, mediaDirectory });
  const [first] = await store.calls.byCallId("c1", "everything");

  expect(await bring(before)).toMatchObject({ unchanged: 1 });
  expect(await bring(after)).toMatchObject({ replaced: 1 });
  expect(await listRecordings(store)).toEqual(["r1.wav"]);
  const [last] = await store.calls.byCallId("c1", "everything");
  expect(last).toMatchObject({ recordings: "r1.wav" });
  expect(last).not.toEqual(first);
  expect(await bring(after)).toMatchObject({ unchanged: 1 });
});

const call = (fields: object) => ({ kind: "call", call_id: "c1", agent: "ann", ...fields });

test("of several, those that have a file are the file's, in the order of their starts", async () => {
  const store = createArchive();
  const media = [
    { file: "r1.wav", start: "2026-08-21T09:00:06Z" },
    { file: "r2.wav", start: "2026-08-21T09:02:00Z" },
  ];
  const bring = createBring(store, await createMedia("r1.wav", "r2.wav"));
  await bring([call({ media, notes: "a" })]);
  await bring([call({ media: media.slice(1), recordings: "r2.wav; r1.wav; r3.wav", notes: "b" })]);

  expect(await listRecordings(store)).toEqual(["r1.wav", "r2.wav"]);
  expect(await store.calls.byCallId("c1", "everything")).toMatchObject([
    { recordings: "r1.wav; r2.wav; r3.wav", notes: "b" },
  ]);
});

test("legs that their identity tells apart keep their own, in whatever order they come", async () => {
  const store = createArchive();
  const bring = createBring(store, await createMedia("r1.wav", "r2.wav"));
  const leg = (name: string, fields: object) => call({ identity: [name], ...fields });
  await bring(["r1.wav", "r2.wav"].map((file) => leg(file, { media: [{ file }] })));
  const named = ["r2.wav", "r1.wav"].map((recordings) => leg(recordings, { recordings }));

  expect(await bring(named)).toMatchObject({ unchanged: 2 });
  expect(await listRecordings(store)).toEqual(["r1.wav", "r2.wav"]);
});

test("a recording that is not named any more is not lost, nor another call's", async () => {
  const store = createArchive();
  const bring = createBring(store, await createMedia("r1.wav"));
  await bring([call({ media: [{ file: "r1.wav" }] }), call({ agent: "bob" })]);
  expect(
    await bring([call({ recordings: "r2.wav" }), call({ agent: "bob", recordings: "r1.wav" })]),
  ).toMatchObject({ replaced: 1, rejected: 1 });

  expect(await listRecordings(store)).toEqual(["r1.wav"]);
});

async function createMedia(...files: readonly string[]): Promise<string> {
  const folder = await createFolder();
  for (const [index, file] of files.entries())
    await writeFile(join(folder, file), toWave({ seconds: index + 1 }));
  return folder;
}

function createBring(store: CallStore, mediaDirectory: string) {
  return async (lines: readonly object[]) => {
    const paths = [await writeLines("calls.jsonl", lines)];
    return await importFiles({ store, paths, mediaDirectory });
  };
}

async function listRecordings(store: CallStore): Promise<string[]> {
  const found = await store.calls.recordings({ callId: "c1" }, "everything");
  return found.map(({ filename }) => filename);
}
