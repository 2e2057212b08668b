// Reads the repository for its own rules: its packages, their dependencies, and the imports of their sources.
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { listTree } from "@call-media/test-setup/tree";
import { parseSync } from "oxc-parser";

export interface WorkspacePackage {
  readonly name: string;
  /** Relative to the root of the repository, for example packages/api. */
  readonly folder: string;
  /** Names of all dependencies that users of the package install. */
  readonly dependencies: readonly string[];
  /** Names of the development dependencies. */
  readonly devDependencies: readonly string[];
  readonly sources: readonly Source[];
}

export interface Source {
  /** Relative to the root of the repository. */
  readonly path: string;
  /** Imported and re-exported specifiers, verbatim. */
  readonly imports: readonly string[];
}

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export const repository = fileURLToPath(new URL("../../..", import.meta.url));

export function readWorkspace(): WorkspacePackage[] {
  const files = listTree();
  return files
    .filter((path) => /^(?:spec|test-setup|(?:packages|apps)\/[^/]+)\/package\.json$/.test(path))
    .map((path) => readPackage(posix.dirname(path), files));
}

function readPackage(folder: string, files: readonly string[]): WorkspacePackage {
  const manifest: Manifest = JSON.parse(readText(`${folder}/package.json`));
  const own = files.filter((path) => path.startsWith(`${folder}/`) && /\.[cm]?[jt]sx?$/.test(path));
  return {
    name: manifest.name,
    folder,
    dependencies: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
    devDependencies: Object.keys(manifest.devDependencies ?? {}),
    sources: own.map((path) => ({ path, imports: findImports(path, readText(path)) })),
  };
}

/** The imports of a source: static imports, dynamic imports of a literal name, types, and re-exports. */
export function findImports(path: string, text: string): string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module;
  const exported = staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
  );
  const dynamic = dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const [, name] = /^["'`]([^"'`$]+)["'`]$/.exec(text.slice(start, end)) ?? [];
    return name === undefined ? [] : [name];
  });
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...exported,
    ...dynamic,
  ];
}

function readText(path: string): string {
  return readFileSync(join(repository, path), "utf8");
}
