// The name of a file on code hosts: relative to the root of the repository in which the program runs.
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { UsageError } from "@call-media/terminal";

/**
 * A relative URI reference (RFC 3986, 4.2). GitHub rejects a SARIF file with any other kind, including all of its alerts. Outside a
 * repository, the working directory is the root.
 *
 * @throws UsageError if the file is not in the repository.
 */
export function toRepositoryUri(file: string): string {
  const root = findRepository(process.cwd()) ?? process.cwd();
  const steps = relative(root, resolve(file));
  if (steps.startsWith("..") || isAbsolute(steps))
    throw new UsageError(
      `SARIF names files of a repository, and ${file} is not in ${root}: run it in the repository that has the file`,
    );
  return steps.split(sep).map(encodeURIComponent).join("/");
}

/** A worktree has a file of that name instead of the folder. */
function findRepository(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : findRepository(above);
}
