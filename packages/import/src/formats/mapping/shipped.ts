// The mapping files that are formats: those that ship with the package, and those of an operator's folder.
import { readdirSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ImportError } from "../../import-error.ts";
import { toSystemFault } from "../../source-files.ts";
import { listPaths } from "./readings.ts";
import { type FormatFile, parseFormatFile } from "./format-of-mapping.ts";
import { parseMapping } from "./mapping.ts";
import { naming, parseMappingText, readMappingFile } from "./read-mapping.ts";
import { listWords } from "./words.ts";

const FOLDER = new URL("../../../maps/", import.meta.url);

const isMapping = (name: string) => name.endsWith(".json");

/** By their names. */
export const shipped: readonly FormatFile[] = readdirSync(FOLDER)
  .filter(isMapping)
  .toSorted()
  .map((name) => parseFormatFile(parseMappingText(readFileSync(new URL(name, FOLDER), "utf8"))));

let words: readonly string[] | undefined;

/** The words that they write into records. */
export const listKnownWords = (): readonly string[] =>
  (words ??= [
    ...new Set(
      shipped.flatMap(({ given }) => listWords(parseMapping(given, "UTC")).map(({ text }) => text)),
    ),
  ]);

let readNames: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** The columns and the paths of members that they read in any case, with the fields that these become. */
export const listKnownNames = (): ReadonlyMap<string, ReadonlySet<string>> =>
  (readNames ??= toKnownNames());

function toKnownNames() {
  const known = new Map<string, Set<string>>();
  for (const { given } of shipped) {
    const mapping = parseMapping(given, "UTC");
    for (const { field, rules } of mapping.fields)
      for (const path of listPaths(
        rules.filter(({ when }) => when.length === 0),
        mapping,
      )) {
        const name = path.join(".");
        known.set(name, (known.get(name) ?? new Set()).add(field));
      }
  }
  return known;
}

export interface NamedFile {
  readonly path: string;
  readonly file: FormatFile;
}

/** The paths of the mapping files in a folder. Throws `ImportError`, naming the folder. */
export async function listFormatFiles(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    throw new ImportError(`${directory} ${toSystemFault(error)}`, { cause: error });
  });
  return names
    .filter(isMapping)
    .toSorted()
    .map((name) => join(directory, name));
}

/** The mapping files in a folder. Throws `ImportError`, naming the folder or the file. */
export async function readFormatFiles(directory: string): Promise<readonly NamedFile[]> {
  const files: NamedFile[] = [];
  for (const path of await listFormatFiles(directory)) {
    const file = await readFormatFile(path);
    files.push({ path, file });
  }
  return files;
}

/** Throws `ImportError`, naming the file, for a mapping that cannot be a format. */
export async function readFormatFile(path: string): Promise<FormatFile> {
  const given = await readMappingFile(path);
  return await naming(path, async () => parseFormatFile(given));
}
