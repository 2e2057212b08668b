// Call detail records of FreePBX, with the recordings that lie where it puts them.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { importFiles } from "../src/index.ts";
import { createArchive, createFolder, writeLines } from "./support/archives.ts";
import { toRecord } from "./support/records.ts";
import { cellText, toDatetime, toLines, wholeSecond } from "./support/tables.ts";

const ROW = {
  calldate: "2026-08-21 09:00:06",
  clid: '"Ann Lee" <7275550107>',
  src: "7275550107",
  dst: "2002",
  dcontext: "ext-queues",
  channel: "PJSIP/trunk-1",
  dstchannel: "PJSIP/2002-2",
  lastapp: "Dial",
  lastdata: "PJSIP/2002,20",
  duration: "64",
  billsec: "60",
  disposition: "ANSWERED",
  amaflags: "3",
  accountcode: "care",
  uniqueid: "1787302806.12",
  userfield: "note",
  did: "8005550100",
  recordingfile: "in-8005550100-7275550107-20260821-090006-1787302806.12.wav",
  cnum: "7275550107",
  cnam: "Ann Lee",
  outbound_cnum: "",
  outbound_cnam: "",
  dst_cnam: "Bo Diaz",
  linkedid: "1787302806.10",
  peeraccount: "",
  sequence: "3",
};

test("a call that came in by a number: who took it, and the recording of its day", async () => {
  const { store, mediaDirectory } = await createMedia(`2026/08/21/${ROW.recordingfile}`);
  const paths = [await writeLines("cdr.csv", toLines([ROW]))];
  expect(await importFiles({ store, paths, mediaDirectory })).toMatchObject({
    read: 1,
    imported: 1,
  });
  expect(await store.calls.byReference("1787302806.10", "everything")).toEqual([
    toRecord({
      call_id: "1787302806.12",
      ref_id: "1787302806.10",
      datetime: "2026-08-21 09:00:06",
      ani: "7275550107",
      dnis: "8005550100",
      agent: "2002",
      agent_name: "Bo Diaz",
      campaign: "care",
      skill: "ext-queues",
      disposition: "ANSWERED",
      talk_time: 60,
      handle_time: 60,
      ivr_path: "Dial",
      media: "voice",
      custom_field_1: "note",
      recordings: ROW.recordingfile,
    }),
  ]);
  expect(await store.calls.recordings({ callId: "1787302806.12" }, "everything")).toHaveLength(1);
});

test.each<[what: string, fields: Partial<typeof ROW>, agent: string | null, name: string | null]>([
  ["a queue", { dst: "200", dstchannel: "Local/201@from-queue-0001;1" }, "201", "Bo Diaz"],
  ["a queue that nobody answered", { dst: "200", dstchannel: "" }, null, "Bo Diaz"],
  ["follow me", { dst: "201", dstchannel: "Local/FMPR-201@from-internal-02;1" }, "201", "Bo Diaz"],
  ["a ring group, not answered", { disposition: "NO ANSWER" }, null, "Bo Diaz"],
  ["an extension with a name", { dst: "bo", dstchannel: "SIP/bo-0000001f" }, "bo", "Bo Diaz"],
  [
    "a call out",
    { channel: "PJSIP/201-10", dstchannel: "PJSIP/line-1", src: "201" },
    "201",
    "Ann Lee",
  ],
  ["a call through", { dstchannel: "PJSIP/line-1" }, null, "Bo Diaz"],
])("the agent of %s", async (_, fields, agent, name) => {
  const store = createArchive();
  const row = { ...ROW, recordingfile: "", ...fields };
  await importFiles({ store, paths: [await writeLines("cdr.csv", toLines([row]))] });
  expect(await store.calls.byCallId(ROW.uniqueid, "everything")).toMatchObject([
    { agent, agent_name: name },
  ]);
});

test.each<[recordingfile: string, file: string, count: number, name: string]>([
  ["a.wav", "a.wav", 1, "a.wav"],
  ["/var/spool/asterisk/monitor/2026/08/21/a.wav", "2026/08/21/a.wav", 1, "a.wav"],
  ["a.wav", "2026/08/22/a.wav", 0, "a.wav"],
  ["../outside.wav", "outside.wav", 1, "outside.wav"],
  ["..", "a.wav", 0, ".."],
])("the recording %j, where there is %j", async (recordingfile, file, count, name) => {
  const { store, mediaDirectory } = await createMedia(file);
  const paths = [await writeLines("cdr.csv", toLines([{ ...ROW, recordingfile }]))];
  expect(await importFiles({ store, paths, mediaDirectory })).toMatchObject({ imported: 1 });
  expect(await store.calls.recordings({ callId: ROW.uniqueid }, "everything")).toHaveLength(count);
  const [call] = await store.calls.byCallId(ROW.uniqueid, "everything");
  expect(call?.recordings).toBe(name);
});

const record = fc.record({
  uniqueid: fc.nat().map((count) => `1787302806.${count}`),
  atMs: wholeSecond,
  src: cellText,
  dst: cellText,
  did: fc.option(cellText, { nil: "" }),
  dst_cnam: cellText,
  accountcode: cellText,
  billsec: fc.nat(86_400),
});

test("whatever is written as FreePBX writes it is what the archive has", async () => {
  const store = createArchive();
  const records = fc.uniqueArray(record, {
    selector: ({ uniqueid }) => uniqueid,
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(records, async (written) => {
      const rows = written.map(({ atMs, billsec, ...fields }) => ({
        ...ROW,
        ...fields,
        calldate: toDatetime(atMs, " "),
        billsec: String(billsec),
        recordingfile: "",
      }));
      const report = await importFiles({
        store,
        paths: [await writeLines("cdr.csv", toLines(rows))],
      });
      expect(report).toMatchObject({ read: written.length, rejected: 0 });
      for (const one of written) {
        const isIncoming = one.did !== "";
        expect(await store.calls.byCallId(one.uniqueid, "everything")).toContainEqual(
          expect.objectContaining({
            datetime: toDatetime(one.atMs, " "),
            ani: one.src,
            dnis: isIncoming ? one.did : one.dst,
            agent: "2002",
            agent_name: one.dst_cnam,
            campaign: one.accountcode,
            talk_time: one.billsec,
          }),
        );
      }
    }),
    { numRuns: 25 },
  );
});

async function createMedia(file: string) {
  const mediaDirectory = await createFolder();
  await mkdir(dirname(join(mediaDirectory, file)), { recursive: true });
  await writeFile(join(mediaDirectory, file), "sound");
  return { store: createArchive(), mediaDirectory };
}
