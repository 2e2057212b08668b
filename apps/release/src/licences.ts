// Checks the licences of all dependencies, and writes the list that accompanies a release.
import spdxSatisfies from "spdx-satisfies";
import { pnpmOf, run } from "./run.ts";

// Permissive licences: they only require their text and the names of the authors to be kept.
const PERMISSIVE = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
  "WTFPL",
];

/** Development tools under other licences, and the reason why that is acceptable. */
const TOOLS: Readonly<Record<string, string>> = {
  "@cspell/dict-en-common-misspellings":
    "CC BY-SA 4.0: a list of misspelt words, read by the check of spelling",
  "axe-core":
    "MPL-2.0 covers its own files; a tool of the tests of the documentation, neither changed nor shipped",
  lightningcss:
    "MPL-2.0 covers its own files; a tool of the test runner, neither changed nor shipped",
  "spdx-exceptions": "CC-BY-3.0: a list of names, read by the check of licences",
  "spdx-ranges": "CC-BY-3.0: a list of names, read by the check of licences",
};

export interface Dependency {
  readonly name: string;
  readonly versions: readonly string[];
  /** An SPDX expression, or other text in its place. */
  readonly license: string;
  readonly homepage?: string;
}

/** Everything installed with the packages; with `development`, everything that this repository uses. */
export async function listDependencies(
  root: string,
  scope: "shipped" | "development",
): Promise<Dependency[]> {
  const filter = scope === "shipped" ? ["--filter", "./packages/*", "--prod"] : [];
  const list = ["--recursive", ...filter, "licenses", "list", "--json"];
  const byLicence: Record<string, Dependency[]> = JSON.parse(
    await run([pnpmOf(root), ...list], { cwd: root }),
  );
  return Object.values(byLicence)
    .flat()
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** A sentence for each dependency that may not be used; empty if all may. */
export function findLicenceFaults(
  dependencies: readonly Dependency[],
  scope: "shipped" | "development",
): string[] {
  return dependencies
    .filter(({ name, license }) => !isPermissive(license) && !isTool(name, scope))
    .map(({ name, versions, license }) => `${name} ${versions.join(", ")}: ${license}`);
}

/** The list for readers: a table in Markdown. */
export function toLicenceTable(dependencies: readonly Dependency[]): string {
  const rows = dependencies.map(
    ({ name, versions, license, homepage = "" }) =>
      `| ${name} | ${versions.join(", ")} | ${license} | ${homepage} |`,
  );
  const head = ["| package | version | licence | home |", "| --- | --- | --- | --- |"];
  return ["# Licences of what is installed with the packages", "", ...head, ...rows, ""].join("\n");
}

function isPermissive(license: string): boolean {
  try {
    return spdxSatisfies(license, PERMISSIVE);
  } catch {
    return false; // not an SPDX expression, such as "SEE LICENSE IN x"
  }
}

// Platform-specific parts are separate packages: lightningcss-linux-x64-gnu.
function isTool(name: string, scope: "shipped" | "development"): boolean {
  const isNamed = (tool: string) => name === tool || name.startsWith(`${tool}-`);
  return scope === "development" && Object.keys(TOOLS).some(isNamed);
}
