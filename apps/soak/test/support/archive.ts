// Archives for the faults: temporary folders that go with the test, and a demo archive of its own for each.
import { chmod, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";

/** An empty folder that is removed with the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "call-media-soak-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface DemoArchive {
  readonly directory: string;
  readonly credentials: { readonly secretID: string; readonly secretKey: string };
  readonly apiKey: string;
  readonly examples: {
    readonly call_id: string;
    readonly ref_id: string;
    readonly chat_call_id: string;
  };
}

/** The demo archive in a folder below `parent`, a temporary one when left out. */
export async function makeDemoArchive(parent?: string): Promise<DemoArchive> {
  const directory = join(parent ?? (await makeFolder()), "archive");
  await cp(inject("demo"), directory, { recursive: true });
  await chmod(directory, 0o700);
  return { directory, ...JSON.parse(inject("demoAccess")) };
}
