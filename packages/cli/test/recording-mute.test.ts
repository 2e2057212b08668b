// `recording --mute`: a muted copy under its name, and the original nowhere.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { startExporting } from "./support/exporting.ts";
import { run, startProcess } from "./support/program.ts";
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

test("killed, it leaves the original in its own folder, and the next run removes it", async () => {
  const calls = [{ call_id: "1001", recordings: [{ filename: "one.wav", bytes: WAV }] }];
  const half = new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, controller) => controller.enqueue(piece.subarray(0, piece.length / 2)),
    flush: () => new Promise(() => {}),
  });
  let isStalled = true;
  const { out, variables } = await startExporting({ calls }, (url, answer) =>
    isStalled && url.includes("/recording/") && answer.body !== null
      ? new Response(answer.body.pipeThrough(half), answer)
      : answer,
  );
  const cwd = dirname(out);
  const temporary = join(cwd, "tmp");
  await mkdir(temporary);
  const env = { ...variables, TMPDIR: temporary };
  const args = ["recording", "1001", "--mute", "1-2", "--out", join(cwd, "a.wav")];
  const own = join(temporary, `call-media-${userInfo().username}`);
  const list = async () => await readdir(own, { recursive: true }).catch(() => []);

  const { child, ended } = startProcess(args, env, { cwd });
  await vi.waitFor(
    async () => expect(await list()).toContainEqual(expect.stringContaining(".part")),
    { timeout: 20_000 },
  );
  child.kill("SIGKILL");
  await ended;
  expect((await readdir(cwd)).toSorted()).toEqual(["tmp"]);
  await mkdir(join(own, `${process.pid}_${hostname()}_of-a-run-that-goes-on`));

  isStalled = false;
  const again = await startProcess(args, env, { cwd }).ended;
  expect(again).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("1 killed run had left"),
  });
  expect(await list()).toEqual([expect.stringContaining("goes-on")]);
  expect((await readdir(cwd)).toSorted()).toEqual(["a.wav", "tmp"]);
});

test("a working folder of others is refused", async () => {
  const { cwd, list } = await startWith("one.wav", WAV);
  const own = join(cwd, `call-media-${userInfo().username}`);
  await mkdir(own, { mode: 0o755 });
  const { out, variables } = await startExporting({ calls: [] });
  const env = { ...variables, TMPDIR: cwd };
  const args = ["recording", "1001", "--mute", "1-2", "--out", out];
  const { code, stderr } = await startProcess(args, env, { cwd }).ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining("not a folder of yours alone")]);
  expect(await list()).toEqual([`call-media-${userInfo().username}`]);
});
