// A place for the files of a test.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** An empty folder, removed when it is disposed of. */
export async function createFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "call-media-client-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
