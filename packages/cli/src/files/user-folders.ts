// The user's own folders: on Linux ~/.config and ~/.cache, or XDG_CONFIG_HOME and XDG_CACHE_HOME; elsewhere
// ~/Library/Preferences and ~/Library/Caches; %APPDATA% and %LOCALAPPDATA%.
import { homedir } from "node:os";
import { isAbsolute } from "node:path";

// A path that is not absolute is invalid, and to be ignored (XDG Base Directory Specification).
for (const name of ["XDG_CONFIG_HOME", "XDG_CACHE_HOME"])
  if (!isAbsolute(process.env[name] ?? "/")) delete process.env[name];

// This module reads the home directory when it is loaded.
const folders = hasHome()
  ? (await import("env-paths")).default("call-media", { suffix: "" })
  : undefined;

/** Undefined without HOME, of a user for whom the system has no name, as in some containers. */
export const findUserFolder = (kind: "cache" | "config"): string | undefined => folders?.[kind];

function hasHome(): boolean {
  try {
    return homedir() !== "";
  } catch {
    return false;
  }
}
