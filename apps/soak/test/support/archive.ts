// Archives for the faults: temporary folders that go with the test, and the demo archive.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { runProgram } from "./program.ts";

/** An empty folder that is removed with the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "call-media-soak-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface DemoArchive {
  readonly directory: string;
  readonly credentials: { readonly secretID: string; readonly secretKey: string };
  readonly restricted: { readonly secretID: string; readonly secretKey: string };
  readonly apiKey: string;
  readonly examples: { readonly call_id: string; readonly ref_id: string };
}

export async function makeDemoArchive(): Promise<DemoArchive> {
  const directory = join(await makeFolder(), "archive");
  const { stdout } = await runProgram(["demo", "--data", directory, "--json"]);
  return { directory, ...(JSON.parse(stdout) as Omit<DemoArchive, "directory">) }; // what --json is documented to print
}
