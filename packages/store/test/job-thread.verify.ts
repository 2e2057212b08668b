// What a process keeps of what Node.js compiles for a thread.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createFolder } from "./support/archives.ts";

const PROGRAM = fileURLToPath(new URL("support/search-compiled.ts", import.meta.url));

test("threads keep what is compiled of them where the process does", async () => {
  const { NODE_COMPILE_CACHE: _none, ...env } = process.env;
  const args = [PROGRAM, await createFolder(), await createFolder()];

  expect(Number(execFileSync(process.execPath, args, { env, encoding: "utf8" }))).toBeGreaterThan(
    0,
  );
});
