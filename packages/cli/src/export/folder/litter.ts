// Files that macOS, Windows and network disks leave in folders that users open.

const NAMES: ReadonlySet<string> = new Set([
  ".DS_Store",
  ".localized",
  ".Spotlight-V100",
  ".Trashes",
  ".fseventsd",
  "Thumbs.db",
  "ehthumbs.db",
  "desktop.ini",
  ".directory",
  "@eaDir",
  "#recycle",
  "lost+found",
]);

/** Judges by the name. Such files are reported, and do not belong to the export. */
export const isLitter = (name: string): boolean =>
  NAMES.has(name) || name.startsWith("._") || name.startsWith(".nfs");
