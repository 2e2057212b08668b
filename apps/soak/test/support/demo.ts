// The demo archive, made once for all tests by the operator's own program.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startProcess } from "./process.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the archive. */
    readonly demo: string;
    /** What `demo --json` printed. */
    readonly demoAccess: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "call-media-soak-demo-"));
  const demo = join(folder, "archive");
  const { code, stdout, stderr } = await startProcess([
    "demo",
    "--data",
    demo,
    "--json",
    "--as-of",
    "2026-11-01",
  ]).ended;
  if (code !== 0) throw new Error(`the demo archive could not be made: ${stderr}`);
  project.provide("demo", demo);
  project.provide("demoAccess", stdout);
  return () => rm(folder, { recursive: true });
}
