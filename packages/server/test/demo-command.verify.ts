// `call-media-server demo --serve` as somebody runs it who has never seen the service: in a shell, with curl.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { DemoAccess } from "../src/commands/demo-archive.ts";
import { run, startCommand } from "./support/command.ts";

test("--serve prints three lines to paste, and they work", async () => {
  const folder = await mkdtemp(join(tmpdir(), "call-media-demo-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const demo = join(folder, "demo");
  const access: DemoAccess = JSON.parse((await run("demo", "--data", demo, "--json")).stdout);
  const served = startCommand(["demo", "--data", demo, "--serve", "--port", "0"]);
  const [welcome] = await served.says(/^TOKEN=[^]*recording\.wav$/m);
  const script = `set -e\n${welcome}\n`;
  const shell = spawn("sh", ["-c", script], { cwd: folder });
  let found = "";
  shell.stdout.on("data", (chunk: Buffer) => (found += chunk.toString()));
  expect(await new Promise((resolve) => shell.on("close", resolve))).toBe(0);
  expect(JSON.parse(found)).toMatchObject({
    isError: false,
    data: [{ call_id: access.examples.call_id }],
  });
  expect((await readFile(join(folder, "recording.wav"))).subarray(0, 4).toString()).toBe("RIFF");
  served.child.kill("SIGTERM");
  expect((await served.ended).code).toBe(0);
});
