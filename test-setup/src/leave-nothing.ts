// A folder for all temporary files of a run, and an end to it and to every process that works in it, however the run ends.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Called by vitest at the beginning of a run. What it returns is called at the end. */
export function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "call-media-test-"));
  chmodSync(folder, 0o1777); // as /tmp: some tests run programs as another user
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
