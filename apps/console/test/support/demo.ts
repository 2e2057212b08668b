// A real service over the demo archive, started as an operator starts it, with sessions of the console.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import type { Schema } from "@call-media/api";
import { build } from "@call-media/test-setup/built";

const PROGRAM = join(import.meta.dirname, "../../../../packages/server/src/main.ts");

build("@call-media/server"); // which serves the console as it was built

export interface Demo extends AsyncDisposable {
  readonly baseUrl: string;
  /** Where the archive is. */
  readonly directory: string;
  readonly credentials: Schema<"TokenRequest">;
  /** The credentials of a user with access to a part of the calls. */
  readonly restricted: Schema<"TokenRequest">;
  readonly apiKey: string;
  /** Imports a call with a recording, the file at `path`. */
  readonly addCall: (call_id: string, path: string) => Promise<void>;
  /** Runs a command of the server. */
  readonly run: (...args: string[]) => Promise<string>;
}

/** `options` are more of those of `serve`. */
export async function openDemo(...options: string[]): Promise<Demo> {
  const directory = await mkdtemp(join(tmpdir(), "call-media-console-"));
  const run = async (...args: string[]) =>
    // What an import writes beside itself goes with the folder of the test.
    (await promisify(execFile)(process.execPath, [PROGRAM, ...args], { cwd: dirname(directory) }))
      .stdout;
  const made = JSON.parse(
    await run("demo", "--data", directory, "--as-of", "2026-11-01", "--json"),
  ) as Demo; // with more in it
  const serve = ["serve", "--data", directory, "--port", "0", "--log-level", "error", ...options];
  const service = spawn(process.execPath, [PROGRAM, ...serve], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return {
    baseUrl: await readAddress(service),
    directory,
    credentials: made.credentials,
    restricted: made.restricted,
    apiKey: made.apiKey,
    run,
    async addCall(call_id, path) {
      const datetime = "2026-10-30T10:00:00Z";
      const call = { kind: "call", datetime, call_id, agent: "amara.okafor" };
      const list = join(dirname(path), `${call_id}.jsonl`);
      const media = [{ file: basename(path), start: datetime }];
      await writeFile(list, `${JSON.stringify({ ...call, media })}\n`);
      await run("import", "--data", directory, list);
    },
    [Symbol.asyncDispose]: async () => {
      service.kill();
      await once(service, "exit");
      await rm(directory, { recursive: true });
    },
  };
}

async function readAddress({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new TypeError("The service has no standard output");
  for await (const line of createInterface({ input: stdout })) {
    const address = / at (http:[^\s,]+)/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error("The service ended without saying where it is");
}
