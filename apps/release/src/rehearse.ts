// A complete local release: prepared, published to its own registry, installed and used in empty projects.
import { appendFile, copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTypeErrors, resolutions } from "./compile.ts";
import { type PackedPackage, readPacked } from "./packed-package.ts";
import { toProgram } from "./readme-examples.ts";
import { startRegistry } from "./registry.ts";
import { pnpmOf, repository, run, type Surroundings } from "./run.ts";
import {
  checkContract,
  countExports,
  createStranger,
  listModules,
  listPeers,
  serveDemo,
} from "./stranger.ts";

/** The first and the newest version of every supported line; the minimum version of each package is added. */
const NODES = ["22", "24.0.0", "24", "26.0.0", "26"];

const COMPILERS = ["5.5", "5.6", "5.7", "5.8", "5.9", "6.0", "7.0"];

const TYPES = "@types/node@24.19.2";

/** Prints a line for each step. Throws an Error that names the failure. */
export async function rehearse(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "call-media-rehearsal-"));
  try {
    await using registry = await startRegistry(join(folder, "registry"));
    const variables = { NPM_CONFIG_USERCONFIG: registry.settings };
    say("the registry runs");
    const packages = await publish(folder, variables);
    await tryNodes(packages, variables);
    await tryCompilers(packages, variables);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function publish(folder: string, variables: Variables): Promise<readonly PackedPackage[]> {
  const root = join(folder, "tree");
  await run(["git", "clone", "--quiet", `file://${repository}`, root], { cwd: folder });
  await run([pnpmOf(repository), "install", "--frozen-lockfile", "--prefer-offline"], {
    cwd: root,
  });
  // pnpm reads the settings of the tree; npm reads those that the environment names.
  await copyFile(variables.NPM_CONFIG_USERCONFIG, join(root, ".npmrc"));
  await appendFile(join(root, ".git/info/exclude"), ".npmrc\n");
  const release = (command: string, ...args: readonly string[]) =>
    run([process.execPath, "apps/release/src/main.ts", command, ...args], { cwd: root, variables });
  await release("prepare");
  say("versions and the changelog are written");
  await commit(root);
  const out = join(folder, "tarballs");
  await release("publish", out);
  const packages = await readPacked(out);
  for (const { manifest } of packages) say(`published ${manifest.name} ${manifest.version}`);
  const again = await readPacked(await repeat(release, join(folder, "again")));
  if (again.length > 0) throw new Error("what is published was to be published again");
  say("a second publication finds nothing to publish");
  return packages;
}

type Release = (command: string, ...args: readonly string[]) => Promise<string>;

type Variables = { readonly NPM_CONFIG_USERCONFIG: string };

async function repeat(release: Release, out: string): Promise<string> {
  await release("publish", out);
  return out;
}

async function commit(root: string): Promise<void> {
  const identity = ["-c", "user.name=Rehearsal", "-c", "user.email=rehearsal@example.com"];
  await run(["git", "add", "--all"], { cwd: root });
  await run(["git", ...identity, "commit", "--quiet", "--allow-empty", "--message", "Release"], {
    cwd: root,
  });
}

/** Tests all packages on every Node.js line and on their own minimum version; the demo on all that can run the server. */
async function tryNodes(packages: readonly PackedPackage[], variables: Variables): Promise<void> {
  const floors = packages.map(({ manifest }) => toFloor(manifest.engines?.node));
  for (const version of [...new Set(floors), ...NODES].toSorted(compareVersions)) {
    const fitting = packages.filter(
      (_, at) => compareVersions(version, floors[at] ?? "0") >= 0 || NODES.includes(version),
    );
    await using stranger = await createStranger(variables);
    await stranger.install([...fitting.map(toSpecifier), ...listPeers(fitting)]);
    await using runtime = await createStranger();
    await runtime.install([`node@${version}`]);
    const node = join(runtime.cwd, "node_modules/node/bin/node");
    const surroundings: Surroundings = { cwd: stranger.cwd, node, variables };
    const found = (await run(["node", "--version"], surroundings)).trim();
    await countExports(listModules(fitting), surroundings);
    if (fitting.length === packages.length) {
      await using demo = await serveDemo(surroundings);
      await checkContract(demo, surroundings);
    }
    say(`Node.js ${found}: ${fitting.length} packages`);
  }
}

async function tryCompilers(
  packages: readonly PackedPackage[],
  variables: Variables,
): Promise<void> {
  await using stranger = await createStranger(variables);
  await stranger.install([...packages.map(toSpecifier), ...listPeers(packages), TYPES]);
  const files = await Promise.all(
    packages.map(async ({ manifest, read }) => {
      const name = `${manifest.name.split("/")[1]}.README.ts`;
      await writeFile(join(stranger.cwd, name), toProgram(read("README.md")));
      return name;
    }),
  );
  for (const version of COMPILERS) {
    await using tool = await createStranger();
    await tool.install([`typescript@~${version}.0`]);
    const compiler = join(tool.cwd, "node_modules/typescript/bin/tsc");
    for (const resolution of resolutions) {
      const errors = await findTypeErrors({ cwd: stranger.cwd, compiler, resolution, files });
      if (errors !== "") throw new Error(`TypeScript ${version}, ${resolution}: ${errors}`);
    }
    say(`TypeScript ${version}: the examples of every README compile`);
  }
}

const toSpecifier = ({ manifest }: PackedPackage) => `${manifest.name}@${manifest.version}`;

/** ">=22.16" to "22.16.0". */
function toFloor(engines = ""): string {
  const [, major = "0", minor = "0", patch = "0"] =
    /^>=(\d+)(?:\.(\d+))?(?:\.(\d+))?$/.exec(engines) ?? [];
  return [major, minor, patch].join(".");
}

const compareVersions = (a: string, b: string) => a.localeCompare(b, "en", { numeric: true });

function say(line: string): void {
  console.log(`rehearsal: ${line}`);
}
