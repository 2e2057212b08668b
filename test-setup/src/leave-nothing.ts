// Creates a folder for all temporary files of a run. However the run ends, removes it and ends every process that works in it.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** Called by vitest at the beginning of a run. It returns the function for the end. */
export function setup({ config }: TestProject): () => Promise<void> {
  const folder = createFolder({ ...process.env, ...config.env });
  // A hook of git sets its repository for all that it runs.
  for (const name of Object.keys(process.env))
    if (name.startsWith("GIT_")) delete process.env[name];
  process.env["TMPDIR"] = folder; // what tmpdir() gives in the workers and in the programs that they start
  // A process group of its own, so that Ctrl+C ends the run and leaves the sweeper to sweep after it.
  const sweeper = spawn(process.execPath, [join(import.meta.dirname, "sweeper.ts"), folder], {
    detached: true,
    stdio: ["pipe", "inherit", "inherit"],
  });
  return async () => {
    const swept = once(sweeper, "exit");
    sweeper.stdin.end();
    const [code] = await swept;
    if (code !== 0) throw new Error("the tests left processes behind; they are named above");
  };
}

/** Linux has it. A test of SQLite waits for a disk half of its time. */
const MEMORY = "/dev/shm";

/** Where there is room in no other: it is on the disk on which the packages are installed. */
const OWN = join(import.meta.dirname, "../node_modules/.cache/temporary");

/** More than several packages need at the same time. */
const ROOM_BYTES = 2 * 1024 ** 3;

/** In memory in `test`, unless `CALL_MEDIA_TEST_DISK` is 1. */
function createFolder({ CALL_MEDIA_TIER, CALL_MEDIA_TEST_DISK }: NodeJS.ProcessEnv): string {
  const isInMemory = CALL_MEDIA_TIER === "test" && CALL_MEDIA_TEST_DISK !== "1" && hasMemory();
  const usual = tmpdir();
  for (const parent of [...(isInMemory ? [MEMORY] : []), usual, "/var/tmp"]) {
    const folder = tryFolder(parent);
    if (folder !== undefined) return folder;
  }
  console.warn(`${usual} has less than 2 GiB or runs no programs: temporary files are in ${OWN}`);
  mkdirSync(OWN, { recursive: true });
  return createIn(OWN);
}

/** Files in memory count as memory of the container. */
const hasMemory = () => process.availableMemory() >= 2 * ROOM_BYTES;

function tryFolder(parent: string): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(parent);
    if (bavail * bsize < ROOM_BYTES) return undefined;
    const folder = createIn(parent);
    if (runsPrograms(folder)) return folder;
    rmSync(folder, { recursive: true });
  } catch {
    // There is none, or nothing can be made there.
  }
  return undefined;
}

function createIn(parent: string): string {
  const folder = mkdtempSync(join(parent, "call-media-test-"));
  chmodSync(folder, 0o1777); // as /tmp: some tests run programs as another user
  return folder;
}

/** A disk may be mounted with `noexec`. */
function runsPrograms(folder: string): boolean {
  if (process.platform === "win32") return true;
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
