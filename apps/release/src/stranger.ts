// The project of a new user: an empty folder, the packages installed by npm, and the first steps.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { PackedPackage } from "./packed-package.ts";
import { run, type Surroundings, toEnvironment } from "./run.ts";

export interface Stranger extends AsyncDisposable {
  readonly cwd: string;
  /**
   * Installs npm specifiers, and packages from their tarballs. The latter may depend on each other: no registry is asked for
   * them, because it may not have them yet.
   */
  readonly install: (
    specifiers: readonly string[],
    packed?: readonly PackedPackage[],
  ) => Promise<void>;
}

// By default npm waits up to a minute for each of hundreds of packages, so an unreachable registry looks like a standstill.
const RETRIES = ["--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000"];

/** Creates an empty project of ES modules, removed on disposal. */
export async function createStranger(variables: Surroundings["variables"] = {}): Promise<Stranger> {
  const cwd = await mkdtemp(join(tmpdir(), "call-media-stranger-"));
  const npm = ["npm", "install", "--prefer-offline", "--no-audit", "--no-fund", ...RETRIES];
  return {
    cwd,
    install: async (specifiers, packed = []) => {
      await writeFile(join(cwd, "package.json"), JSON.stringify(toProject(packed)));
      await run([...npm, "--engine-strict", ...specifiers], { cwd, variables });
    },
    // A service that is shutting down may still write to it.
    [Symbol.asyncDispose]: () => rm(cwd, { recursive: true, maxRetries: 10 }),
  };
}

/** An empty project of ES modules, or one with the packages. */
function toProject(packed: readonly PackedPackage[]) {
  const dependencies = packed.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]);
  const overrides = packed.map(({ manifest: { name } }) => [name, `$${name}`]);
  return {
    private: true,
    type: "module",
    dependencies: Object.fromEntries(dependencies) as Record<string, string>,
    overrides: Object.fromEntries(overrides) as Record<string, string>,
  };
}

/** Every module entry of the packages, by its import specifier: `@call-media/client/node`. */
export function listModules(packages: readonly PackedPackage[]): string[] {
  return packages.flatMap(({ manifest: { name, exports = {} } }) =>
    Object.keys(exports)
      .filter((entry) => !/\.(?:json|ya?ml)$/.test(entry))
      .map((entry) => name + entry.slice(1)),
  );
}

/** The peer dependencies of the packages, as npm specifiers. They are optional, but some modules need them. */
export function listPeers(packages: readonly PackedPackage[]): string[] {
  const peers = packages.flatMap(({ manifest }) => Object.entries(manifest.peerDependencies ?? {}));
  return [...new Set(peers.map(([name, range]) => `${name}@${range}`))];
}

/** Imports every module in one program, and returns the number of exports of each. */
export async function countExports(
  modules: readonly string[],
  surroundings: Surroundings,
): Promise<Record<string, number>> {
  const program = `
    const counts = {};
    for (const name of ${JSON.stringify(modules)}) counts[name] = Object.keys(await import(name)).length;
    console.log(JSON.stringify(counts));`;
  await writeFile(join(surroundings.cwd, "import-all.js"), program);
  return JSON.parse(await run(["node", "import-all.js"], surroundings));
}

/** The fields of `call-media-server demo --json` that are needed here. */
export interface Demo {
  readonly baseUrl: string;
  readonly credentials: { readonly secretID: string; readonly secretKey: string };
  readonly examples: { readonly call_id: string };
}

/** Creates the demo archive and serves it until disposal. */
export async function serveDemo(surroundings: Surroundings): Promise<Demo & AsyncDisposable> {
  const demo = ["@call-media/server", "demo", "--json"];
  const access: Demo = JSON.parse(await run(["npx", ...demo], surroundings));
  const profile = join(surroundings.cwd, "profile.json");
  await writeFile(profile, JSON.stringify(access), { mode: 0o600 });
  const serve = ["@call-media/server", "serve", "--port", "0"];
  const service = spawn("npx", [...serve, "--log-format", "json"], {
    cwd: surroundings.cwd,
    env: toEnvironment(surroundings),
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  return {
    ...access,
    baseUrl: await untilStarted(service),
    [Symbol.asyncDispose]: () => stop(service),
  };
}

/** Checks that the service keeps the contract, with `call-media check`. Throws an Error with its report if not. */
export async function checkContract(demo: Demo, surroundings: Surroundings): Promise<string> {
  const check = ["@call-media/cli", "check", "--base-url", demo.baseUrl];
  return run(["npx", ...check, "--profile", "profile.json"], surroundings);
}

async function untilStarted({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error("the service has no standard error");
  const lines: string[] = [];
  for await (const line of createInterface({ input: stderr })) {
    lines.push(line);
    const url = /"url":"(?<url>http:[^"]+)"/.exec(line)?.groups?.["url"];
    if (url !== undefined) return url;
  }
  throw new Error(`the service did not start:\n${lines.join("\n")}`);
}

// Not every version of npx passes on signals, so the signal goes to its process group.
async function stop(service: ChildProcess): Promise<void> {
  if (service.pid === undefined || service.exitCode !== null) return;
  const ended = once(service, "exit");
  process.kill(-service.pid, "SIGTERM");
  await ended;
}
