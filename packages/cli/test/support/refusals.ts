// What the program cannot carry out as it was given: one line that says what is wrong, nothing on standard output, exit code 2.
import { chmod, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { run } from "./program.ts";

// Nothing listens on port 1; a usage error is found before anybody tries.
export const BASE_URL = ["--base-url", "http://127.0.0.1:1"];
export const KEY = { CALL_MEDIA_API_KEY: "an-api-key-for-tests" };

/** Shared by all test files of a process, and removed after the run. */
export const folder = await mkdtemp(join(tmpdir(), "call-media-cli-"));

/** A file that its owner alone may read, as what holds secrets must be. */
export async function write(name: string, content: unknown): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  await chmod(file, 0o600);
  return file;
}

export async function expectRefusal(
  args: readonly string[],
  message: string,
  variables?: NodeJS.ProcessEnv,
): Promise<void> {
  const { code, stdout, stderr } = await run(args, variables);
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: "",
    stderr: `call-media: ${message}\n`,
  });
}
