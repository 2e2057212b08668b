// The second half of a release: rebuilds, packs and checks what npm lacks, and publishes the checked tarballs unchanged.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { lintPackage } from "./package-lint.ts";
import { findPackageFaults } from "./package-rules.ts";
import { type PackedPackage, readPacked } from "./packed-package.ts";
import { runContractGate } from "./prepare.ts";
import {
  changeset,
  checkCarrierVersion,
  readCarrierVersion,
  readContractVersion,
} from "./release-plan.ts";
import { pnpmOf, run } from "./run.ts";

/** Packs unpublished packages into `out`. Throws an Error with all reasons why the tree or a tarball must not be published. */
export async function packRelease(root: string, out: string): Promise<PackedPackage[]> {
  await checkPrepared(root);
  await run([pnpmOf(root), "exec", "turbo", "run", "build", "--force", "--filter=./packages/*"], {
    cwd: root,
  });
  await changeset(root, "pack", "--out-dir", out);
  const packages = await readPacked(out);
  const faults = [
    ...packages.flatMap(findPackageFaults),
    ...packages.flatMap((packed) => findForeignOrigin(packed, process.env["GITHUB_REPOSITORY"])),
    ...(await Promise.all(packages.map(lintPackage))).flat(),
  ];
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return packages;
}

/**
 * Publishes the tarballs that `packRelease` left in `out`, dependencies first, and tags the commit. In a workflow that may
 * request an identity, npm signs their origin (provenance).
 */
export async function publishPacked(root: string, out: string): Promise<void> {
  const canSign = process.env["ACTIONS_ID_TOKEN_REQUEST_URL"] !== undefined;
  const options = ["--access", "public", ...(canSign ? ["--provenance"] : [])];
  for (const tarball of await readOrder(out)) {
    await run(["npm", "publish", join(out, tarball), ...options], { cwd: out });
  }
  await changeset(root, "git-tag");
}

async function checkPrepared(root: string): Promise<void> {
  const waiting = (await readdir(join(root, ".changeset"))).filter(
    (name) => name.endsWith(".md") && name !== "README.md",
  );
  if (waiting.length > 0) {
    throw new Error(
      `${waiting.length} changesets wait in .changeset/: run pnpm release:prepare first`,
    );
  }
  await runContractGate(root, "check");
  checkCarrierVersion(await readCarrierVersion(root), await readContractVersion(root));
}

// npm rejects provenance if its repository differs from the publishing one; this check does so before anything is published.
function findForeignOrigin({ manifest }: PackedPackage, publisher: string | undefined): string[] {
  if (publisher === undefined) return [];
  const expected = `git+https://github.com/${publisher}.git`;
  const { url } = manifest.repository ?? {};
  return url === expected ? [] : [`${manifest.name}: repository is ${url}, not ${expected}`];
}

async function readOrder(out: string): Promise<string[]> {
  const text = await readFile(join(out, "publish-plan.json"), "utf8");
  const { plan } = JSON.parse(text) as { plan: { tarball?: { path: string } }[][] }; // written by `changeset pack`
  return plan.flat().flatMap(({ tarball }) => (tarball === undefined ? [] : [tarball.path]));
}
