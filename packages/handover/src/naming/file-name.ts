// File names made from external text: safe on every file system, and never in another directory.
import { cutText } from "./cut-text.ts";

/** The name that a service gives a recording; "recording" if none of it is usable. */
export function toFileName(announced: string): string {
  const path = announced.replaceAll("\\", "/").replace(/\/+$/, "");
  const bare = path.slice(path.lastIndexOf("/") + 1).replace(/[.\s]+$/, "");
  const [extension = ""] = /(?<=.)\.[a-z\d]{1,8}$/i.exec(bare) ?? [];
  return toSafeStem(bare.slice(0, bare.length - extension.length), "recording") + extension;
}

/** With suffix and extension far below the 255 bytes of ext4 and APFS and the 255 characters of NTFS. */
export const MAX_STEM_BYTES = 150;

// Control characters, characters reserved by Windows, and characters that only control how text is displayed.
const UNSAFE =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[<>:"/\\|?*\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

const encoder = new TextEncoder();

export const toBytes = (text: string): number => encoder.encode(text).length;

/** Device names of Windows, with any extension; superscript digits count as digits there. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?:\.|$)/i;

/**
 * A name without its extension, or a part of one; `otherwise` if none of the text is usable. `suffix`: distinguishes the name
 * from others, so it stays however long the text is.
 */
export function toSafeStem(text: string, otherwise: string, suffix = ""): string {
  const plain = text.toWellFormed().normalize("NFC").replaceAll(UNSAFE, "_");
  // A leading dot hides a file; Windows drops trailing dots and spaces; a leading dash looks like an option.
  const bare = plain.trim().replace(/^[.\-\s]+/, "");
  const room = MAX_STEM_BYTES - toBytes(suffix);
  const trimmed = cutText(bare, room, toBytes).replace(/[.\s]+$/, "");
  const stem = trimmed === "" ? otherwise : trimmed;
  return (RESERVED.test(stem) ? `_${stem}` : stem) + suffix;
}
