// Rules for the required and forbidden content of a tarball.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PackedPackage } from "./packed-package.ts";
import { repository } from "./run.ts";

// Apache License 2.0, section 4 (d). Everything below the first lines concerns files that no package contains.
const NOTICE = readFileSync(join(repository, "NOTICE"), "utf8");

type Rule = (packed: PackedPackage) => readonly string[];

const isRequired = ["description", "keywords", "homepage", "bugs", "license", "engines", "exports"];

// Specifiers of a dependency that only work in this repository.
const LOCAL_SPECIFIER = /^(?:workspace|link|file|portal|catalog|patch):/;

const DEVELOPMENT =
  /(?<!\.d)\.[cm]?ts$|\.map$|\.tsbuildinfo$|(?:^|\/)(?:tests?|scripts|make|node_modules)\/|\.test\.|tsconfig|(?:^|\/)\./;

const rules: Readonly<Record<string, Rule>> = {
  "says what it is": ({ manifest }) =>
    isRequired
      .filter((key) => manifest[key] === undefined)
      .map((key) => `package.json has no ${key}`),

  "says where it comes from": ({ manifest: { name, repository: origin } }) => {
    const directory = toFolder(name);
    const isThere = origin?.url?.startsWith("git+https://") && origin.directory === directory;
    return isThere ? [] : [`package.json: repository must have a git+https url and ${directory}`];
  },

  "is for all": ({ manifest }) =>
    JSON.stringify(manifest["publishConfig"] ?? {}).includes('"access":"public"')
      ? []
      : ["package.json: publishConfig.access must be public"],

  "has text for people": ({ paths }) =>
    ["README.md", "LICENSE", "NOTICE"]
      .filter((path) => !paths.includes(path))
      .map((path) => `no ${path}`),

  "has the notice that its licence has others pass on": ({ paths, read }) =>
    paths.includes("NOTICE") && !NOTICE.startsWith(read("NOTICE"))
      ? ["NOTICE is not the beginning of that of the repository"]
      : [],

  "has the licences of the packages that its pages contain": ({ paths }) =>
    paths.some((path) => path.startsWith("dist/pages/console/")) &&
    !paths.includes("dist/pages/console/licences.md")
      ? ["no dist/pages/console/licences.md"]
      : [],

  "depends on what npm can find": ({ manifest }) =>
    ["dependencies", "optionalDependencies", "peerDependencies", "devDependencies"]
      .flatMap((kind) => Object.entries(manifest[kind] ?? {}))
      .filter(([, specifier]) => LOCAL_SPECIFIER.test(specifier))
      .map(([name, specifier]) => `package.json: ${name} is ${specifier}`),

  "holds no file of development": ({ paths }) =>
    paths
      .filter((path) => DEVELOPMENT.test(path))
      .map((path) => `${path} is for development alone`),

  "holds nothing that has no source any more": ({ manifest, paths }) =>
    paths
      .filter((path) => path.startsWith("dist/") && isModule(path))
      .filter((path) => !hasSource(toFolder(manifest.name), path))
      .map((path) => `${path} was built from a source that is gone: remove dist/ and build`),

  "has types for every module": ({ paths }) =>
    paths
      .filter(isModule)
      .filter((path) => !paths.includes(path.replace(/\.js$/, ".d.ts")))
      .map((path) => `${path} has no .d.ts`),

  "tells nothing of the machine that built it": ({ paths, read }) =>
    paths
      .filter((path) => /\.(?:js|ts|json|html|md|ya?ml)$/.test(path))
      .filter((path) => read(path).includes(repository.slice(0, -1)))
      .map((path) => `${path} names a folder of this machine`),

  "names no source map": ({ paths, read }) =>
    paths
      .filter((path) => path.endsWith(".js") && /^\/\/# sourceMappingURL=/m.test(read(path)))
      .map((path) => `${path} names a source map, and none is shipped`),
};

/** One sentence for each fault, with the package's name; empty if it may be published. */
export function findPackageFaults(packed: PackedPackage): string[] {
  return Object.values(rules).flatMap((rule) =>
    rule(packed).map((fault) => `${packed.manifest.name}: ${fault}`),
  );
}

// Scripts of the documentation are for browsers; apps/docs creates them.
const isModule = (path: string) => path.endsWith(".js") && !path.startsWith("dist/pages/");

const toFolder = (name: string) => `packages/${name.split("/")[1]}`;

function hasSource(folder: string, built: string): boolean {
  const module = built.slice("dist/".length).replace(/\.js$/, ".ts");
  return [join("src", module), module].some((path) => existsSync(join(repository, folder, path)));
}
