// Real recordings: their lengths by the sample, and not one false alarm of a fault.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFault } from "../src/index.ts";
import { inspect } from "./support/inspect.ts";

const corpus =
  process.env["CALL_MEDIA_CORPUS"] ?? join(import.meta.dirname, "../../../../shared/corpus");
const media = join(corpus, "media");
const isMissing = !existsSync(media);
if (isMissing) console.warn(`SKIPPED: real recordings, which are not in ${corpus}`);

const read = async (path: string) =>
  inspect(await readFile(join(media, path)), { filename: path, lengths: [65_536] });

test.skipIf(isMissing).each<[path: string, durationMs: number]>([
  ["azure-speech/customspeech/de-DE/testing/audio.wav", Math.round(546_245 / 16)],
  ["aws-lca/demo-audio/agent.wav", Math.round(1_133_809 / 8)],
  ["py-vcon/vcon_interop_public/vcon_interop_1_assets/call.mp3", 33_120],
  ["fake-vcons/2025/02/28/ed6e1610-6208-457b-a65f-549e84173730.mp3", 65_472],
])("%s lasts %i ms", async (path, durationMs) => {
  expect(await read(path)).toMatchObject({ durationMs, findings: [] });
});

test.skipIf(isMissing)(
  "no recording has a fault, and the silent prompts alone a hint",
  async () => {
    const entries = await readdir(media, { recursive: true });
    const paths = entries.filter((path) => /\.(?:wav|mp3)$/.test(path));
    expect(paths.length).toBeGreaterThan(300);
    const hinted: string[] = [];
    for (const path of paths) {
      const { findings } = await read(path);
      expect([path, ...findings.filter(isFault)]).toEqual([path]);
      if (findings.length > 0) hinted.push(path);
    }
    expect(hinted.every((path) => path.includes("/silence/"))).toBe(true);
    expect(hinted).toHaveLength(5);
  },
);
