// call-media diff: two documents in, what the change asks of clients out, in every format.
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { XMLParser } from "fast-xml-parser";
import type { Log } from "sarif";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { run } from "./support/program.ts";
import { findJunitFaults, findSarifFaults } from "./support/report-rules.ts";

const contract = fileURLToPath(import.meta.resolve("@call-media/api/openapi.json"));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-diff-"));
  await mkdir(join(folder, ".git")); // the folder for temporary files may lie in a repository
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

const lineOf = (text: string, line: number) => text.split("\n")[line - 1];

test("a break that the version does not tell is refused; the guide shows it verbatim", async () => {
  const { code, stdout } = await diff("released.json", "openapi.json");
  expect(code).toBe(1);
  const guide = await readFile(
    new URL("../../../apps/docs/guides/checking.md", import.meta.url),
    "utf8",
  );
  const withoutLines = (text: string) => text.replaceAll(/json:\d+/g, "json:N");
  expect(withoutLines(guide)).toContain(`\n${withoutLines(stdout.trimEnd())}\n`);
});

test.each(["json", "yaml"])("a change is shown at its line: %s", async (type) => {
  const { stdout } = await diff("released.json", `openapi.${type}`, "--json");
  const { changes } = JSON.parse(stdout);
  const lines = (await Promise.all(
    changes.map(async ({ line }: { line: number }) => lineOf(await read(`openapi.${type}`), line)),
  )) as string[];
  expect(lines).toHaveLength(3);
  expect(lines[2]).toMatch(type === "json" ? /"enum": \[/ : /- active/);
});

test("a document in YAML is the same as in JSON", async () => {
  expect(await diff("released.json", "released.yaml")).toEqual({
    code: 0,
    stdout: "Nothing has changed since 1.0.0.\n",
    stderr: "",
  });
});

test.each([
  [[], 0, "1 change that clients can use"],
  [["--fail-on", "version"], 1, "it must be 1.1.0 or 2.0.0"],
  [["--fail-on", "any"], 0, "1 change that clients can use"],
])(
  "an additive change fails only if every change needs a new version: %j",
  async (options, code, sight) => {
    const ended = await diff("released.yaml", "added.yaml", ...options);
    expect(ended).toMatchObject({ code, stderr: "" });
    expect(ended.stdout.replaceAll(/\s+/g, " ")).toContain(sight);
  },
);

test("a break is refused whatever the version tells, if none is to pass", async () => {
  const told = { ...JSON.parse(await read("openapi.json")), info: { title: "", version: "2.0.0" } };
  await writeFile(join(folder, "told.json"), JSON.stringify(told));
  expect(await diff("released.json", "told.json")).toMatchObject({ code: 0 });
  const refused = await diff("released.json", "told.json", "--fail-on", "any", "--json");
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.stdout)).toMatchObject({
    refusal: "a breaking change, and --fail-on any accepts none",
    changes: expect.arrayContaining([
      expect.objectContaining({
        rule: "enum",
        operations: ["GET /users/basic-info"],
        from: expect.any(Array),
        to: expect.arrayContaining(["locked"]),
      }),
    ]),
  });
});

test("junit: each test has a name of its own, of a renamed parameter too", async () => {
  const { stdout } = await diff("released.json", "renamed.json", "--format", "junit");
  const names = Array.from(
    stdout.matchAll(/<testcase [^>]*?\bname="([^"]*)"/g),
    ([, name]) => name,
  );
  expect(names.filter((name) => name?.includes(" gone "))).toHaveLength(2);
  expect(names.filter((name) => name?.includes(" new "))).toHaveLength(2);
  expect(new Set(names).size).toBe(names.length);
});

test("a new order of fields is a change for clients only if the rule is on", async () => {
  const { components, ...rest } = JSON.parse(await read("released.json"));
  const { PublicFlagRecord: flag } = components.schemas;
  flag.properties = Object.fromEntries(Object.entries(flag.properties).toReversed());
  await writeFile(join(folder, "turned.json"), JSON.stringify({ ...rest, components }));
  expect(await diff("released.json", "turned.json")).toMatchObject({ code: 0 });
  const held = await diff("released.json", "turned.json", "--rule", "field-order");
  expect(held).toMatchObject({ code: 1, stdout: expect.stringContaining("the fields stand in") });
});

describe("the reports of one run", () => {
  let code: number | null = null;
  beforeAll(async () => {
    const files = { junit: "report.xml", sarif: "report.sarif", markdown: "summary.md" };
    const options = Object.entries(files).flatMap(([name, file]) => [
      "--report",
      `${name}=${file}`,
    ]);
    ({ code } = await diff("released.json", "openapi.json", ...options));
  });

  test("leave the exit code unchanged", () => {
    expect(code).toBe(1);
  });

  test("junit: a test for each change, and one for the version", async () => {
    const xml = await read("report.xml");
    expect(findJunitFaults(xml)).toEqual([]);
    const options = { ignoreAttributes: false, attributeNamePrefix: "" };
    const { testsuite } = new XMLParser(options).parse(xml).testsuites;
    expect(testsuite).toMatchObject({ tests: "4", failures: "3", errors: "0" });
    expect(testsuite.testcase[3]).toMatchObject({ name: "info.version", failure: {} });
  });

  test("sarif: an alert at the line of the later file", async () => {
    const sarif = await read("report.sarif");
    expect(findSarifFaults(sarif, folder)).toEqual([]);
    const { runs }: Log = JSON.parse(sarif);
    const results = runs[0]?.results ?? [];
    expect(results.map(({ level }) => level)).toEqual(["error", "error", "note", "error"]);
    const places = results.map(({ locations }) => locations?.[0]?.physicalLocation);
    expect(places.map((place) => place?.artifactLocation?.uri)).toEqual(
      Array(4).fill("openapi.json"),
    );
    const last = lineOf(await read("openapi.json"), places[3]?.region?.startLine ?? 0);
    expect(last).toContain('"version": "1.1.0"');
  });

  test("markdown: a table without prose", async () => {
    const rows = (await read("summary.md")).split("\n").filter((line) => line.startsWith("| "));
    expect(rows).toHaveLength(5);
  });

  test("are readable by their owner alone", async () => {
    expect((await stat(join(folder, "report.xml"))).mode & 0o077).toBe(0);
  });
});

test.each([
  [["released.json", "missing.json"], "missing.json does not exist"],
  [["released.json", "broken.json"], "broken.json:1:2 is neither JSON nor YAML"],
  [["released.json", "list.json"], "list.json is not an OpenAPI document"],
  [["released.json", "other.json"], "openapi must be 3.0.x, 3.1.x or 3.2.x"],
  [["other.json", "other.json"], "openapi must be 3.0.x, 3.1.x or 3.2.x"],
  [["released.json", contract, "--format", "sarif"], "openapi.json is not in"],
  [["released.json", "openapi.json", "--rule", "order"], "There is no rule order"],
  [["released.json", "openapi.json", "--report", "pdf=x"], "formats: text, json, junit"],
  [["released.json", "openapi.json", "--report", "junit=none/x"], "nothing can be written in none"],
])("documents that cannot be compared exit with 2: %j", async (args, sight) => {
  await Promise.all([
    writeFile(join(folder, "broken.json"), "{,"),
    writeFile(join(folder, "list.json"), "[]"),
    writeFile(join(folder, "other.json"), '{"swagger":"1.2"}'),
  ]);
  const ended = await diff(...args);
  expect(ended).toMatchObject({ code: 2, stdout: "" });
  expect(ended.stderr).toContain(sight);
});
