// Names of files made of what others wrote: safe on every file system, and never of another folder.
import { cutText } from "./cut-text.ts";

/** As a service names a recording; "recording" where nothing of that can stay. */
export function toFileName(announced: string): string {
  const path = announced.replaceAll("\\", "/").replace(/\/+$/, "");
  const bare = path.slice(path.lastIndexOf("/") + 1).replace(/[.\s]+$/, "");
  const [extension = ""] = /(?<=.)\.[a-z\d]{1,8}$/i.exec(bare) ?? [];
  return toSafeStem(bare.slice(0, bare.length - extension.length), "recording") + extension;
}

/** With suffix and extension far below the 255 bytes of ext4 and APFS and the 255 characters of NTFS. */
export const MAX_STEM_BYTES = 150;

// Control characters, what Windows reserves, and what only steers how text is shown.
const UNSAFE =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[<>:"/\\|?*\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

const encoder = new TextEncoder();

export const toBytes = (text: string): number => encoder.encode(text).length;

/** Devices of Windows, with any extension; the raised digits count as digits there. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?:\.|$)/i;

/**
 * A name without its extension, or a part of one; `otherwise` where nothing of the text can stay. `suffix`: what tells it
 * from others, and so stays however long the text is.
 */
export function toSafeStem(text: string, otherwise: string, suffix = ""): string {
  const plain = text.toWellFormed().normalize("NFC").replaceAll(UNSAFE, "_");
  // A dot in front hides a file; Windows drops dots and spaces at the end; a dash in front looks like an option.
  const bare = plain.trim().replace(/^[.\-\s]+/, "");
  const room = MAX_STEM_BYTES - toBytes(suffix);
  const trimmed = cutText(bare, room, toBytes).replace(/[.\s]+$/, "");
  const stem = trimmed === "" ? otherwise : trimmed;
  return (RESERVED.test(stem) ? `_${stem}` : stem) + suffix;
}
