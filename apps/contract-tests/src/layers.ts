// In which direction the packages of this repository may depend on each other, and what goes against it.
import { posix } from "node:path";
import type { WorkspacePackage } from "./workspace.ts";

const SCOPE = "@call-media/";

/** How tests run: of every package, and only while it is developed. */
const TEST_SETUP = "@call-media/test-setup";

/** spec -> api -> {client, store, conformance}; client -> handover; store -> { import, service } -> server; client + conformance + contract-diff + handover -> cli. Apps stand on all of them. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  "test-setup": [],
  spec: [],
  api: ["spec"],
  client: ["api"],
  store: ["api"],
  conformance: ["api"],
  "contract-diff": [],
  handover: ["api", "client"],
  import: ["api", "store"],
  service: ["api", "store"],
  server: ["api", "import", "service", "store"],
  cli: ["api", "client", "conformance", "contract-diff", "handover"],
};

/** One sentence for each break of a rule; none when the workspace keeps them. */
export function findLayerFaults(workspace: readonly WorkspacePackage[]): string[] {
  return workspace.flatMap((member) => [
    ...findWrongDependencies(member),
    ...findUndeclaredImports(member),
    ...findEscapes(member),
  ]);
}

function findWrongDependencies({ name, folder, ...declared }: WorkspacePackage): string[] {
  const isApp = folder.startsWith("apps/");
  const below = isApp ? Object.keys(BELOW) : BELOW[name.slice(SCOPE.length)];
  if (below === undefined) return [`${name} has no place in the layers`];
  const forTests = declared.devDependencies.filter((other) => other !== TEST_SETUP);
  return [...declared.dependencies, ...forTests]
    .filter((other) => other.startsWith(SCOPE) && !below.includes(other.slice(SCOPE.length)))
    .map((other) => `${name} must not depend on ${other}`);
}

function findUndeclaredImports(member: WorkspacePackage): string[] {
  const { name, folder, dependencies, devDependencies, sources } = member;
  return sources.flatMap(({ path, imports }) => {
    // What is published has to name what it needs to run.
    const isPublished = path.startsWith(`${folder}/src/`) && folder.startsWith("packages/");
    const declared = isPublished ? dependencies : [...dependencies, ...devDependencies];
    return imports
      .filter((specifier) => specifier.startsWith(SCOPE))
      .map((specifier) => specifier.split("/").slice(0, 2).join("/"))
      .filter((other) => other !== name && !declared.includes(other))
      .map((other) => `${path} imports ${other}, which ${name} does not declare`);
  });
}

function findEscapes({ folder, sources }: WorkspacePackage): string[] {
  return sources.flatMap(({ path, imports }) =>
    imports
      .filter((specifier) => specifier.startsWith("."))
      .filter((specifier) => !posix.join(posix.dirname(path), specifier).startsWith(`${folder}/`))
      .map((specifier) => `${path} imports ${specifier}, which is outside of ${folder}`),
  );
}
