// Names of files from text of a service.

/** Not allowed by Windows, or invisible, or turning text around. */
const FORBIDDEN = /[<>:"/\\|?*\p{Cc}\p{Bidi_Control}]/gu;

/** Devices of Windows, whatever the extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Of up to 4 bytes each. File systems allow 255 bytes with the extension. */
const MAX_STEM_CHARACTERS = 55;

/**
 * Makes the name of a file, for every common file system, of any text, such as a call_id. It never leads to another
 * directory. Different text may give the same name.
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
  return DEVICE.test(name) || name === ""
    ? `_${name}`
    : stem.slice(0, MAX_STEM_CHARACTERS).join("") + extension;
}
