// A fault of the program itself: it ends, and says why in one line; what it has promised by then is kept.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openDownload } from "./support/download.ts";
import { startProgram } from "./support/program.ts";
import { ALLOWED_ALL, addMedia, startTestService, toCall } from "./support/service.ts";

// More than the buffers of a connection hold.
const SOUND_BYTES = 60_000_000;

/** Runs the code inside the program at SIGUSR2. */
function withFault(code: string): NodeJS.ProcessEnv {
  const module = `process.on("SIGUSR2", () => { ${code} })`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` };
}

test.each([["a rejection that nobody handles", 'Promise.reject(new TypeError("a fault"))']])(
  "%s ends it with 1, one line, and every row of the access log",
  async (_what, code) => {
    await using archive = await startTestService();
    const { key } = await archive.addUser(ALLOWED_ALL);
    await using program = await startProgram(archive.directory, [], withFault(code));
    const headers = { Authorization: `Bearer ${key}` };
    for (let n = 0; n < 20; n += 1)
      expect((await fetch(`${program.baseUrl}/flags/public`, { headers })).status).toBe(200);
    program.signal("SIGUSR2");

    expect(await program.ended).toEqual({ code: 1, signal: null });
    const told = program.log().filter(({ msg }) => msg !== "request");
    expect(told).toMatchObject([
      { msg: "started" },
      { level: "error", msg: "failed", err: { type: "TypeError", message: "a fault" } },
      { msg: "stopped" },
    ]);
    expect(program.log()).toHaveLength(20 + told.length);
    const rows = [];
    for await (const row of archive.store.accessLog.read({})) rows.push(row);
    expect(rows.filter(({ operation }) => operation === "listPublicFlags")).toHaveLength(20);
  },
);

test("a response in flight is interrupted, and the exit code still reports the error", async () => {
  await using archive = await startTestService();
  const { key } = await archive.addUser(ALLOWED_ALL);
  const sound = await addMedia(archive.store, "a.wav", Buffer.alloc(SOUND_BYTES, 7));
  await archive.add(toCall({ call_id: "long", datetime: "2026-01-05T10:00:00Z" }, [sound]));
  await using program = await startProgram(
    archive.directory,
    [],
    withFault('throw new Error("x")'),
  );
  const download = await openDownload(program, "/recording/stream-by-call-id/long", key);
  program.signal("SIGUSR2");

  expect(await program.ended).toEqual({ code: 1, signal: null });
  expect(await download.readRest()).toEqual({ isWhole: false });
  expect(program.log().map(({ msg }) => msg)).toEqual([
    "started",
    "failed",
    "cut to stop in time",
    "request cut",
    "stopped",
  ]);
});

test("a second error during shutdown ends the program immediately, and is logged as well", async () => {
  await using archive = await startTestService();
  const twice =
    'setImmediate(() => { throw new Error("first") }); setImmediate(() => { throw new Error("second") })';
  await using program = await startProgram(archive.directory, [], withFault(twice));
  // A thread writes the log, and the last line does not wait for it.
  await expect.poll(() => program.log()).toHaveLength(1);
  program.signal("SIGUSR2");

  expect(await program.ended).toEqual({ code: 1, signal: null });
  expect(program.log()).toMatchObject([
    { msg: "started" },
    { msg: "failed", err: { message: "first" } },
    { msg: "failed again", err: { message: "second" } },
  ]);
});

test("a reader who has seen enough ends it with 0 and not a word", async () => {
  const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
  const program = spawn(process.execPath, [main, "serve", "--help"]);
  program.stdout.destroy();
  const [[code], said] = await Promise.all([once(program, "close"), text(program.stderr)]);
  expect([code, said]).toEqual([0, ""]);
});
