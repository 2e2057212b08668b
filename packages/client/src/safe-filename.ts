// File names from text of a service.
import { createHash } from "node:crypto";

/** Characters that Windows forbids, that are invisible, or that reverse text. */
const FORBIDDEN = /[<>:"/\\|?*\p{Cc}\p{Bidi_Control}]/gu;

/** Device names of Windows, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Each has up to 4 bytes. File systems allow 255 bytes, including the extension. */
const MAX_STEM_CHARACTERS = 55;

/** Enough to distinguish the files of one directory. */
const DIGEST_CHARACTERS = 8;

/**
 * Makes a file name, valid on every common file system, from any text, such as a call_id. It never leads to another directory. If the text
 * before the extension has more than 55 characters, the rest is replaced by a digest. Forbidden characters become `_`. So texts that differ
 * only in these, or in case, may get the same name.
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
