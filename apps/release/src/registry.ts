// A local registry of npm packages for a rehearsal: ours are published to it, and it passes on all others.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { run, toEnvironment } from "./run.ts";

// Verdaccio requests node-fetch by the tag "cjs", which some mirrors of npm lack.
const TOOLS = {
  private: true,
  dependencies: { verdaccio: "6.10.4" },
  overrides: { "node-fetch": "2.7.0" },
};

const START_TIMEOUT_MS = 60_000;

export interface Registry extends AsyncDisposable {
  /** Path of a file like .npmrc that names the registry, with a token. */
  readonly settings: string;
}

/** Starts an empty registry in `folder`, on a free port of 127.0.0.1. */
export async function startRegistry(folder: string): Promise<Registry> {
  await mkdir(folder, { recursive: true });
  const port = await findFreePort();
  const uplink = (await run(["npm", "config", "get", "registry"], { cwd: folder })).trim();
  await writeFile(join(folder, "config.yaml"), toConfig(uplink));
  const settings = join(folder, "settings");
  const text = `registry=http://127.0.0.1:${port}/\n//127.0.0.1:${port}/:_authToken=rehearsal\n`;
  await writeFile(settings, text, { mode: 0o600 });
  await writeFile(join(folder, "package.json"), JSON.stringify(TOOLS));
  await run(["npm", "install", "--prefer-offline", "--no-audit", "--no-fund"], { cwd: folder });
  const listen = ["--config", "config.yaml", "--listen", `127.0.0.1:${port}`];
  const server = spawn(process.execPath, ["node_modules/.bin/verdaccio", ...listen], {
    cwd: folder,
    env: toEnvironment({ cwd: folder }),
    stdio: "ignore",
  });
  await untilReady(`http://127.0.0.1:${port}/-/ping`);
  return {
    settings,
    [Symbol.asyncDispose]: async () => {
      const ended = once(server, "exit");
      server.kill();
      await ended;
    },
  };
}

// Our names are never looked up elsewhere, so the installed packages are those published here.
function toConfig(uplink: string): string {
  return `storage: ./storage
uplinks:
  npm:
    url: ${uplink}
packages:
  "@call-media/*":
    access: $all
    publish: $all
  "**":
    access: $all
    proxy: npm
log: { type: stdout, format: pretty, level: error }
`;
}

async function untilReady(url: string): Promise<void> {
  const end = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < end) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await wait(200);
  }
  throw new Error(`the registry did not answer at ${url}`);
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
