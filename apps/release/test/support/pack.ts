// The packages as tarballs, packed once for all tests; in a release, the tarballs to publish.
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { packAll, readPacked } from "../../src/packed-package.ts";
import { repository } from "../../src/run.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder with the tarballs. */
    packed: string;
  }
}

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "call-media-packed-"));
  const packed = await packAll(repository, folder);
  const release = process.env["CALL_MEDIA_RELEASE"];
  // A release has no tarball of packages that are already published.
  for (const { manifest, tarball } of release === undefined ? [] : await readPacked(release)) {
    const same = packed.find(({ manifest: { name } }) => name === manifest.name);
    if (same === undefined) throw new Error(`the build has no package ${manifest.name}`);
    await copyFile(tarball, same.tarball);
    console.log(`tried as it is to be published: ${manifest.name} ${manifest.version}`);
  }
  provide("packed", folder);
  return () => rm(folder, { recursive: true });
}
