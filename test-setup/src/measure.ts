// Runs the command in its arguments. At the end it prints the failed tests, the CPU time of all its processes, and the duration.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCpuSeconds } from "./cpu.ts";
import { FAILURES, readFailures } from "./failures.ts";

const [command = "", ...args] = process.argv.slice(2);
const begun = performance.now();
const folder = mkdtempSync(join(tmpdir(), "call-media-run-"));
const failures = join(folder, "failures");
const child = spawn(command, args, {
  stdio: "inherit",
  shell: process.platform === "win32",
  env: { ...process.env, [FAILURES]: failures },
});

// Ctrl+C reaches the command as well, which ends in its own time.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));

child.on("exit", (code) => {
  const [cpu, real] = [readCpuSeconds(), (performance.now() - begun) / 1_000];
  console.log(
    readFailures(failures) + `CPU time of all: ${cpu.toFixed(0)} s, in ${real.toFixed(0)} s`,
  );
  rmSync(folder, { recursive: true });
  process.exitCode = code ?? 1;
});
