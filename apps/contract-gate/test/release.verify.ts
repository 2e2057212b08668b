// The program in a working tree of its own: what it prints, its exit status, and what a release writes.
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const app = fileURLToPath(new URL("..", import.meta.url));
const working = fileURLToPath(import.meta.resolve("@call-media/api/openapi.json"));

let tree = "";
let copy = "";
beforeEach(async () => {
  tree = await mkdtemp(join(tmpdir(), "contract-gate-tree-"));
  copy = join(tree, "apps/contract-gate");
  for (const name of ["src", "released", "package.json", "corrections.json"]) {
    await cp(join(app, name), join(copy, name), { recursive: true });
  }
  await symlink(join(app, "node_modules"), join(copy, "node_modules"));
  await symlink(join(app, "../../packages"), join(tree, "packages"));
});
afterEach(async () => rm(tree, { recursive: true }));

interface Outcome {
  readonly code: number;
  readonly output: string;
}

function run(command: string): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(copy, "src/main.ts"), command], (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

const releasedText = () => readFile(join(copy, "released/openapi.json"), "utf8");

test("the first release makes the working document the released one", async () => {
  await rm(join(copy, "released/openapi.json"));
  await writeFile(join(copy, "corrections.json"), "[]\n");
  const checked = await run("check");
  expect(checked).toEqual({ code: 0, output: expect.stringContaining("nothing released yet") });
  expect((await run("release")).code).toBe(0);
  expect(await releasedText()).toBe(await readFile(working, "utf8"));
  expect((await run("check")).output).toContain("the document is the released one");
});

test("a release that does not fit is refused, and writes nothing", async () => {
  const document = JSON.parse(await readFile(working, "utf8"));
  document.paths["/flags/shared"] = document.paths["/flags/public"];
  const text = JSON.stringify(document);
  await writeFile(join(copy, "released/openapi.json"), text);
  const { code, output } = await run("release");
  expect(code).toBe(1);
  expect(output).toContain("breaking #/paths/~1flags~1shared");
  expect(output).toContain("it must be ");
  expect(output).toContain("no changeset in .changeset/");
  expect(await releasedText()).toBe(text);
});

test("a release takes the corrections in", async () => {
  const document = JSON.parse(await readFile(working, "utf8"));
  document.info.version = "1.0.0";
  await writeFile(join(copy, "released/openapi.json"), JSON.stringify(document));
  await writeFile(join(copy, "corrections.json"), '[{ "pointer": "#/info", "reason": "x" }]');
  expect((await run("release")).output).toContain("take the entry out");
  await rm(join(copy, "released/openapi.json"));
  await writeFile(join(copy, "corrections.json"), "[]");
  expect((await run("release")).code).toBe(0);
  expect(await readFile(join(copy, "corrections.json"), "utf8")).toBe("[]\n");
});

test("another command is answered with the usage", async () => {
  expect(await run("publish")).toEqual({
    code: 2,
    output: "usage: node src/main.ts check|release\n",
  });
});

test("what cannot be judged is said in a line", async () => {
  await writeFile(join(copy, "corrections.json"), "{}");
  expect(await run("check")).toEqual({
    code: 2,
    output: "contract gate: corrections.json must be a list\n",
  });
});
