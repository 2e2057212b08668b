// The user's own folders: on Linux ~/.config and ~/.cache, or XDG_CONFIG_HOME and XDG_CACHE_HOME; elsewhere
// ~/Library/Preferences and ~/Library/Caches; %APPDATA% and %LOCALAPPDATA%.
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

type Kind = "cache" | "config";

type Environment = Readonly<NodeJS.ProcessEnv>;

/** Undefined if HOME is unset and the system has no entry for the user, as in some containers. */
export function findUserFolder(kind: Kind, env: Environment): string | undefined {
  const home = findHome(env);
  if (home === "") return undefined;
  if (process.platform === "win32") return findOnWindows(kind, home, env);
  if (process.platform === "darwin")
    return join(home, "Library", kind === "cache" ? "Caches" : "Preferences", "call-media");
  const named = env[kind === "cache" ? "XDG_CACHE_HOME" : "XDG_CONFIG_HOME"] ?? "";
  // A path that is not absolute is invalid and must be ignored (XDG Base Directory Specification).
  return join(isAbsolute(named) ? named : join(home, `.${kind}`), "call-media");
}

function findOnWindows(kind: Kind, home: string, env: Environment): string {
  if (kind === "cache")
    return join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), "call-media", "Cache");
  return join(env["APPDATA"] || join(home, "AppData", "Roaming"), "call-media", "Config");
}

function findHome(env: Environment): string {
  try {
    return env[process.platform === "win32" ? "USERPROFILE" : "HOME"] ?? homedir();
  } catch {
    return "";
  }
}
