// A published package as its tarball has it: the manifest, the files, and the folder it was made from.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createPackageFromTarballData } from "@arethetypeswrong/core";
import { pnpmOf, run } from "./run.ts";

/** What this program reads of a package.json. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly engines?: { readonly node?: string };
  readonly repository?: { readonly url?: string; readonly directory?: string };
  readonly [key: string]: unknown;
}

export interface PackedPackage {
  /** Path of the tarball. */
  readonly tarball: string;
  readonly manifest: Manifest;
  /** Files, from the top of the package, for example dist/index.js. */
  readonly paths: readonly string[];
  readonly read: (path: string) => string;
}

/** Packs every package of `packages/` below `root` as it is built now. */
export async function packAll(root: string, destination: string): Promise<PackedPackage[]> {
  const pack = ["--recursive", "--filter", "./packages/*", "pack"];
  await run([pnpmOf(root), ...pack, "--pack-destination", destination], { cwd: root });
  return readPacked(destination);
}

/** Reads the tarballs of a folder, and of the folders in it. */
export async function readPacked(folder: string): Promise<PackedPackage[]> {
  const names = await readdir(folder, { recursive: true });
  const tarballs = names.filter((name) => name.endsWith(".tgz")).toSorted();
  return Promise.all(tarballs.map((name) => readTarball(join(folder, name))));
}

async function readTarball(tarball: string): Promise<PackedPackage> {
  const content = createPackageFromTarballData(await readFile(tarball));
  const top = `/node_modules/${content.packageName}/`;
  const read = (path: string) => content.readFile(top + path);
  return {
    tarball,
    manifest: JSON.parse(read("package.json")) as Manifest, // the rules look at each key
    paths: content.listFiles().map((path) => path.slice(top.length)),
    read,
  };
}
