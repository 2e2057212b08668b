// The recordings of a call, as several platforms name them.
import type { MediaFolder } from "../media-folder.ts";
import type { Entry } from "./format.ts";

export interface NamedRecording {
  /** Name of the file, with or without its extension. */
  readonly name: string;
  /** When it began, as the record says it. */
  readonly start?: string | undefined;
}

/** The field `media` of a call. A recording without a file keeps its name, unless `missingMedia` is `reject`. */
export async function toRecordingFields(
  named: readonly NamedRecording[],
  folder: MediaFolder,
): Promise<Entry> {
  const media: object[] = [];
  for (const { name, start } of named) {
    const file = (await folder.find(name)) ?? name;
    media.push({ file, optional: true, ...(start === undefined ? {} : { start }) });
  }
  return { media: media.length > 0 ? media : undefined };
}
