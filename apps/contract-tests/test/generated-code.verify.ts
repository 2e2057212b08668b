// The gate in packages/api that keeps generated code and contract together, put to the test on a copy of both.
import { execFile } from "node:child_process";
import { appendFile, cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { repository } from "../src/workspace.ts";

let copy: string;
beforeEach(async () => {
  copy = await mkdtemp(join(tmpdir(), "call-media-generated-"));
  const parts = [
    "spec",
    "packages/api/scripts",
    "packages/api/generated",
    "packages/api/package.json",
  ];
  for (const part of parts) {
    const filter = (path: string) => !path.includes("node_modules");
    await cp(join(repository, part), join(copy, part), { recursive: true, filter });
  }
  const modules = "packages/api/node_modules";
  await symlink(join(repository, modules), join(copy, modules));
});
afterEach(() => rm(copy, { recursive: true }));

async function runGate(): Promise<{ code: number; stderr: string }> {
  const script = ["packages/api/scripts/generate.ts", "--check"];
  return promisify(execFile)(process.execPath, script, { cwd: copy }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  );
}

test("code that fits the contract passes", async () => {
  expect(await runGate()).toEqual({ code: 0, stderr: "" });
});

test("a changed contract is seen", async () => {
  await appendFile(
    join(copy, "spec/components/schemas/PublicFlagRecord.yaml"),
    "\nmaxProperties: 9\n",
  );
  const { code, stderr } = await runGate();
  expect(code).toBe(1);
  expect(stderr).toContain("openapi.json");
});

test("an edited generated file is seen", async () => {
  await appendFile(join(copy, "packages/api/generated/schema.ts"), "export type Mine = string;\n");
  const { code, stderr } = await runGate();
  expect(code).toBe(1);
  expect(stderr).toContain("(schema.ts)");
});

test("a contract that cannot be read is reported once, with the place and without a stack trace", async () => {
  await appendFile(join(copy, "spec/components/schemas/PublicFlagRecord.yaml"), "\n\tx: 1\n");
  const { code, stderr } = await runGate();
  expect(code).toBe(1);
  expect(stderr.match(/Failed to parse: tab/g)).toHaveLength(1);
  expect(stderr).toMatch(/PublicFlagRecord\.yaml:\d+:1/);
  expect(stderr).not.toContain("generate.ts");
  expect(stderr).not.toContain("node:internal");
});
