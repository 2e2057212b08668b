// Reads the file of a mapping. Its faults name the file and the key.
import { readFile } from "node:fs/promises";
import { findDuplicateKey } from "../../duplicate-key.ts";
import { ImportError } from "../../import-error.ts";
import { parseJson } from "../../json.ts";
import { toSystemFault } from "../../source-files.ts";
import type { ReadOptions } from "../format.ts";
import { type Mapping, parseMapping } from "./mapping.ts";

/** The mapping that adds to what a format gives by itself, if one is asked for. Throws `ImportError`. */
export async function readAddition({
  mappingFile,
  timeZone,
}: ReadOptions): Promise<Mapping | undefined> {
  if (mappingFile === undefined) return undefined;
  const mapping = await readMapping(mappingFile, timeZone);
  const spare = (["delimiter", "columns", "records"] as const).find(
    (key) => mapping[key] !== undefined,
  );
  if (mapping.kind === "call" && spare === undefined) return mapping;
  throw new ImportError(
    `the mapping ${mappingFile}: ${spare ?? "kind"}: the format gives it, the mapping can only add fields of calls`,
  );
}

/** Throws `ImportError`, naming the file and the key; `timeZone` is what an epoch without an offset is read in. */
async function readMapping(path: string, timeZone: string): Promise<Mapping> {
  const given = await readMappingFile(path);
  return await naming(path, async () => parseMapping(given, timeZone));
}

/** Its JSON. Throws `ImportError`, naming the file. */
export async function readMappingFile(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new ImportError(`${path} ${toSystemFault(error)}`, { cause: error });
  });
  return await naming(path, async () => parseMappingText(text));
}

/** Names the file of the mapping in the `ImportError` that `read` may throw. */
export async function naming<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw new ImportError(`the mapping ${path}: ${error.message}`, { cause: error });
  }
}

/** Throws `ImportError` for invalid JSON and for a duplicate key. */
export function parseMappingText(text: string): unknown {
  const json = text.replace(/^\ufeff/, "");
  const parsed = parseJson(json);
  if ("fault" in parsed) throw new ImportError(parsed.fault);
  const doubled = findDuplicateKey(json, parsed.value);
  if (doubled !== undefined) throw new ImportError(doubled);
  return parsed.value;
}
