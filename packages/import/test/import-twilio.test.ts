// Calls and recordings of Twilio: what its API lists is what the archive has, each call with the recordings made of it.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { importFiles, type ImportOptions } from "../src/index.ts";
import { createArchive, createFolder, writeLines } from "./support/archives.ts";
import { toRecord } from "./support/records.ts";
import { toWave } from "@call-media/test-setup/sounds";

const CALL = {
  sid: "CA1",
  parent_call_sid: "CA0",
  account_sid: "AC1",
  date_created: "Fri, 21 Aug 2026 09:00:00 +0000",
  date_updated: "Fri, 21 Aug 2026 09:05:00 +0000",
  start_time: "Fri, 21 Aug 2026 09:00:06 +0000",
  end_time: "Fri, 21 Aug 2026 09:02:09 +0000",
  from: "+14155550101",
  to: "+18005550100",
  status: "completed",
  duration: "123",
  direction: "inbound",
  price: null,
  subresource_uris: {},
};

const RECORDING = {
  sid: "RE1",
  call_sid: "CA1",
  start_time: "Fri, 21 Aug 2026 09:00:10 +0000",
  source: "RecordVerb",
  channels: 1,
  duration: "100",
  status: "completed",
};

const EXPECTED = toRecord({
  call_id: "CA1",
  ref_id: "CA0",
  datetime: "2026-08-21T09:00:06Z",
  ani: "+14155550101",
  dnis: "+18005550100",
  call_type: "inbound",
  media: "voice",
  disposition: "completed",
  talk_time: 123,
});

test("a call is found by its own identifier and by that of the call it was made from", async () => {
  const store = createArchive();
  const parent = { ...CALL, sid: "CA0", parent_call_sid: null };
  const path = await writeLines("calls.json", [{ calls: [CALL, parent], page: 0 }]);

  expect(await importFiles({ store, paths: [path] })).toMatchObject({ read: 2, imported: 2 });
  expect(await store.calls.byCallId("CA1", "everything")).toEqual([EXPECTED]);
  expect(await store.calls.byReference("CA0", "everything")).toHaveLength(2);
});

const AS_CAMEL_CASE = {
  sid: "CA1",
  parentCallSid: "CA0",
  dateUpdated: "2026-08-21T09:05:00.000Z",
  startTime: "2026-08-21T09:00:06.000Z",
  from: "+14155550101",
  to: "+18005550100",
  status: "completed",
  duration: "123",
  direction: "inbound",
};

test.each<[string, readonly object[], string]>([
  ["an array", [[CALL]], "2026-08-21T09:00:06Z"],
  ["one call", [CALL], "2026-08-21T09:00:06Z"],
  ["calls on lines", [CALL, { ...CALL, sid: "CA2" }], "2026-08-21T09:00:06Z"],
  ["what the libraries and the command line print", [[AS_CAMEL_CASE]], "2026-08-21T09:00:06.000Z"],
])("%s is read", async (_, lines, datetime) => {
  const store = createArchive();
  const path = await writeLines("calls.json", lines);
  expect(await importFiles({ store, paths: [path] })).toMatchObject({ rejected: 0 });
  expect(await store.calls.byCallId("CA1", "everything")).toEqual([{ ...EXPECTED, datetime }]);
});

test.each(["before", "behind", "among"])(
  "recordings %s the calls find them, and their files by their names",
  async (place) => {
    const store = createArchive();
    const mediaDirectory = await createFolder();
    await writeFile(join(mediaDirectory, "RE2.wav"), toWave());
    const earlier = { ...RECORDING, sid: "RE2", start_time: "Fri, 21 Aug 2026 09:00:07 +0000" };
    await writeFile(join(mediaDirectory, "RE1.mp3"), toWave({ seconds: 1 }));
    const calls = await writeLines("calls.json", [{ calls: [CALL] }]);
    const recordings = await writeLines("recordings.json", [{ recordings: [RECORDING, earlier] }]);
    const among = await writeLines("all.jsonl", [RECORDING, CALL, earlier]);
    const paths = { before: [recordings, calls], behind: [calls, recordings], among: [among] };

    const report = await importFiles({
      store,
      paths: paths[place as keyof typeof paths], // those of the table above
      mediaDirectory,
    });
    expect(report).toMatchObject({ read: 1, imported: 1 });
    const found = await store.calls.recordings({ callId: "CA1" }, "everything");
    expect(found.map(({ filename }) => filename)).toEqual(["RE2.wav", "RE1.mp3"]);
  },
);

test("of a recording without a file the call keeps the name", async () => {
  const store = createArchive();
  await importFiles({ store, paths: [await writeLines("all.jsonl", [CALL, RECORDING])] });
  expect(await store.calls.byCallId("CA1", "everything")).toEqual([
    { ...EXPECTED, recordings: "RE1" },
  ]);
});

test("beside a recording with a file the call keeps the names of those without", async () => {
  const store = createArchive();
  const path = await writeLines("all.jsonl", [CALL, RECORDING, { ...RECORDING, sid: "RE0" }]);
  const options = { store, paths: [path], mediaDirectory: dirname(path) };
  await writeFile(join(dirname(path), "RE1.wav"), toWave());
  await importFiles(options);
  const names = async () => (await store.calls.byCallId("CA1", "everything"))[0]?.recordings;
  expect(await names()).toBe("RE1.wav; RE0");
  expect(await importFiles(options)).toMatchObject({ unchanged: 1 });

  await writeFile(join(dirname(path), "RE0.wav"), toWave({ seconds: 1 }));
  await importFiles(options);
  expect(await names()).toBe("RE0.wav; RE1.wav");
});

test("a recording that no call comes with is rejected, and says which call it wants", async () => {
  const stray = { ...RECORDING, call_sid: "CA9" };
  const report = await importOne([CALL, stray]);
  expect(report).toMatchObject({ read: 2, imported: 1, rejected: 1 });
  expect(report.firstRejections[0]?.reason).toBe(
    "recording: it belongs to the call CA9, which is not imported with it: give the file of the calls as well",
  );
});

test("calls may come through a pipe; recordings find them in files alone, and say so", async () => {
  const store = createArchive();
  const pipe = join(await createFolder(), "pipe");
  await promisify(execFile)("mkfifo", [pipe]);
  const [report] = await Promise.all([
    importFiles({ store, paths: [pipe], format: "twilio" }),
    writeFile(pipe, [CALL, RECORDING].map((record) => JSON.stringify(record)).join("\n")),
  ]);
  expect(report).toMatchObject({ read: 2, imported: 1, rejected: 1 });
  expect(report.firstRejections[0]?.reason).toBe(
    "recording: it belongs to the call CA1, which no file has that can be read twice: give files instead of a pipe",
  );
});

test.each([
  [{ start_time: "noon" }, 'datetime: "noon" is not an ISO 8601 date and time'],
  [{ duration: "long" }, 'talk_time: "long" is not a duration: give seconds, MM:SS or HH:MM:SS'],
])("%j is rejected", async (change, reason) => {
  const report = await importOne([CALL, { ...CALL, ...change }]);
  expect(report).toMatchObject({ imported: 1, rejected: 1, firstRejections: [{ reason }] });
});

test("a call that was running is replaced by what became of it, also when that came first", async () => {
  const store = createArchive();
  const running = {
    ...CALL,
    status: "in-progress",
    duration: null,
    start_time: null,
    date_updated: "Fri, 21 Aug 2026 09:00:00 +0000",
  };
  for (const call of [running, CALL, running])
    await importFiles({ store, paths: [await writeLines("call.json", [call])] });
  expect(await store.calls.byCallId("CA1", "everything")).toEqual([EXPECTED]);
});

const second = fc
  .integer({ min: Date.UTC(2015, 0) / 1_000, max: Date.UTC(2026, 0) / 1_000 })
  .map((seconds) => new Date(seconds * 1_000));
const toRfc2822 = (date: Date) => date.toUTCString().replace("GMT", "+0000");
const number = fc
  .string({ minLength: 1 })
  .map((text) => text.trim())
  .filter((text) => text !== "");
const written = fc.uniqueArray(
  fc.record({
    sid: fc.nat().map((n) => `CA${n}`),
    from: number,
    to: number,
    start: second,
    duration: fc.nat(100_000),
    recordings: fc.uniqueArray(
      fc.nat(99).map((n) => `RE${n + 100}`),
      { maxLength: 3 },
    ),
  }),
  { selector: ({ sid }) => sid, minLength: 1, maxLength: 6 },
);

test("whatever is listed as Twilio lists it is what the archive has", async () => {
  const store = createArchive();
  await fc.assert(
    fc.asyncProperty(written, async (calls) => {
      const listed = calls.map(({ sid, from, to, start, duration }) => {
        const times = { start_time: toRfc2822(start), duration: String(duration) };
        return { sid, from, to, direction: "outbound-api", ...times };
      });
      const recordings = calls.flatMap(({ sid, recordings: sids }) =>
        sids.map((re) => ({ ...RECORDING, sid: re + sid, call_sid: sid })),
      );
      const paths = [
        await writeLines("a.json", [{ recordings }]),
        await writeLines("b.json", [{ calls: listed }]),
      ];
      const report = await importFiles({ store, paths, format: "twilio" });
      expect(report).toMatchObject({ read: calls.length, rejected: 0 });
      for (const { sid, from, to, start, duration, recordings: sids } of calls)
        expect(await store.calls.byCallId(sid, "everything")).toContainEqual(
          toRecord({
            call_id: sid,
            datetime: start.toISOString().replace(".000", ""),
            ani: from,
            dnis: to,
            call_type: "outbound-api",
            media: "voice",
            talk_time: duration,
            recordings:
              sids.length === 0
                ? null
                : sids
                    .toSorted()
                    .map((re) => re + sid)
                    .join("; "),
          }),
        );
    }),
    { numRuns: 20 },
  );
});

async function importOne(lines: readonly object[], options: Partial<ImportOptions> = {}) {
  const store = createArchive();
  const path = await writeLines("all.jsonl", lines);
  return await importFiles({ store, paths: [path], mediaDirectory: dirname(path), ...options });
}
