// The files that the gate reads and, at a release, writes.
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { isObject, type JsonObject } from "@call-media/contract-diff";
import { parseCorrections } from "./corrections.ts";
import type { GateInput } from "./gate.ts";

const workingFile = fileURLToPath(import.meta.resolve("@call-media/api/openapi.json"));
const releasedFile = fileURLToPath(new URL("../released/openapi.json", import.meta.url));
const correctionsFile = fileURLToPath(new URL("../corrections.json", import.meta.url));
const changesetFolder = fileURLToPath(new URL("../../../.changeset", import.meta.url));

/** What the gate judges in this working tree. Throws an Error when a file cannot be read as what it should be. */
export async function readGateInput(): Promise<GateInput> {
  return {
    released: await readReleased(),
    working: await readDocument(workingFile),
    corrections: parseCorrections(await readFile(correctionsFile, "utf8")),
    changesetFolder,
  };
}

/** The document last released; undefined before the first release. */
export async function readReleased(): Promise<JsonObject | undefined> {
  return existsSync(releasedFile) ? readDocument(releasedFile) : undefined;
}

/** Makes the working document the released one. Its corrections are part of it from now on, so the list starts anew. */
export async function writeRelease(): Promise<void> {
  await writeFile(releasedFile, await readFile(workingFile));
  await writeFile(correctionsFile, "[]\n");
}

async function readDocument(file: string): Promise<JsonObject> {
  const document: unknown = JSON.parse(await readFile(file, "utf8"));
  if (!isObject(document)) throw new Error(`${file} is no OpenAPI document`);
  return document;
}
