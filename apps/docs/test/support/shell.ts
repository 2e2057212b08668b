// A shell as a reader of the site has it: the programs installed, his credentials in the environment, a folder of his own.
import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REPOSITORY, SITE } from "../../src/places.ts";
import type { Demo } from "./demo.ts";

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

export interface Shell extends AsyncDisposable {
  /** The reader's folder. */
  readonly folder: string;
  /** Runs lines until one of them fails. `typed` is what is on standard input. */
  readonly run: (lines: string, typed?: string) => Promise<Ended>;
}

const PROGRAMS: Readonly<Record<string, string>> = {
  "call-media": "packages/cli",
  "call-media-server": "packages/server",
};

// A refusal is a failure here; curl itself takes it for a success. Its progress is of no use without a terminal.
const PREFACE = 'curl() { command curl --fail-with-body --silent --show-error "$@"; }\n';

export async function openShell({ baseUrl, credentials, apiKey }: Demo): Promise<Shell> {
  const folder = await mkdtemp(join(tmpdir(), "call-media-reader-"));
  // As after `npm install`.
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await symlink(join(SITE, "node_modules"), join(folder, "node_modules"));
  const bin = await mkdtemp(join(tmpdir(), "call-media-bin-"));
  await symlink(process.execPath, join(bin, "node"));
  for (const [name, from] of Object.entries(PROGRAMS)) await install(join(bin, name), from);
  const env = {
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, ".config"),
    PATH: `${bin}:${process.env["PATH"]}`,
    CALL_MEDIA_BASE_URL: baseUrl,
    CALL_MEDIA_SECRET_ID: credentials.secretID,
    CALL_MEDIA_SECRET_KEY: credentials.secretKey,
    CALL_MEDIA_API_KEY: apiKey,
  };
  return {
    folder,
    run: (lines, typed = "") => {
      const shell = spawn("bash", ["-ec", PREFACE + lines], { cwd: folder, env });
      const said = { out: "", error: "" };
      shell.stdout.on("data", (chunk: Buffer) => (said.out += chunk.toString()));
      shell.stderr.on("data", (chunk: Buffer) => (said.error += chunk.toString()));
      shell.stdin.on("error", () => {}); // it may end without having read
      shell.stdin.end(typed);
      return new Promise((resolve) => shell.on("close", (code) => resolve({ code, ...said })));
    },
    [Symbol.asyncDispose]: async () => {
      await rm(folder, { recursive: true });
      await rm(bin, { recursive: true });
    },
  };
}

async function install(file: string, folder: string): Promise<void> {
  const main = join(REPOSITORY, folder, "src/main.ts");
  await writeFile(file, `#!/bin/sh\nexec node "${main}" "$@"\n`);
  await chmod(file, 0o755);
}
