// The packages as tarballs, packed once for all tests.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { packAll } from "../../src/packed-package.ts";
import { repository } from "../../src/run.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder with the tarballs. */
    packed: string;
  }
}

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "call-media-packed-"));
  await packAll(repository, folder);
  provide("packed", folder);
  return () => rm(folder, { recursive: true });
}
