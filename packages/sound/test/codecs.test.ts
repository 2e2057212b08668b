// Decoders of what browsers do not play: equal to ffmpeg in every sample. Each sound here is the beginning of a recording of the
// demo archive, made by ffmpeg 5.1.9: ffmpeg -i 20250121-0912-bill-too-high.wav -t 2 ... NAME.
import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decodeRecording, decodeSound } from "../src/decoders/decode.ts";

const SOUNDS = join(import.meta.dirname, "sounds");

/** The SHA-256 of the output of `ffmpeg INPUT -i NAME -f s16le -c:a pcm_s16le -`. INPUT names the format of files without a header. */
const REFERENCES: Readonly<Record<string, string>> = {
  "gsm.wav": "dc77625e608efa56debfabe31c008eb5c378e4725cea3a09ea44d309bd0facc8",
  "ima-stereo.wav": "ae99c8c6bf6280045b14b50d5afd4df566bffe1f8a0b9105eb259238f21a98d0",
  "ima.wav": "e99b9f8e60fc166f41d3ca284f83906de0b8c560291c99405aa4252e1005a221",
  "ms-stereo.wav": "3e1c7033be38674b4d2c846eceadaeb0e5f62b0625a325e5a3e1a5dd4338bd08",
  "ms.wav": "7572ab576eb8232f8155aebbc4fa83c9d53a6c20986fbe8c355e77388d92d77e",
  "mulaw.au": "a45341366953fece497c03719cdafe7131a54ea825f99f4b9c603da58b2fe132",
  "pcm.aiff": "a45341366953fece497c03719cdafe7131a54ea825f99f4b9c603da58b2fe132",
  "raw.gsm": "dc77625e608efa56debfabe31c008eb5c378e4725cea3a09ea44d309bd0facc8",
  "raw.ul": "a45341366953fece497c03719cdafe7131a54ea825f99f4b9c603da58b2fe132",
  "wide.g722": "8cfae2d1c11a3521fc00957d5a143eb856562f4cd3e6bb342f6427910b0d3a7e",
};

const INPUTS: Readonly<Record<string, readonly string[]>> = {
  "raw.ul": ["-f", "mulaw", "-ar", "8000", "-ac", "1"],
};

const decode = async (name: string) => {
  const bytes = new Uint8Array(await readFile(join(SOUNDS, name)));
  return decodeSound(bytes, { contentType: "application/octet-stream", filename: name });
};

const hasFfmpeg = (() => {
  try {
    execFileSync("ffmpeg", ["-version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();
if (!hasFfmpeg) console.warn("SKIPPED: decoders beside ffmpeg itself, which is not installed");

test.each(Object.entries(REFERENCES))("%s", async (name, reference) => {
  const sound = await decode(name);
  expect(hash("sha256", new Uint8Array(sound?.samples.buffer ?? new ArrayBuffer()))).toBe(
    reference,
  );
});

test.skipIf(!hasFfmpeg).each(Object.keys(REFERENCES))(
  "%s gives the samples of ffmpeg",
  async (name) => {
    const file = join(SOUNDS, name);
    const input = INPUTS[name] ?? [];
    const out = ["-f", "s16le", "-c:a", "pcm_s16le", "-"];
    const reference = execFileSync("ffmpeg", ["-v", "error", ...input, "-i", file, ...out]);
    const sound = await decode(name);
    expect(Buffer.from(sound?.samples.buffer ?? new ArrayBuffer()).equals(reference)).toBe(true);
  },
);

test("other codecs are named by their bytes", () => {
  const name = (bytes: Uint8Array) =>
    decodeRecording(bytes, { contentType: "audio/x", filename: undefined });
  const text = (start: string) => new TextEncoder().encode(start.padEnd(100, "\0"));
  expect(name(text("#!AMR\n"))).toEqual({ codec: "AMR" });
  expect(name(text("#!AMR-WB\n"))).toEqual({ codec: "AMR-WB" });
  expect(name(text("?"))).toEqual({ codec: "audio/x" });
});
