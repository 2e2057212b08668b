// Signing in at a terminal: secrets are asked for and not shown. The terminal is Python's, as Node has none to give.
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createFakeService } from "@call-media/client/testing";
import { serveFake } from "@call-media/client/testing/node";
import { expect, test } from "vitest";
import { toSettings } from "./support/program.ts";

const hasTerminal = spawnSync("python3", ["-c", "import pty"]).status === 0;
const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** Runs the program in a pseudo-terminal and gives each answer when its question is there. */
async function runInTerminal(
  args: readonly string[],
  home: string,
  answers: readonly (readonly [question: string, answer: string])[],
): Promise<{ readonly code: number | null; readonly shown: string }> {
  const command = [process.execPath, MAIN, ...args];
  const script = "import os,pty,sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
  const child = spawn("python3", ["-c", script, ...command], {
    env: { ...process.env, ...toSettings(home), NO_COLOR: "1" },
  });
  const open = [...answers];
  let shown = "";
  let seen = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    shown += chunk.toString();
    const [next] = open;
    if (next === undefined || !shown.slice(seen).includes(next[0])) return;
    seen = shown.length;
    open.shift();
    child.stdin.write(next[1]);
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, shown };
}

test.skipIf(!hasTerminal)("the secret is asked for, not shown, and kept", async () => {
  const service = createFakeService();
  const home = await mkdtemp(join(tmpdir(), "call-media-cli-"));
  await using served = await serveFake(service);
  const { secretID, secretKey } = service.credentials;
  const { code, shown } = await runInTerminal(["login", "--base-url", served.baseUrl], home, [
    ["secretID", `${secretID}\r`],
    ["secretKey", `${secretKey}\r`],
  ]);
  expect(shown).toContain("Kept as profile default");
  expect(shown).toContain(secretID);
  expect(shown).not.toContain(secretKey);
  expect(code).toBe(0);
  await rm(home, { recursive: true });
});

test.skipIf(!hasTerminal)("Ctrl-C at the question keeps nothing", async () => {
  const home = await mkdtemp(join(tmpdir(), "call-media-cli-"));
  const { code, shown } = await runInTerminal(["login", "--base-url", "http://127.0.0.1:1"], home, [
    ["secretID", "\u0003"],
  ]);
  expect(shown).toContain("call-media: stopped: nothing was kept");
  expect(code).toBe(2);
  await rm(home, { recursive: true });
});
