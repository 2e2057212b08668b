// The sound of recordings in an archive: kept at import, looked at by verify where nobody did, and named by verify and doctor.
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { toWave } from "@call-media/test-setup/sounds";
import { expect, test } from "vitest";
import { toKnownSound } from "../src/values/stored-sound.ts";
import { call, fill } from "../src/suite/records.ts";
import { createArchive } from "./support/archives.ts";
import { examine, verifyMedia } from "./support/maintenance.ts";

const WAVE = toWave({ seconds: 2 });
const SILENT = Buffer.concat([WAVE.subarray(0, 44), Buffer.alloc(WAVE.length - 44)]);

const CONTENTS: Readonly<Record<string, Uint8Array>> = {
  "cut.wav": WAVE.subarray(0, WAVE.length / 2),
  "good.wav": WAVE,
  "page.wav": Buffer.from("<html>401</html>"),
  "silent.wav": SILENT,
};

async function createHeard() {
  const { directory, ...store } = await createArchive();
  for (const [filename, content] of Object.entries(CONTENTS)) {
    const media = await store.media.put({ name: filename, content });
    await fill(store, [call({ call_id: filename }, { recordings: [{ filename, media }] })]);
  }
  return { directory, ...store };
}

const FOUND = [
  "cut.wav: ends early: 50 % of what its header announces is there",
  "silent.wav: is silent from beginning to end",
];

const name = ({ soundFaults }: Awaited<ReturnType<typeof verifyMedia>>) =>
  soundFaults.map(({ callId, fault }) => `${callId}: ${fault}`).toSorted();

test("faults are named by verify and the doctor, which read none of it again", async () => {
  const { directory } = await createHeard();
  const report = await verifyMedia({ directory });
  expect(name(report)).toEqual(FOUND);
  expect(report).toMatchObject({ damages: [], unheard: 0, nonAudio: [{ fault: "an HTML page" }] });
  const findings = await examine(directory);
  expect(findings.map(({ what }) => what).toSorted()).toEqual([
    "recordings are not audio: 1 file",
    "recordings are silent from beginning to end: 1 file",
    "recordings end early: 1 file",
  ]);
});

test("an archive of before knows nothing, and verify looks where nobody did", async () => {
  const { directory, calls } = await createHeard();
  {
    using database = new DatabaseSync(join(directory, "archive.db"));
    database.exec("UPDATE media SET sound = NULL");
  }
  expect(await verifyMedia({ directory })).toMatchObject({
    soundFaults: [],
    unheard: 4,
    nonAudio: [{ fault: "an HTML page" }],
  });
  const found = await verifyMedia({ directory, hears: true });
  expect(name(found)).toEqual(FOUND);
  expect(found.unheard).toBe(0);
  const [kept] = await calls.recordings({ callId: "silent.wav" }, "everything");
  expect(kept?.media.sound).toMatchObject({ durationMs: 2_000, findings: [{ kind: "silent" }] });
  expect(await verifyMedia({ directory })).toMatchObject({ unheard: 0 });
});

test("stored facts without a number for their duration are not known: it is looked again", () => {
  const facts = { version: 1, container: "webm", findings: [], durationMs: Infinity };
  expect(toKnownSound(JSON.stringify(facts))).toEqual({});
  expect(toKnownSound(JSON.stringify({ ...facts, durationMs: 7 }))).toHaveProperty("sound");
});
