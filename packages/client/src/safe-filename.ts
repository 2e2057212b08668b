// Names of files from text of a service.
import { createHash } from "node:crypto";

/** Not allowed by Windows, or invisible, or turning text around. */
const FORBIDDEN = /[<>:"/\\|?*\p{Cc}\p{Bidi_Control}]/gu;

/** Devices of Windows, whatever the extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Of up to 4 bytes each. File systems allow 255 bytes with the extension. */
const MAX_STEM_CHARACTERS = 55;

/** Enough to tell the files of one directory apart. */
const DIGEST_CHARACTERS = 8;

/**
 * Makes the name of a file, for every common file system, of any text, such as a call_id. It never leads to another
 * directory. Of text with more than 55 characters before its extension, the rest becomes a digest. Texts that differ only in
 * characters that are not allowed in names, which become `_`, or in letter case may have the same file.
 *
 * @example
 * ```ts
 * await saveRecording(client, { call_id }, join(directory, toSafeFilename(`${call_id}.wav`)));
 * ```
 */
export function toSafeFilename(text: string): string {
  const name = text
    .toWellFormed()
    .replace(FORBIDDEN, "_")
    .trim()
    .replace(/[. ]+$/, "");
  const [extension = ""] = /\.\w{1,16}$/.exec(name) ?? [];
  const stem = Array.from(name.slice(0, name.length - extension.length));
  if (DEVICE.test(name) || name === "") return `_${name}`;
  if (stem.length <= MAX_STEM_CHARACTERS) return name;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, DIGEST_CHARACTERS);
  const kept = stem.slice(0, MAX_STEM_CHARACTERS - DIGEST_CHARACTERS - 1).join("");
  return `${kept}~${digest}${extension}`;
}
