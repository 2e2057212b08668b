// The limit of open files: a warning at startup if it is too low, and the error when it is reached.
import { readFile } from "node:fs/promises";
import type { Logger } from "pino";
import { CONNECTION_LIMITS, MAX_ANSWERS } from "./http/limits.ts";

// A socket for each connection and a file for each recording in transit; the archive, its threads and the log share the rest.
const NEEDED = CONNECTION_LIMITS.maxConnections + MAX_ANSWERS + 200;

const RAISE =
  "raise LimitNOFILE of systemd, --ulimit nofile of the container, or ulimit -n of the shell";

/** Warns once. Only checks on Linux: services run there, and other systems have no such file. */
export async function warnOfFewFiles(events: Logger): Promise<void> {
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
  const limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  if (limit < NEEDED)
    events.warn({ limit, needed: NEEDED }, `few files may be open at a time: ${RAISE}`);
}

/** The reason why an undamaged file cannot be opened. Undefined for any other fault. */
export function toTooManyFiles(error: unknown): Error | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  if (error.code !== "EMFILE" && error.code !== "ENFILE") return undefined;
  return new Error(`too many files are open: ${RAISE}`, { cause: error });
}
