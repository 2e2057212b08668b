// One folder for all temporary files of a run, gone at its end: a test that took too long goes on making folders after its
// own clean-up.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Called by vitest; what it gives is called at the end of the run. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "call-media-store-test-"));
  process.env["TMPDIR"] = folder; // what tmpdir() gives in the workers and in the programs that they start
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
