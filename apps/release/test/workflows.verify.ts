// The workflows run the same scripts as people do, with no more rights than each needs.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { repository } from "../src/run.ts";
import {
  readWorkflow as read,
  runStep,
  type Workflow,
  workflows as folder,
} from "./support/workflows.ts";

const commandsOf = ({ jobs }: Workflow): string[] =>
  Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));

const scripts: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(repository, "package.json"), "utf8"),
).scripts;

test("a change is proved by .ci/run alone", () => {
  expect(commandsOf(read("ci.yml"))).toEqual([".ci/run"]);
});

test.each(readdirSync(folder))(
  "each job of %s that runs pnpm has the one that is pinned",
  (name) => {
    const jobs = Object.entries(read(name).jobs).map(([job, { steps }]) => {
      const first = steps.findIndex(({ run = "" }) => /\bpnpm\b|\.ci\/run/.test(run));
      const pinned = steps.findIndex(({ uses }) => uses === "./.github/pnpm");
      return { job, isPinned: first === -1 || (pinned !== -1 && pinned < first) };
    });
    expect(jobs.filter(({ isPinned }) => !isPinned)).toEqual([]);
    // npx would fetch the newest version, or bytes that were never compared.
    expect(
      commandsOf(read(name)).filter((run) => /\b(?:npx|corepack|npm install)\b/.test(run)),
    ).toEqual([]);
  },
);

describe("a release", () => {
  const { pack, prove, release } = read("release.yml").jobs;

  test("is packed from a lockfile that is checked, by a pnpm that is pinned", () => {
    expect(pack?.env).toEqual({
      PNPM_CONFIG_TRUST_LOCKFILE: "false",
      PNPM_CONFIG_MINIMUM_RELEASE_AGE: "10080",
      PNPM_CONFIG_BLOCK_EXOTIC_SUBDEPS: "true",
    });
    const commands = (pack?.steps ?? []).flatMap(({ run }) => run ?? []);
    expect(commands.slice(0, 2)).toEqual([
      "pnpm install --frozen-lockfile",
      "pnpm release:pack out",
    ]);
    // The result for a tested clone must not depend on the age of a package.
    const { trustLockfile } = parse(readFileSync(join(repository, "pnpm-workspace.yaml"), "utf8"));
    expect(trustLockfile).toBe(true);
  });

  test("is proved and rehearsed with the tarballs that were packed", () => {
    expect(prove?.needs).toBe("pack");
    const steps = prove?.steps ?? [];
    const places = [
      steps.findIndex(({ uses }) => uses?.startsWith("actions/download-artifact@")),
      steps.findIndex(({ run }) => run === ".ci/run"),
      steps.findIndex(({ run }) => run?.endsWith("release:rehearse")),
    ];
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(steps[places[1] ?? -1]?.env).toEqual({
      CALL_MEDIA_RELEASE: "${{ github.workspace }}/out",
    });
  });

  test("is published after that, without the repository and its dependencies", () => {
    expect(release?.needs).toEqual(["pack", "prove"]);
    const steps = release?.steps ?? [];
    const used = steps.flatMap(({ uses }) => uses?.split("@")[0] ?? []);
    expect(used).toEqual(["actions/setup-node", "actions/download-artifact"]);
    const commands = steps.flatMap(({ run }) => run ?? []).join("\n");
    expect(commands.match(/\b(?:pnpm|npx|node|git clone|npm (?!publish)\w+)\b/g)).toBeNull();
  });

  /** Writes the plan in the format of `changeset pack`. */
  function writePlan(cwd: string, packed: readonly string[]): void {
    const entries = packed.map((name) => [
      { name: `@call-media/${name}`, version: "1.0.1", tarball: { path: `packages/${name}.tgz` } },
    ]);
    const tagOnly = { name: "@call-media/cli", version: "1.0.1", kind: "tag-only" };
    writeFileSync(
      join(cwd, "out/publish-plan.json"),
      JSON.stringify({ plan: [...entries, [tagOnly]] }),
    );
  }

  /** The files that `pack` leaves in a folder, and the digests that its job passes to the next. */
  async function packTwo(): Promise<{ cwd: string; digests: string }> {
    const cwd = mkdtempSync(join(tmpdir(), "call-media-release-job-"));
    mkdirSync(join(cwd, "out/packages"), { recursive: true });
    writePlan(cwd, ["api", "client"]);
    for (const name of ["api", "client"])
      writeFileSync(join(cwd, `out/packages/${name}.tgz`), name);
    const GITHUB_OUTPUT = join(cwd, "output");
    expect((await runStep(pack, "digests", { cwd, variables: { GITHUB_OUTPUT } })).code).toBe(0);
    const [, digests = ""] =
      /^digests<<END\n(.*)\nEND\n$/s.exec(readFileSync(GITHUB_OUTPUT, "utf8")) ?? [];
    expect(digests.split("\n")).toHaveLength(3);
    return { cwd, digests };
  }

  test.each([
    { change: "nothing", make: () => {}, code: 0 },
    {
      change: "another byte",
      make: (out: string) => writeFileSync(join(out, "packages/api.tgz"), "apj"),
      code: 1,
    },
    {
      change: "another file",
      make: (out: string) => writeFileSync(join(out, "packages/more.tgz"), "more"),
      code: 1,
    },
  ])("with $change since it was packed: the job ends with $code", async ({ make, code }) => {
    const { cwd, digests } = await packTwo();
    make(join(cwd, "out"));
    const variables = { DIGESTS: digests };
    expect((await runStep(release, "same", { cwd: join(cwd, "out"), variables })).code).toBe(code);
  });

  /** Runs a step with its program replaced by one that prints its arguments. */
  function runPrinting(cwd: string, id: string, program: string) {
    const path = join(cwd, "bin", program);
    mkdirSync(join(cwd, "bin"));
    writeFileSync(path, `#!/bin/sh\necho "$*"\n`);
    chmodSync(path, 0o755);
    const variables = {
      PATH: [join(cwd, "bin"), process.env["PATH"]].join(delimiter),
      GITHUB_REPOSITORY: "call-media/call-media",
      GITHUB_SHA: "c0ffee",
    };
    return runStep(release, id, { cwd: join(cwd, "out"), variables });
  }

  test("publishes each tarball in the order of the plan, and no other", async () => {
    const { cwd } = await packTwo();
    const { code, output } = await runPrinting(cwd, "publish", "npm");
    expect({ code, output }).toEqual({
      code: 0,
      output: [
        "publish ./packages/api.tgz --access public --provenance",
        "publish ./packages/client.tgz --access public --provenance",
        "",
      ].join("\n"),
    });
  });

  test.each([
    { packed: ["api", "client"], page: "v1.0.1" },
    { packed: ["api"], page: "@call-media/api@1.0.1" },
  ])("of $packed has the page $page, with the notes of the changelog", async ({ packed, page }) => {
    const { cwd } = await packTwo();
    writePlan(cwd, packed);
    const { output } = await runPrinting(cwd, "page", "gh");
    expect(output).toContain(`release create ${page} packages/api.tgz`);
    expect(output).toContain("--notes-file notes.md");
  });

  test("moves the tag by which others use ci/, which installs the same major version", () => {
    const { version } = JSON.parse(
      readFileSync(join(repository, "packages/cli/package.json"), "utf8"),
    );
    const [major] = version.split(".");
    const places: readonly (readonly [file: string, pattern: RegExp])[] = [
      ["README.md", /call-media\/ci\/github@v(\d+)$/gm],
      ["ci/README.md", /call-media\/ci\/github@v(\d+)$/gm],
      ["ci/README.md", /call-media\/v(\d+)\/ci\/gitlab/g],
      ["ci/README.md", /^\| `version` +\| `(\d+)`/gm],
      ["ci/github/action.yml", /^ {4}default: "(\d+)"$/gm],
      ["ci/gitlab.yml", /CALL_MEDIA_VERSION: "(\d+)"/g],
      [".github/workflows/release.yml", /(?:tags\/|tag )v(\d+)/g],
    ];
    const found = places.flatMap(([file, pattern]) =>
      [...readFileSync(join(repository, file), "utf8").matchAll(pattern)].map(([text, number]) => ({
        file,
        text,
        number,
      })),
    );
    expect(found).toHaveLength(9);
    expect(found.filter(({ number }) => number !== major)).toEqual([]);
  });
});

test.each(readdirSync(folder))("%s runs scripts that there are", (name) => {
  const called = commandsOf(read(name)).flatMap((run) =>
    [...run.matchAll(/\bpnpm (?:run )?(\S+)/g)].map(([, script]) => script),
  );
  const unknown = called.filter((script) => scripts[script ?? ""] === undefined);
  expect(unknown.filter((script) => script !== "install")).toEqual([]);
});

test.each(readdirSync(folder))("%s may write nothing that its job does not name", (name) => {
  const { permissions, jobs } = read(name);
  expect(permissions).toEqual({ contents: "read" });
  const writing = Object.values(jobs).filter((job) => job.permissions !== undefined);
  expect(writing.filter(({ environment }) => environment === undefined)).toEqual([]);
});
