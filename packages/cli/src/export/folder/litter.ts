// Files that systems leave in folders that somebody has looked at: macOS, Windows, and network disks.

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

/** By its name alone: they are named, and are no part of what is handed over. */
export const isLitter = (name: string): boolean =>
  NAMES.has(name) || name.startsWith("._") || name.startsWith(".nfs");
