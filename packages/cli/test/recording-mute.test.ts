// `recording --mute`: a muted copy under its name, and the original nowhere.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { startExporting } from "./support/exporting.ts";
import { run } from "./support/program.ts";
import { listSilence, toCountedWav, toSha256 } from "./support/sounds.ts";

const WAV = toCountedWav(4);

async function startWith(filename: string, bytes: Uint8Array) {
  const calls = [{ call_id: "1001", recordings: [{ filename, bytes }] }];
  const { out, variables } = await startExporting({ calls });
  const cwd = dirname(out);
  const runCommand = (...args: string[]) => run(["recording", ...args], variables, { cwd });
  const record = (...args: string[]) => runCommand("1001", ...args);
  return { cwd, runCommand, record, list: () => readdir(cwd) };
}

test("the copy is saved, with both digests", async () => {
  const { cwd, record, list } = await startWith("one.wav", WAV);
  const { code, stdout } = await record(
    "--mute",
    "0:01-1.5,3-4",
    "--out",
    join(cwd, "a"),
    "--json",
  );
  const bytes = new Uint8Array(await readFile(join(cwd, "a")));
  expect(listSilence(bytes)).toEqual([
    [1, 1.5],
    [3, 4],
  ]);
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    {
      bytes: bytes.length,
      sha256: toSha256(bytes),
      contentType: "audio/wav",
      muted: { original: { bytes: WAV.length, sha256: toSha256(WAV) } },
    },
  ]);
  expect(await list()).toEqual(["a"]);
});

test("without --out it has the name of the service, with the ending of what it is", async () => {
  const raw = WAV.slice(44);
  const { list, record } = await startWith("one.ulaw", raw);
  const { code, stdout, stderr } = await record("--mute", "1-2");
  expect([code, stdout]).toEqual([0, "one.wav\n"]);
  expect(await list()).toEqual(["one.wav"]);
  expect(stderr).toMatch(/muted 1-2 s: 64,044 bytes, SHA-256/);
  expect(stderr).toMatch(/the original, which is not kept: 64,000 bytes/);
});

test("a span that ends behind the recording is muted to its end, and named so", async () => {
  const { cwd, record } = await startWith("one.wav", WAV);
  const { code, stderr } = await record("--mute", "3-40", "--out", join(cwd, "a"));
  expect([code, stderr]).toEqual([0, expect.stringContaining("muted 3-4 s")]);
  expect(listSilence(new Uint8Array(await readFile(join(cwd, "a"))))).toEqual([[3, 4]]);
});

test.each([
  ["a span behind the end", "4-40", 1, "begins behind the recording, which lasts 4 seconds"],
  ["milliseconds", "3200", 2, "3200 is not a span of time, such as 3.2-5.75"],
  ["backwards", "3-2", 2, "from 3 is not before to 2"],
])("nothing is saved: %s", async (_, spans, exit, message) => {
  const { record, list, cwd } = await startWith("one.wav", WAV);
  const { code, stderr } = await record("--mute", spans, "--out", join(cwd, "a"));
  expect([code, stderr]).toEqual([exit, expect.stringContaining(message)]);
  expect(await list()).toEqual([]);
});

test("nothing is saved of what cannot be muted, and an earlier file stays", async () => {
  const flac = new Uint8Array(Buffer.from("fLaC".padEnd(60, "\0")));
  const { record, list, cwd } = await startWith("one.flac", flac);
  await writeFile(join(cwd, "a"), "earlier");
  const { code, stderr } = await record("--mute", "0-1", "--out", join(cwd, "a"));
  expect([code, stderr]).toEqual([1, expect.stringContaining("cannot be muted")]);
  expect(await list()).toEqual(["a"]);
  expect(await readFile(join(cwd, "a"), "utf8")).toBe("earlier");
});

test("many calls are muted by an export", async () => {
  const { runCommand } = await startWith("one.wav", WAV);
  const { code, stderr } = await runCommand("--mute", "0-1", "--ids", "-", "--out", "all");
  expect([code, stderr]).toEqual([2, expect.stringContaining("--mute does not go with --ids")]);
});
