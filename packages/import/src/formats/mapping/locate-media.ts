// Finds the recordings that the entries of a mapping name.
import { isLink, toLinkName } from "../../link.ts";
import type { MediaFolder } from "../../media-folder.ts";
import { RowFault } from "../../source-row.ts";
import type { Entry } from "../format.ts";

/** A recording by its path, its name or a link. */
export interface NamedFile {
  readonly file: string;
  readonly start?: string;
}

/** The entries that `read` makes, see `locateAll`. Also of a row with faults, whose `RowFault` has what could be read. */
export function readLocated(
  read: () => Entry[],
  folder: MediaFolder,
  isOptional: boolean,
): Entry[] | Promise<Entry[]> {
  try {
    return locateAll(read(), folder, isOptional);
  } catch (error) {
    const hasMedia = error instanceof RowFault && error.entries.some(({ media }) => media);
    if (!hasMedia) throw error;
    return locateOfFault(error, folder, isOptional);
  }
}

async function locateOfFault(
  { faults, entries }: RowFault,
  folder: MediaFolder,
  isOptional: boolean,
): Promise<never> {
  throw new RowFault(faults, await locateAll(entries, folder, isOptional));
}

/** The entries with their recordings where they lie, see `locateMedia`. */
function locateAll(
  entries: Entry[],
  folder: MediaFolder,
  isOptional: boolean,
): Entry[] | Promise<Entry[]> {
  if (entries.every(({ media }) => media === undefined)) return entries;
  return Promise.all(entries.map((entry) => locateMedia(entry, folder, isOptional)));
}

/**
 * The entry with the recordings where they lie: at their path, else anywhere in the folder by their name, with any extension. A link
 * stands for the last part of its path. `isOptional` if a missing file must not reject the call.
 */
async function locateMedia(entry: Entry, folder: MediaFolder, isOptional: boolean): Promise<Entry> {
  const { media } = entry;
  if (!Array.isArray(media)) return entry;
  const located: object[] = [];
  const seen = new Set<string>();
  for (const { file, ...others } of media as readonly NamedFile[]) {
    const place = await locate(file, folder);
    if (seen.has(place) || (isOptional && place === "")) continue;
    seen.add(place);
    located.push({
      file: place === "" ? file : place,
      ...(isOptional && { optional: true }),
      ...others,
    });
  }
  const { media: _, ...rest } = entry;
  return located.length > 0 ? { ...rest, media: located } : rest;
}

async function locate(file: string, folder: MediaFolder): Promise<string> {
  if (!isLink(file) && (await folder.has(file))) return file;
  const name = toLinkName(file);
  const found = name === "" ? undefined : await folder.find(name);
  return found ?? (isLink(file) ? name : file);
}
