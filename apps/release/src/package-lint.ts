// Runs publint and "are the types wrong" on a tarball, and returns their findings as sentences.
import { readFile } from "node:fs/promises";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import type { PackedPackage } from "./packed-package.ts";

// The packages are ES modules for Node.js 22 and later and for bundlers. Two things are not supported: `require` of them as
// CommonJS with types, and resolvers without `exports`.
const PROMISED = new Set(["node16-esm", "bundler"]);

// Not a module: the contract as text, read by its path.
const TEXT_ENTRIES = [/\.ya?ml$/];

/** Returns a sentence for each finding of either tool, including suggestions; empty if both are satisfied. */
export async function lintPackage({ tarball, manifest }: PackedPackage): Promise<string[]> {
  const content = await readFile(tarball);
  const found = [...(await askPublint(content)), ...(await askAttw(content))];
  return found.map((finding) => `${manifest.name}: ${finding}`);
}

async function askPublint(content: Buffer): Promise<string[]> {
  const tarball = new Uint8Array(content).buffer;
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  return messages.map(
    (message) => `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`,
  );
}

async function askAttw(content: Buffer): Promise<string[]> {
  const options = { excludeEntrypoints: TEXT_ENTRIES };
  const result = await checkPackage(createPackageFromTarballData(content), options);
  if (result.types === false) return [];
  return result.problems
    .filter((problem) => !("resolutionKind" in problem) || PROMISED.has(problem.resolutionKind))
    .map((problem) => `types: ${problem.kind} ${JSON.stringify(problem)}`);
}
