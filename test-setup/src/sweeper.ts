// Waits until the test run that started it has ended or died, then removes its remains: processes, mounts and files.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { keepFailure } from "./failures.ts";

/** The time that a process may need after its signal to end. */
const GRACE_MS = 5_000;

const [, , folder = ""] = process.argv;
if (!/\/call-media-test-\w+$/.test(folder)) throw new Error(`not the folder of a run: ${folder}`);

// The other end is closed by the run, or by the kernel when the run is killed.
for await (const _ of process.stdin);

const left = await findLeft();
for (const { pid, command } of left) {
  console.error(`left behind by the tests: process ${pid}, ${command}`);
  keepFailure("left behind", `process ${pid}, ${command}`);
  end(pid);
}
for (const mount of findMounts()) execFileSync("umount", ["--lazy", mount]);
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
process.exitCode = left.length === 0 ? 0 : 1;

interface Left {
  readonly pid: number;
  readonly command: string;
}

/** The remains after the grace period. */
async function findLeft(): Promise<readonly Left[]> {
  const until = performance.now() + GRACE_MS;
  for (;;) {
    const found = findProcesses();
    if (found.length === 0 || performance.now() > until) return found;
    await wait(100);
  }
}

/** Processes that have the folder in their environment, arguments or working directory. Only Linux lists them. */
function findProcesses(): Left[] {
  if (process.platform !== "linux") return [];
  return (
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .filter((name) => isOfRun(`/proc/${name}`))
      .map((name) => ({ pid: Number(name), command: readWords(`/proc/${name}/cmdline`) }))
      // A zombie has no command. The watchdog is vitest's own, and ends with it.
      .filter(({ command }) => command !== "" && command !== "vitest-watchdog")
  );
}

function isOfRun(process: string): boolean {
  try {
    return [
      readFileSync(`${process}/environ`, "utf8"),
      readFileSync(`${process}/cmdline`, "utf8"),
      readlinkSync(`${process}/cwd`),
    ].some((text) => text.includes(folder));
  } catch {
    return false; // it has ended, or belongs to somebody else
  }
}

function readWords(file: string): string {
  try {
    return readFileSync(file, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return "";
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** The innermost first. */
function findMounts(): string[] {
  if (process.platform !== "linux") return [];
  return readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "")
    .filter((path) => path.startsWith(`${folder}/`))
    .toReversed();
}
