// The files that the gate reads and, at a release, writes.
import { existsSync } from "node:fs";
import { copyFile, glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isObject, type JsonObject, versionOf } from "@call-media/contract-diff";
import { parseCorrections } from "./corrections.ts";
import type { GateInput } from "./gate.ts";

const workingFile = fileURLToPath(import.meta.resolve("@call-media/api/openapi.json"));
const releasedFile = fileURLToPath(new URL("../released/openapi.json", import.meta.url));
const earlierFolder = fileURLToPath(new URL("../../docs/released", import.meta.url));
const correctionsFile = fileURLToPath(new URL("../corrections.json", import.meta.url));
const packagesFolder = fileURLToPath(new URL("../../../packages", import.meta.url));
const changesetFolder = fileURLToPath(new URL("../../../.changeset", import.meta.url));

/** Reads the input of the gate from this working tree. Throws an Error if a file cannot be parsed. */
export async function readGateInput(): Promise<GateInput> {
  return {
    released: await readReleased(),
    working: await readDocument(workingFile),
    corrections: parseCorrections(await readFile(correctionsFile, "utf8")),
    changesetFolder,
    packageNames: await readPackageNames(),
  };
}

async function readPackageNames(): Promise<string[]> {
  const names: string[] = [];
  for await (const file of glob("*/package.json", { cwd: packagesFolder }))
    names.push(String(JSON.parse(await readFile(join(packagesFolder, file), "utf8")).name));
  return names;
}

/** The document last released; undefined before the first release. */
export async function readReleased(): Promise<JsonObject | undefined> {
  return existsSync(releasedFile) ? readDocument(releasedFile) : undefined;
}

/**
 * Makes the working document the released one. The previous one keeps its page in the documentation, if its version was
 * different. The released document now contains the corrections, so their list becomes empty.
 */
export async function writeRelease(): Promise<void> {
  const before = await readReleased();
  if (before !== undefined && versionOf(before) !== versionOf(await readDocument(workingFile)))
    await copyFile(releasedFile, join(earlierFolder, `${versionOf(before)}.json`));
  await writeFile(releasedFile, await readFile(workingFile));
  await writeFile(correctionsFile, "[]\n");
}

async function readDocument(file: string): Promise<JsonObject> {
  const document: unknown = JSON.parse(await readFile(file, "utf8"));
  if (!isObject(document)) throw new Error(`${file} is not an OpenAPI document`);
  return document;
}
