// Runs the command that its arguments are, and says at its end what CPU time it took with all that it started, and how long.
import { spawn } from "node:child_process";
import { readCpuSeconds } from "./cpu.ts";

const [command = "", ...args] = process.argv.slice(2);
const begun = performance.now();
const child = spawn(command, args, { stdio: "inherit", shell: process.platform === "win32" });

// Ctrl+C reaches the command as well, which ends in its own time.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));

child.on("exit", (code) => {
  const [cpu, real] = [readCpuSeconds(), (performance.now() - begun) / 1_000];
  console.log(`CPU time of all: ${cpu.toFixed(0)} s, in ${real.toFixed(0)} s`);
  process.exitCode = code ?? 1;
});
