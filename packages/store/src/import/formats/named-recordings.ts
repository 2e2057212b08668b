// Recordings that a record names and whose files lie in the media folder, or do not.
import type { MediaFolder } from "../media-folder.ts";
import type { Entry } from "./format.ts";

export interface NamedRecording {
  /** What `recordings` calls one without a file. */
  readonly name: string;
  /** Where its file may lie in the media folder, the likeliest place first. */
  readonly files: readonly string[];
  /** When it began, as the record says it. */
  readonly start?: string | undefined;
}

/** The fields of a call: `media` for recordings with a file, `recordings` for the names of those without. */
export async function toRecordingFields(
  named: readonly NamedRecording[],
  folder: MediaFolder,
): Promise<Entry> {
  const media: object[] = [];
  const missing: string[] = [];
  for (const { name, files, start } of named) {
    const file = await findFile(files, folder);
    if (file === undefined) missing.push(name);
    else media.push({ file, ...(start === undefined ? {} : { start }) });
  }
  return {
    media: media.length > 0 ? media : undefined,
    recordings: missing.length > 0 ? missing.join("; ") : undefined,
  };
}

const EXTENSIONS = [".wav", ".mp3", ".ogg", ".opus", ".webm", ".mp4", ".m4a", ""];

/** A bare name with each of the extensions that recordings have. */
export function toFileNames(name: string): readonly string[] {
  return EXTENSIONS.map((extension) => name + extension);
}

async function findFile(
  files: readonly string[],
  folder: MediaFolder,
): Promise<string | undefined> {
  for (const file of files) if (await folder.has(file)) return file;
  return undefined;
}
