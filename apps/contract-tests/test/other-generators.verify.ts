// The contract serves generators of others too: what they make of it compiles under strict TypeScript and is of use.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findProgram, findTypeFaults, generators } from "../src/other-generators.ts";

const document = fileURLToPath(import.meta.resolve("@call-media/api/openapi.json"));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-generators-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function listSources(): Promise<string[]> {
  const files = await readdir(folder, { recursive: true });
  return files.filter((file) => file.endsWith(".ts")).map((file) => join(folder, file));
}

for (const { program, toArguments, usage } of generators)
  test(`${program} makes a client that compiles`, async ({ skip }) => {
    const path = findProgram(program);
    if (path === undefined) {
      console.warn(`${program} is not installed: what it makes of the contract was not tried`);
      skip();
      return;
    }
    await promisify(execFile)(path, toArguments(document, join(folder, "generated")));
    if (usage !== undefined) await writeFile(join(folder, "usage.ts"), usage);
    const sources = await listSources();
    expect(sources).not.toHaveLength(0);
    expect(await findTypeFaults(sources)).toBe("");
  });

test("a client that does not compile is seen", async () => {
  const file = join(folder, "broken.ts");
  await writeFile(file, `export const count: number = "none";\n`);
  expect(await findTypeFaults([file])).toContain("TS2322");
});
