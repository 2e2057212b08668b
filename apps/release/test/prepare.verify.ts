// The first half of a release, on a copy of this repository: what it writes, and when it rejects without writing anything.
import { spawnSync } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listTree } from "@call-media/test-setup/tree";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { prepareRelease } from "../src/prepare.ts";
import {
  checkCarrierVersion,
  planCarrierVersion,
  readContractVersion,
} from "../src/release-plan.ts";
import { pnpmOf, repository, run } from "../src/run.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;
if (!hasGit) console.warn("SKIPPED: the preparation of a release; git is not installed");

let root = "";

const git = (...args: readonly string[]) => run(["git", ...args], { cwd: root });

/** A tree in which everything is released, and the carrier's version fits the contract. */
async function beginWith(): Promise<void> {
  const changesets = (await readdir(join(root, ".changeset"))).filter(
    (name) => name.endsWith(".md") && name !== "README.md",
  );
  await Promise.all(changesets.map((name) => rm(join(root, ".changeset", name))));
  const working = join(root, "packages/api/generated/openapi.json");
  const { info } = JSON.parse(await readFile(working, "utf8"));
  await edit("packages/api/package.json", (manifest) => ({ ...manifest, version: info.version }));
  await writeFile(join(root, released), await readFile(working));
  await writeFile(join(root, "apps/contract-gate/corrections.json"), "[]\n");
  await commit();
}

const released = "apps/contract-gate/released/openapi.json";

type Json = Record<string, unknown>;

async function edit(file: string, change: (json: Json) => Json): Promise<void> {
  const json: Json = JSON.parse(await readFile(join(root, file), "utf8"));
  await writeFile(join(root, file), `${JSON.stringify(change(json), null, 2)}\n`);
}

async function commit(): Promise<void> {
  const options = ["--quiet", "--all", "--allow-empty", "--message", "x"];
  await git("commit", ...options);
}

async function addChangeset(bump: string): Promise<void> {
  const text = `---\n"@call-media/api": ${bump}\n---\n\nFixed: what changes.\n`;
  await writeFile(join(root, ".changeset/one.md"), text);
  await git("add", ".changeset");
  await commit();
}

const versionOf = async (name: string): Promise<string> =>
  JSON.parse(await readFile(join(root, `packages/${name}/package.json`), "utf8")).version;

/** A version that this one may follow. */
function toVersionBefore(version: string): string {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  if (patch > 0) return `${major}.${minor}.${patch - 1}`;
  return minor > 0 ? `${major}.${minor - 1}.0` : `${major - 1}.9.0`;
}

const listChanges = () => git("status", "--porcelain", "--untracked-files=no");

describe.skipIf(!hasGit)("a release is prepared", () => {
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "call-media-prepare-"));
    // The tree may be an unpacked archive without a repository.
    for (const path of listTree()) await cp(join(repository, path), join(root, path));
    await git("init", "--quiet");
    await git("add", "--all");
    const filter = ["--filter", "call-media", "--filter", "@call-media/contract-gate..."];
    const install = ["install", "--frozen-lockfile", "--prefer-offline", ...filter];
    await run([pnpmOf(repository), ...install], { cwd: root });
    await beginWith();
    await git("tag", "begin");
  });
  // Keeps files that git ignores: they are installed, or generated from the rest.
  afterEach(async () => {
    await git("reset", "--quiet", "--hard", "begin");
    await git("clean", "--quiet", "--force", "-d");
  });
  afterAll(async () => rm(root, { recursive: true }));

  test("a breaking change of the contract is not released as minor (D26)", async () => {
    await edit(released, (document) => {
      const paths = document["paths"] as Json; // of an OpenAPI document
      return { ...document, paths: { ...paths, "/flags/shared": paths["/flags/public"] } };
    });
    await addChangeset("minor");
    const refused = prepareRelease(root);
    await expect(refused).rejects.toThrow(/breaking #\/paths\/~1flags~1shared/);
    await expect(refused).rejects.toThrow(/no changeset in \.changeset\/ names .*: major/);
    expect(await listChanges()).toBe("");
  });

  test("nor may the carrier's version say that it changed when it did not", async () => {
    await addChangeset("major");
    await expect(prepareRelease(root)).rejects.toThrow(
      /@call-media\/api would be .* info\.version/,
    );
    expect(await listChanges()).toBe("");
  });

  test("the contract that was released before keeps its page in the documentation", async () => {
    let before = "";
    await edit(released, (document) => {
      const info = document["info"] as Json; // of an OpenAPI document
      before = toVersionBefore(String(info["version"]));
      return { ...document, info: { ...info, version: before, description: "As it was." } };
    });
    await addChangeset("patch");
    await prepareRelease(root);
    const kept = await readFile(join(root, `apps/docs/released/${before}.json`), "utf8");
    expect(JSON.parse(kept).info.version).toBe(before);
    const next = await readFile(join(root, released), "utf8");
    expect(JSON.parse(next).info.version).not.toBe(before);
  });

  test("a tree in which everything is released stays as it is", async () => {
    await prepareRelease(root);
    expect(await listChanges()).toBe("");
  });

  test("versions and the changelog are made of the changesets", async () => {
    const [major, minor, patch] = (await versionOf("api")).split(".");
    await addChangeset("patch");
    await prepareRelease(root);
    expect(await versionOf("api")).toBe(`${major}.${minor}.${Number(patch) + 1}`);
    expect(await readFile(join(root, "CHANGELOG.md"), "utf8")).toContain("what changes.");
    expect(await listChanges()).toContain("D .changeset/one.md");
  });
});

test("the changesets that wait make the version that the contract has", async () => {
  const planned = await planCarrierVersion(repository);
  const contract = await readContractVersion(repository);
  expect(() => checkCarrierVersion(planned, contract)).not.toThrow();
});

test.each([
  ["1.4.0", "1.4.0"],
  ["1.4.7", "1.4.0"],
])("%s carries the contract %s", (carrier, contract) => {
  expect(() => checkCarrierVersion(carrier, contract)).not.toThrow();
});

test.each([
  ["1.5.0", "1.4.0"],
  ["2.0.0", "1.4.0"],
  ["0.1.0", "1.0.0"],
])("%s does not carry the contract %s", (carrier, contract) => {
  expect(() => checkCarrierVersion(carrier, contract)).toThrow(
    `@call-media/api would be ${carrier}, but the contract's info.version is ${contract}`,
  );
});
