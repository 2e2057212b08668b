// Mapping files that are formats: which there are, and whether one is right.
import { type FormatInfo, listFormats, openFormats } from "./formats/formats.ts";
import { naming } from "./formats/mapping/mapping.ts";
import { listFaults } from "./formats/mapping/samples.ts";
import { readFormatFile } from "./formats/mapping/shipped.ts";

/** All formats, with those of a folder of mapping files. Throws `ImportError` for a folder or file that is wrong. */
export const listAllFormats = async (
  mapsDirectory: string | undefined,
): Promise<readonly FormatInfo[]> => listFormats(await openFormats(mapsDirectory));

/**
 * Runs the samples of a mapping file: what they are read as and should not be, and which names they do not prove; none of a file that
 * is right. Throws `ImportError`, naming file and key, for what is no such file.
 */
export async function checkMappingFile(path: string): Promise<readonly string[]> {
  const file = await readFormatFile(path);
  return await naming(path, async () => await listFaults(file));
}
