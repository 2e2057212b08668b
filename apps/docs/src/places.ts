// Paths of the site's sources, and the URL of the repository for readers.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** The root of the repository, as a path. */
export const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));

/** The folder of the site's own package, as a path. */
export const SITE = fileURLToPath(new URL("../", import.meta.url));

/** Reads a text file by its path from the root of the repository. */
export async function readSource(path: string): Promise<string> {
  return readFile(`${REPOSITORY}${path}`, "utf8");
}

/** The URL of the repository on the web, as the packages name it. */
export async function readRepositoryUrl(): Promise<string> {
  const { repository } = JSON.parse(await readSource("packages/api/package.json")) as {
    repository: { url: string }; // apps/release requires it in every package
  };
  return repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
}
