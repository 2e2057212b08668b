// A published package as its tarball contains it: the manifest, the files, and the source folder.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createPackageFromTarballData } from "@arethetypeswrong/core";
import { pnpmOf, run } from "./run.ts";

/** The part of a package.json that this program reads. */
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
  /** Files, relative to the root of the package, for example dist/index.js. */
  readonly paths: readonly string[];
  readonly read: (path: string) => string;
}

/** Packs every package of `packages/` below `root` in its current build. */
export async function packAll(root: string, destination: string): Promise<PackedPackage[]> {
  const pack = ["--recursive", "--filter", "./packages/*", "pack"];
  await run([pnpmOf(root), ...pack, "--pack-destination", destination], { cwd: root });
  return readPacked(destination);
}

/** Reads the tarballs of a folder and its subfolders. */
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
    manifest: JSON.parse(read("package.json")) as Manifest, // the rules check each key
    paths: content.listFiles().map((path) => path.slice(top.length)),
    read,
  };
}
