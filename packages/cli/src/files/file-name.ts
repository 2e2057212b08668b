// Names of files that come from a service: safe for any file system, and never of another folder.
import { basename } from "node:path";

export function toFileName(announced: string): string {
  const bare = basename(announced.replaceAll("\\", "/"));
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  const plain = bare.replaceAll(/[<>:"|?*\u0000-\u001f\u007f]/g, "_").replace(/^\.+/, "");
  const name = plain.replace(/[. ]+$/, "").slice(-200) || "recording";
  // Devices of Windows, with any extension.
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name) ? `_${name}` : name;
}
