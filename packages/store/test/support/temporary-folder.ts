// One folder for all temporary files of a run, gone at its end: a test that took too long goes on making folders after its
// own clean-up.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let folder: string | undefined;

/** Called by vitest at the beginning of a run. */
export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), "call-media-store-test-"));
  process.env["TMPDIR"] = folder; // what tmpdir() gives in the workers and in the programs that they start
}

/** Called by vitest at its end. */
export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
