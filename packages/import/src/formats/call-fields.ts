// Fields that several platforms write alike: names of people, recordings.
import type { MediaFolder } from "../media-folder.ts";
import type { Entry } from "./format.ts";

/** First word, last word and the words between them. A single word is the first name. */
export function toCustomerName(name: string | undefined) {
  const [first, ...others] = name?.trim().split(/\s+/) ?? [];
  const last = others.pop();
  return {
    customer_first_name: first || undefined,
    customer_middle_name: others.join(" ") || undefined,
    customer_last_name: last,
  };
}

export interface NamedRecording {
  /** Name of the file, with or without its extension. */
  readonly name: string;
  /** Where the file lies in the media folder, when the record says so. */
  readonly path?: string;
  /** When it began, as the record says it. */
  readonly start?: string | undefined;
}

/** The field `media` of a call. A recording without a file keeps its name, unless `missingMedia` is `reject`. */
export async function toRecordingFields(
  named: readonly NamedRecording[],
  folder: MediaFolder,
): Promise<Entry> {
  const media: object[] = [];
  for (const { name, path, start } of named) {
    const isThere = path !== undefined && (await folder.has(path));
    const file = (isThere ? path : await folder.find(name)) ?? name;
    media.push({ file, optional: true, ...(start === undefined ? {} : { start }) });
  }
  return { media: media.length > 0 ? media : undefined };
}
