// A run leaves neither a file nor a process behind, also one that fails, is interrupted or is killed.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { FAILURES } from "../src/failures.ts";

const PACKAGE = join(import.meta.dirname, "..");

/** A package whose only test leaves a file and a process, tells where they are, and goes on as `then` says. */
function createPackage(then: string): string {
  const folder = mkdtempSync(join(tmpdir(), "left-"));
  const program = "setInterval(() => {}, 1_000)";
  writeFileSync(
    join(folder, "vitest.config.ts"),
    `export { default } from ${JSON.stringify(join(PACKAGE, "vitest.config.ts"))};`,
  );
  execFileSync("mkdir", [join(folder, "test"), join(folder, "node_modules")]);
  execFileSync("ln", [
    "-s",
    join(PACKAGE, "node_modules/vitest"),
    join(folder, "node_modules/vitest"),
  ]);
  writeFileSync(
    join(folder, "test/left.test.ts"),
    `import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";

test("leaves something", async () => {
  const left = mkdtempSync(join(tmpdir(), "left-"));
  const { pid } = spawn(process.execPath, ["--eval", ${JSON.stringify(program)}], { detached: true, stdio: "ignore" });
  writeFileSync(${JSON.stringify(join(folder, "told"))}, JSON.stringify({ left, pid }));
  ${then}
});

test.skip("is left out", () => {});
`,
  );
  return folder;
}

interface Left {
  readonly left: string;
  readonly pid: number;
}

function startRun(folder: string): { run: ChildProcess; said: () => string } {
  const vitest = join(PACKAGE, "node_modules/vitest/vitest.mjs");
  const env = { ...process.env, [FAILURES]: undefined }; // what fails in it is meant to
  const run = spawn(process.execPath, [vitest, "run"], { cwd: folder, env });
  onTestFinished(() => void run.kill("SIGKILL"));
  let said = "";
  for (const stream of [run.stdout, run.stderr])
    stream?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  return { run, said: () => said };
}

const readTold = (folder: string): Left => JSON.parse(readFileSync(join(folder, "told"), "utf8"));

function isRunning(pid: number): boolean {
  try {
    // A zombie in a container without an init process stays listed, and does nothing.
    return !/^State:\sZ/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

const isLinux = process.platform === "linux";
if (!isLinux)
  console.warn("SKIPPED leave-nothing.test.ts: processes are looked for on Linux alone");

test.skipIf(!isLinux)("a run whose test leaves a process fails, and names it", async () => {
  const folder = createPackage("");
  const { run, said } = startRun(folder);
  const [code] = await once(run, "close");
  const { left, pid } = readTold(folder);
  expect(said()).toContain(`left behind by the tests: process ${pid}, `);
  expect(code).toBe(1);
  expect(said()).toContain("SKIPPED test/left.test.ts: is left out");
  expect(said()).toMatch(/^CPU time +\d+\.\d s$/m);
  expect(existsSync(dirname(left))).toBe(false);
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test.skipIf(!isLinux).each(["SIGINT", "SIGKILL"] as const)(
  "a run that is ended by %s leaves nothing",
  async (signal) => {
    const folder = createPackage("await new Promise(() => {});");
    const { run } = startRun(folder);
    await expect.poll(() => existsSync(join(folder, "told"))).toBe(true);
    await expect.poll(() => readTold(folder)).toBeDefined();
    const { left, pid } = readTold(folder);
    expect(isRunning(pid)).toBe(true);
    run.kill(signal);
    await expect.poll(() => existsSync(dirname(left))).toBe(false);
    await expect.poll(() => isRunning(pid)).toBe(false); // a moment after it was told to end
  },
);
