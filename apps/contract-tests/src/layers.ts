// Checks in which direction the packages of this repository depend on each other.
import { posix } from "node:path";
import type { WorkspacePackage } from "./workspace.ts";

const SCOPE = "@call-media/";

/** Packages that run tests or serve them. Every package may use them, but only during development. */
const FOR_TESTS: ReadonlySet<string> = new Set(["@call-media/test-setup", "@call-media/testing"]);

/** spec -> api -> {client, store, conformance}; words -> { client, store, service, conformance, handover, cli }; client -> handover -> { import, cli }; client + words -> conditions -> cli; store -> { import, service } -> { server, testing }; contract-diff -> conformance; client + conformance + contract-diff -> cli. terminal -> { cli, server }; sound -> { client, handover, store, import, cli }. Apps stand on all of them. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  "test-setup": [],
  spec: [],
  api: ["spec"],
  words: [],
  terminal: [],
  sound: [],
  client: ["api", "sound", "words"],
  store: ["api", "sound", "words"],
  conformance: ["api", "contract-diff", "words"],
  "contract-diff": [],
  conditions: ["api", "client", "words"],
  handover: ["api", "client", "sound", "words"],
  import: ["api", "handover", "sound", "store"],
  service: ["api", "store", "words"],
  testing: ["api", "service", "store"],
  server: ["api", "import", "service", "store", "terminal"],
  cli: [
    "api",
    "client",
    "conditions",
    "conformance",
    "contract-diff",
    "handover",
    "sound",
    "terminal",
    "words",
  ],
};

/** One sentence for each broken rule; empty if the workspace keeps them. */
export function findLayerFaults(workspace: readonly WorkspacePackage[]): string[] {
  return workspace.flatMap((member) => [
    ...findWrongDependencies(member),
    ...findUndeclaredImports(member),
    ...findEscapes(member),
    ...(member.name === `${SCOPE}store` ? findBreaches(member) : []),
    ...(member.name === `${SCOPE}conformance` ? findOwnContract(member) : []),
    ...findCircles(member),
  ]);
}

function findWrongDependencies({ name, folder, ...declared }: WorkspacePackage): string[] {
  const isApp = folder.startsWith("apps/");
  const below = isApp ? Object.keys(BELOW) : BELOW[name.slice(SCOPE.length)];
  if (below === undefined) return [`${name} has no place in the layers`];
  const forTests = declared.devDependencies.filter((other) => !FOR_TESTS.has(other));
  return [...declared.dependencies, ...forTests]
    .filter((other) => other.startsWith(SCOPE) && !below.includes(other.slice(SCOPE.length)))
    .map((other) => `${name} must not depend on ${other}`);
}

function findUndeclaredImports(member: WorkspacePackage): string[] {
  const { name, folder, dependencies, devDependencies, sources } = member;
  return sources.flatMap(({ path, imports }) => {
    // A published package must declare everything that it needs to run.
    const isPublished = path.startsWith(`${folder}/src/`) && folder.startsWith("packages/");
    const declared = isPublished ? dependencies : [...dependencies, ...devDependencies];
    return imports
      .filter((specifier) => specifier.startsWith(SCOPE))
      .map((specifier) => specifier.split("/").slice(0, 2).join("/"))
      .filter((other) => other !== name && !declared.includes(other))
      .map((other) => `${path} imports ${other}, which ${name} does not declare`);
  });
}

/** The server's tests check over HTTP what the service's tests check, and share their code. */
const LENT: Readonly<Record<string, string>> = {
  "packages/server/test/": "packages/service/test/support/",
};

function findEscapes({ folder, sources }: WorkspacePackage): string[] {
  const lent = LENT[`${folder}/test/`] ?? `${folder}/`;
  return sources.flatMap(({ path, imports }) =>
    imports
      .filter((specifier) => specifier.startsWith("."))
      .filter((specifier) => {
        const target = posix.join(posix.dirname(path), specifier);
        const isLent = path.startsWith(`${folder}/test/`) && target.startsWith(lent);
        return !isLent && !target.startsWith(`${folder}/`);
      })
      .map((specifier) => `${path} imports ${specifier}, which is outside of ${folder}`),
  );
}

/** Inside the store: the modules that a folder of src, or a file next to them, may import. `index.ts` is the entry point of the package. */
const WALLS: Readonly<Record<string, readonly string[]>> = {
  port: [],
  values: ["port"],
  media: ["port", "values"],
  writing: ["port", "values", "media"],
  memory: ["port", "values", "media", "writing"],
  postgres: ["port", "values", "media", "writing"],
  sqlite: ["port", "values", "media", "writing"],
  suite: ["index.ts", "values", "memory"],
  migrate: ["port", "values"],
  "coverage.ts": ["port", "values", "media"],
  "verify-media.ts": ["port", "values", "media"],
  "index.ts": ["port", "values", "media", "migrate", "coverage.ts", "verify-media.ts"],
  "open.ts": ["port", "media", "memory", "postgres", "sqlite"],
};

/** Modules of an engine, and the only folder that may import them. */
const ENGINES: Readonly<Record<string, string>> = { "node:sqlite": "sqlite", postgres: "postgres" };

function findBreaches({ folder, sources }: WorkspacePackage): string[] {
  const root = `${folder}/src/`;
  const toFolder = (path: string) => path.slice(root.length).split("/")[0] ?? "";
  return sources
    .filter(({ path }) => path.startsWith(root))
    .flatMap(({ path, imports }) => {
      const own = toFolder(path);
      const allowed = WALLS[own];
      if (allowed === undefined) return [`${path} has no place within the store`];
      return imports
        .filter((specifier) => {
          if (!specifier.startsWith(".")) return (ENGINES[specifier] ?? own) !== own;
          const other = toFolder(posix.join(posix.dirname(path), specifier));
          return other !== own && !allowed.includes(other);
        })
        .map((specifier) => `${path} imports ${specifier}, which ${own} must not know`);
    });
}

/** The kit checks any API: only the folder for Call Media and the package's entry point may know Call Media's contract. */
function findOwnContract({ folder, sources }: WorkspacePackage): string[] {
  const own = `${folder}/src/call-media/`;
  return sources
    .filter(({ path }) => path.startsWith(`${folder}/src/`) && !path.startsWith(own))
    .filter(({ path }) => path !== `${folder}/src/index.ts`)
    .flatMap(({ path, imports }) =>
      imports
        .filter((specifier) =>
          specifier.startsWith(".")
            ? posix.join(posix.dirname(path), specifier).startsWith(own)
            : specifier.startsWith(`${SCOPE}api`),
        )
        .map((specifier) => `${path} imports ${specifier}, but the kit is for any API`),
    );
}

/** One sentence for each import cycle, including imports of types, with the files in it. */
function findCircles({ sources }: WorkspacePackage): string[] {
  const imports = new Map(
    sources.map(({ path, imports: specifiers }) => [
      path,
      specifiers
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => posix.join(posix.dirname(path), specifier)),
    ]),
  );
  const circles: string[] = [];
  const done = new Set<string>();
  const follow = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path);
    if (start !== -1) circles.push([...way.slice(start), path].join(" -> "));
    if (start !== -1 || done.has(path)) return;
    for (const next of imports.get(path) ?? []) follow(next, [...way, path]);
    done.add(path);
  };
  for (const path of imports.keys()) follow(path, []);
  return circles.map((circle) => `imports go in a circle: ${circle}`);
}
