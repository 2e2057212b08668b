// Processes that end themselves without warning in the middle of their work.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";

/** For an import in the code of such a process. `path`: from the directory of the tests. */
export const toUrl = (path: string) =>
  JSON.stringify(pathToFileURL(join(import.meta.dirname, "..", path)).href);

export async function killed(code: string): Promise<void> {
  const args = ["--input-type=module", "-e", code];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (text) => (stderr += String(text)));
  expect([...(await once(child, "exit")), stderr]).toEqual([null, "SIGKILL", expect.any(String)]);
}
