// One demo service for all tests, started as an operator starts it; it serves the site as the server's package has it.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import type { Schema } from "@call-media/api";
import { build } from "@call-media/test-setup/built";
import type { TestProject } from "vitest/node";
import { REPOSITORY } from "../../src/places.ts";

/** The service, and what `call-media-server demo --json` prints of it. */
export interface Demo {
  readonly baseUrl: string;
  readonly credentials: Schema<"TokenRequest">;
  readonly apiKey: string;
}

declare module "vitest" {
  interface ProvidedContext {
    demo: Demo;
  }
}

const PROGRAM = join(REPOSITORY, "packages/server/src/main.ts");

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  build("@call-media/server"); // which serves the site as it was built
  const directory = await mkdtemp(join(tmpdir(), "call-media-docs-"));
  const command = [PROGRAM, "demo", "--data", directory, "--json", "--as-of", "2026-11-01"];
  const { stdout } = await promisify(execFile)(process.execPath, command);
  const { credentials, apiKey } = JSON.parse(stdout) as Demo; // with more in it
  const options = ["--port", "0", "--log-level", "error", "--console-session"];
  const serve = [PROGRAM, "serve", "--data", directory, ...options];
  const service = spawn(process.execPath, serve, { stdio: ["ignore", "pipe", "inherit"] });
  project.provide("demo", { baseUrl: await readAddress(service), credentials, apiKey });
  return async () => {
    service.kill();
    await once(service, "exit");
    await rm(directory, { recursive: true });
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
