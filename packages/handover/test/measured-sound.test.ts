// What is measured of a recording that goes along, and where it stands: manifest, report and spreadsheet.
import { read, utils } from "@e965/xlsx";
import { expect, test } from "vitest";
import {
  createCallSheet,
  createFileCount,
  type ManifestEntry,
  measureSound,
  NO_FILE,
  toFindings,
} from "../src/index.ts";
import { toCall } from "./support/calls.ts";

const RATE = 8_000;
const SECONDS = 20;

type Spans = readonly (readonly [from: number, to: number])[];

/** PCM of 16 bits: each channel has bursts like syllables in its spans, and faint noise elsewhere; none: zeros. */
function toWav(...channels: readonly Spans[]): Uint8Array<ArrayBuffer> {
  const data = Buffer.alloc(2 * channels.length * RATE * SECONDS);
  for (const [channel, spans] of channels.entries())
    for (let frame = 0; frame < RATE * SECONDS && spans.length > 0; frame++) {
      const second = frame / RATE;
      const speaks = spans.some(([from, to]) => second >= from && second < to);
      const syllable = Math.abs(Math.sin(Math.PI * 4 * second));
      const level = speaks ? 2_000 + 6_000 * syllable : 8;
      const sample = Math.round(level * Math.sin(frame * (0.4 + 0.1 * channel)));
      data.writeInt16LE(sample, 2 * (frame * channels.length + channel));
    }
  const head = Buffer.alloc(44);
  head.write("RIFF");
  head.writeUInt32LE(36 + data.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels.length, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(2 * channels.length * RATE, 28);
  head.writeUInt16LE(2 * channels.length, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36);
  head.writeUInt32LE(data.length, 40);
  return new Uint8Array(Buffer.concat([head, data]));
}

const measure = (bytes: Uint8Array<ArrayBuffer>, filename = "a.wav", contentType = "audio/wav") =>
  measureSound(new Blob([bytes]).stream(), { filename, contentType });

const TALK = toWav(
  [
    [0, 8],
    [16, 20],
  ],
  [[6, 10]],
);

test("length, talk share, longest silence and overtalk of two channels", async () => {
  const sound = await measure(TALK);
  expect(sound).toMatchObject({ duration_ms: 20_000, codec: "pcm", channels: 2, findings: [] });
  const { talk_percent: [agent = 0, customer = 0] = [], ...rest } = sound;
  // 12 and 4 of 20 seconds; 2 of 14 seconds with speech; from 10 to 16.
  expect(Math.abs(agent - 60)).toBeLessThanOrEqual(4);
  expect(Math.abs(customer - 20)).toBeLessThanOrEqual(4);
  expect(Math.abs((rest.overtalk_percent ?? 0) - 14)).toBeLessThanOrEqual(4);
  expect(Math.abs((rest.longest_silence_ms ?? 0) - 6_000)).toBeLessThanOrEqual(400);
});

test("a dead side, a file that ends early, and a page in the place of a recording are findings", async () => {
  expect((await measure(toWav([[0, 9]], []))).findings).toEqual([
    { kind: "channel-silent", channels: [2] },
  ]);
  expect((await measure(TALK.slice(0, TALK.length / 2))).findings).toEqual([
    { kind: "truncated", percent: 50 },
  ]);
  const page = new TextEncoder().encode("<!doctype html><title>Sign in</title>");
  expect(await measure(page)).toEqual({
    duration_ms: null,
    codec: null,
    channels: null,
    findings: [{ kind: "not-sound", detail: "an HTML page" }],
  });
});

test("a recording with one channel has no overtalk, and one in an unknown format has no numbers", async () => {
  const sound = await measure(toWav([[0, 5]]));
  expect(sound.talk_percent).toHaveLength(1);
  expect(sound).not.toHaveProperty("overtalk_percent");
  const other = await measure(Uint8Array.from([9, 200, 1, 77, 130, 4]), "a.vox", "audio/vox");
  expect(other).toEqual({ duration_ms: null, codec: null, channels: null, findings: [] });
});

test("the report counts recordings by finding, and says of which it knows nothing", async () => {
  const entry: ManifestEntry = {
    ...NO_FILE,
    kind: "recording",
    call_id: "A",
    ref_id: null,
    part: 1,
    file: "recordings/a.wav",
    status: "complete",
    error: null,
    redacted: [],
  };
  const count = createFileCount();
  count.add({ ...entry, sound: await measure(toWav([[0, 9]], [])) });
  count.add({ ...entry, sound: await measure(toWav([], [[0, 9]])) });
  count.add({ ...entry, sound: await measure(TALK) });
  expect(count.read()).toMatchObject({ findings: { "channel-silent": 2 } });
  expect(count.read()).not.toHaveProperty("unmeasured");
  count.add({ ...entry, sound: { duration_ms: null, codec: null, channels: null, findings: [] } });
  const { unproved } = toFindings({ from: "2026-03-01", to: "2026-03-01" }, [], count.read());
  expect(unproved).toContainEqual(expect.stringMatching(/^that 1 recording has sound/));
});

test("the sheet has the sound of each file, and a number alone stays a number", async () => {
  const parts: Uint8Array[] = [];
  const sheet = createCallSheet({ fields: ["call_id"], hasFiles: true }, (bytes) =>
    parts.push(bytes),
  );
  const sound = await measure(TALK);
  const deaf = await measure(toWav([[0, 9]], []));
  const files = [
    [{ file: "a.wav", sound }, { file: "a.json" }],
    [{ file: "export/b.wav", sound: deaf }],
  ];
  sheet.add([toCall({ call_id: "1" })], () => files[0] ?? []);
  sheet.add([toCall({ call_id: "2" })], () => [...(files[0] ?? []), ...(files[1] ?? [])]);
  sheet.add([toCall({ call_id: "3" })]);
  sheet.end();
  const book = read(Buffer.concat(parts));
  const [one, two, three] = utils.sheet_to_json<Record<string, unknown>>(
    book.Sheets["Calls"] ?? {},
  );
  expect(one).toMatchObject({
    files: "a.wav\na.json",
    recorded_seconds: 20,
    longest_silence_seconds: 6,
    talk_percent: sound.talk_percent?.join(" / "),
    overtalk_percent: sound.overtalk_percent,
  });
  expect(one).not.toHaveProperty("sound");
  expect(two).toMatchObject({
    recorded_seconds: "20\n20",
    sound: "b.wav is silent in channel 2 from beginning to end",
  });
  expect(three).toEqual({ call_id: "3" });
});
