// Muted files in another's decoder: ffmpeg, where it is installed. Real recordings too, where they are there.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createInspector } from "../src/index.ts";
import { mute } from "../src/muting/mute.ts";
import { readUnits } from "../src/muting/frames.ts";

const SPANS = [
  { from: 0.7, to: 1.25 },
  { from: 1.900_07, to: 2 },
];
const LONG_SPANS = [
  { from: 3.2, to: 5.75 },
  { from: 9.000_07, to: 9.1 },
];

const hasFfmpeg = spawnSync("ffmpeg", ["-version"]).status === 0;
if (!hasFfmpeg) console.warn("SKIPPED: muted files in ffmpeg, which is not installed");
const corpus =
  process.env["CALL_MEDIA_CORPUS"] ?? join(import.meta.dirname, "../../../../shared/corpus");
const media = join(corpus, "media");
const sounds = join(import.meta.dirname, "sounds");
const isMissing = !existsSync(media);
if (isMissing) console.warn(`SKIPPED: real recordings, which are not in ${corpus}`);

async function* once(bytes: Uint8Array) {
  yield bytes;
}

async function muteBytes(bytes: Uint8Array, spans: typeof SPANS): Promise<Buffer> {
  const original = { open: () => once(bytes), announced: {} };
  const { read, prove } = await mute(original, spans);
  const parts: Uint8Array[] = [];
  for await (const part of read()) parts.push(part);
  const file = Buffer.concat(parts);
  await prove(() => once(file));
  return file;
}

/** Samples as ffmpeg decodes them; its words where it finds a fault. */
async function decode(bytes: Uint8Array) {
  const folder = await mkdtemp(join(tmpdir(), "call-media-mute-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "recording");
  await writeFile(file, bytes);
  const checks = ["-v", "error", "-err_detect", "crccheck+bitstream"];
  const args = [...checks, "-i", file, "-f", "s16le", "-"];
  const { stdout, stderr } = spawnSync("ffmpeg", args, { maxBuffer: 1e9 });
  return {
    samples: new Int16Array(new Uint8Array(stdout).buffer),
    faults: stderr.toString(),
  };
}

const REAL = [
  "py-vcon/vcon_interop_public/vcon_interop_1_assets/call.mp3",
  "fake-vcons/2025/02/28/ed6e1610-6208-457b-a65f-549e84173730.mp3",
  "aws-lca/demo-audio/agent.wav",
].map((path) => [join(media, path), LONG_SPANS] as const);
const OWN = ["joint-crc.mp3", "vbr.mp3"].map((name) => [join(sounds, name), SPANS] as const);

test.skipIf(!hasFfmpeg).each([...OWN, ...(isMissing ? [] : REAL)])(
  "%s: the same length, silence within, and no other sample changed further than 0.4 s away",
  async (path, spans) => {
    const original = await readFile(path);
    const masked = await muteBytes(original, spans);
    const [before, after] = [await decode(original), await decode(masked)];
    expect(after.faults).toBe(before.faults);
    expect(after.samples).toHaveLength(before.samples.length);
    const inspector = createInspector();
    inspector.push(original);
    const { rate = 1, channels = 1 } = inspector.end();
    let [peak, furthest, changed] = [0, 0, 0];
    for (const [at, sample] of after.samples.entries()) {
      const second = Math.floor(at / channels) / rate;
      const distance = Math.min(
        ...spans.map(({ from, to }) => Math.max(0, from - second, second - to)),
      );
      const isInside = spans.some(({ from, to }) => second >= from && second < to);
      if (isInside) peak = Math.max(peak, Math.abs(sample));
      else if (sample !== before.samples[at]) {
        changed++;
        furthest = Math.max(furthest, distance);
      }
    }
    expect(peak).toBe(0);
    expect(furthest).toBeLessThan(0.4);
    // Rounding outwards may take one sample on each side.
    const most = path.endsWith(".wav") ? 2 * spans.length * channels : Infinity;
    expect(changed).toBeLessThanOrEqual(most);
  },
);

/** How alike two ranges of samples are, from 0 to 1. */
function correlate(one: Int16Array, other: Int16Array): number {
  let [both, first, second] = [0, 0, 0];
  for (const [at, sample] of one.entries()) {
    const rival = other[at] ?? 0;
    both += sample * rival;
    first += sample * sample;
    second += rival * rival;
  }
  return first === 0 || second === 0 ? 0 : Math.abs(both) / Math.sqrt(first * second);
}

// Sound that was made is alike anywhere: real speech alone tells.
test.skipIf(!hasFfmpeg || isMissing).each(REAL.slice(0, 2))(
  "%s: the side information of the original, put back, brings no sound back",
  async (path, spans) => {
    const original = await readFile(path);
    const masked = await muteBytes(original, spans);
    const attacked = Buffer.from(masked);
    let at = 0;
    for await (const { kind, bytes, frame } of readUnits(once(original))) {
      if (kind === "frame" && frame !== undefined) {
        const head = 4 + (frame.hasCrc ? 2 : 0) + frame.sideBytes;
        original.copy(attacked, at, at, at + head);
      }
      at += bytes.length;
    }
    const inspector = createInspector();
    inspector.push(original);
    const { rate = 1, channels = 1 } = inspector.end();
    const [before, after] = [await decode(original), await decode(attacked)];
    for (const { from, to } of spans) {
      const range = [from, to].map((second) => Math.round(second * rate) * channels) as [
        number,
        number,
      ];
      const alike = correlate(before.samples.slice(...range), after.samples.slice(...range));
      expect(alike).toBeLessThan(0.02);
    }
  },
);

test.skipIf(isMissing)("these spans take 120 frames of a real MP3 with 2,728", async () => {
  const [, [path, spans] = ["", LONG_SPANS]] = REAL;
  const original = await readFile(path);
  const readSides = async (bytes: Uint8Array) => {
    const sides: string[] = [];
    for await (const { kind, bytes: content, frame } of readUnits(once(bytes)))
      if (kind === "frame" && frame !== undefined)
        sides.push(Buffer.from(content).toString("hex", 4, 4 + frame.sideBytes));
    return sides;
  };
  const [before, after] = [
    await readSides(original),
    await readSides(await muteBytes(original, spans)),
  ];
  expect(after).toHaveLength(2_728);
  expect(after.filter((side, at) => side !== before[at])).toHaveLength(120);
});
