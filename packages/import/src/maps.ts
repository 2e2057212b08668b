// Mapping files that are formats: which there are, and whether one is right.
import { stat } from "node:fs/promises";
import { type FormatInfo, listFormats, openFormats } from "./formats/formats.ts";
import { naming } from "./formats/mapping/read-mapping.ts";
import { listFaults } from "./formats/mapping/samples.ts";
import { listFormatFiles, readFormatFile } from "./formats/mapping/shipped.ts";
import { ImportError } from "./import-error.ts";

/** All formats, with those of a folder of mapping files. Throws `ImportError` for a folder or file that is wrong. */
export const listAllFormats = async (
  mapsDirectory: string | undefined,
): Promise<readonly FormatInfo[]> => listFormats(await openFormats(mapsDirectory));

/** A mapping file, or those of a folder. Throws `ImportError` for a folder without any. */
export async function listMappingFiles(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) return [path];
  const files = await listFormatFiles(path);
  if (files.length === 0) throw new ImportError(`${path} holds no file that ends in .json`);
  return files;
}

/**
 * Runs the samples of a mapping file: what they are read as and should not be, and which names they do not prove; none of a file that
 * is right. Throws `ImportError`, naming file and key, for what is no such file.
 */
export async function checkMappingFile(path: string): Promise<readonly string[]> {
  const file = await readFormatFile(path);
  return await naming(path, async () => await listFaults(file));
}
