// call-media diff as the examples of its help have it, in a repository.
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { run } from "./support/program.ts";

const contract = fileURLToPath(import.meta.resolve("@call-media/api/openapi.json"));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-diff-"));
  const released = JSON.parse(await readFile(contract, "utf8"));
  released.info.version = "1.0.0";
  const edited = structuredClone(released);
  const { schemas, parameters } = edited.components;
  delete schemas.PublicFlagRecord.properties.Name;
  schemas.PublicFlagRecord.required.splice(schemas.PublicFlagRecord.required.indexOf("Name"), 1);
  parameters.UserStatus.schema.enum.push("locked");
  edited.info.version = "1.1.0";
  const added = structuredClone(released);
  added.components.parameters.UserStatus.schema.enum.push("locked");
  const renamed = structuredClone(released);
  renamed.components.parameters.PageIndex.name = "page";
  await Promise.all(
    Object.entries({ released, openapi: edited, added, renamed }).flatMap(([name, document]) => [
      writeFile(join(folder, `${name}.json`), `${JSON.stringify(document, undefined, 2)}\n`),
      writeFile(join(folder, `${name}.yaml`), stringify(document)),
    ]),
  );
});
afterAll(() => rm(folder, { recursive: true }));

const diff = (...args: readonly string[]) => run(["diff", ...args], {}, { cwd: folder });

const read = (name: string) => readFile(join(folder, name), "utf8");

// The examples are commands of a shell and of git.
const canPlay = process.platform !== "win32" && spawnSync("git", ["--version"]).status === 0;
if (!canPlay) console.warn("SKIPPED: the examples of diff; git is not installed");

test.runIf(canPlay)("the examples of the help run verbatim", async () => {
  const help = (await diff("--help")).stdout;
  const examples = [...help.matchAll(/^ +\$ (?:call-media )?(.*)$/gm)].map(
    ([, line]) => line ?? "",
  );
  expect(examples).toHaveLength(5);
  const git = (...args: readonly string[]) => promisify(execFile)("git", args, { cwd: folder });
  await git("init", "--quiet");
  await git("add", "openapi.yaml");
  await git("commit", "--quiet", "--message", "x");
  await git("tag", "v1.0.0");
  const ended: unknown[] = [];
  for (const example of examples) ended.push(await play(example));
  expect(ended).toEqual(examples.map((example) => (example.startsWith("git ") ? "" : 1)));
  expect(await read("released.yaml")).toBe(await read("openapi.yaml"));
});

/** What an example writes on standard error where it is a shell's, else the exit code of the program. */
async function play(example: string): Promise<unknown> {
  if (!example.startsWith("git ")) return (await run(example.split(" "), {}, { cwd: folder })).code;
  return (await promisify(execFile)("sh", ["-ec", example], { cwd: folder })).stderr;
}
