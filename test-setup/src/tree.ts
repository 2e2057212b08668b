// The files of this repository that git tracks or would track, also without git.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, matchesGlob } from "node:path";

const ROOT = realpathSync(join(import.meta.dirname, "../.."));

/** Paths from the top of the repository, with slashes. */
export function listTree(): string[] {
  const listed = askGit() ?? walk("");
  return listed.filter((path) => existsSync(join(ROOT, path)));
}

/** Undefined without git, in an archive that was unpacked, and below another repository, which may leave all of it out. */
function askGit(): string[] | undefined {
  if (!existsSync(join(ROOT, ".git"))) return undefined;
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { status, stdout } = spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });
  return status === 0 ? stdout.split("\0").filter(Boolean) : undefined;
}

/** `folder`: "" or a path that ends with a slash; `left`: names that are left out below it. */
function walk(folder: string, left: readonly string[] = [".git"]): string[] {
  const all = [...left, ...readIgnored(folder)];
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !all.some((pattern) => matchesGlob(name, pattern)))
    .flatMap((entry) =>
      entry.isDirectory() ? walk(`${folder}${entry.name}/`, all) : [folder + entry.name],
    );
}

/** The patterns of this repository are plain names of files or folders. */
function readIgnored(folder: string): string[] {
  const file = join(ROOT, folder, ".gitignore");
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => line.replace(/\/$/, ""));
}
