// Temporary files that nobody else may hear, in one folder for each user: a killed run cannot remove its own, so the next run does.
import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, rm, stat } from "node:fs/promises";
import { hostname, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { CommandFailure } from "../failures/command-failure.ts";

// Processes of another machine or container cannot be asked for.
const LEFT_AFTER_MS = 86_400_000;

export interface Working extends AsyncDisposable {
  /** A path for a temporary file. */
  readonly file: string;
  /** How many killed runs left files here, which are removed. */
  readonly left: number;
  /** Where they were. */
  readonly folder: string;
}

/** @throws CommandFailure if the folder belongs to another user. */
export async function openWorkingFolder(): Promise<Working> {
  const folder = join(tmpdir(), `call-media-${userInfo().username}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = await lstat(folder).then((found) =>
    found.isDirectory() ? found : { uid: -1, mode: 0 },
  );
  const isForeign =
    process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o077) > 0);
  if (isForeign)
    throw new CommandFailure(
      `${folder} is not a folder of yours alone, so that recordings would not be safe in it: remove it, or set TMPDIR`,
    );
  const left = await removeLeft(folder);
  const own = join(folder, [process.pid, hostname(), randomUUID()].join(SEPARATOR));
  await mkdir(own, { mode: 0o700 });
  const remove = () => rm(own, { recursive: true, force: true });
  return { file: join(own, "recording"), left, folder, [Symbol.asyncDispose]: remove };
}

// In no name of a machine.
const SEPARATOR = "_";

async function removeLeft(folder: string): Promise<number> {
  let left = 0;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!(await isLeft(path, name))) continue;
    await rm(path, { recursive: true, force: true });
    left += 1;
  }
  return left;
}

async function isLeft(path: string, name: string): Promise<boolean> {
  const [pid = "", host] = name.split(SEPARATOR);
  if (host === hostname()) return !isRunning(Number(pid));
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.mtimeMs <= Date.now() - LEFT_AFTER_MS;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user may not be asked.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
