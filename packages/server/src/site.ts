// Serves a directory of files that were built with the program as pages. The page of a directory is at the directory's path.
import { readdir, readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { createPage, type Page, type PageOptions } from "./pages.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webp": "image/webp",
};

/** The pages of `dist/pages/NAME`, at /NAME; empty if they were not built. */
export async function loadSite(name: string, options?: PageOptions): Promise<[string, Page][]> {
  // The same place whether the program runs from src/ or from dist/.
  const folder = fileURLToPath(new URL(`../dist/pages/${name}`, import.meta.url));
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  const pages: [string, Page][] = [];
  // Sequentially: in parallel they would need more files than a service may have open.
  for (const file of files) {
    const type = TYPES[extname(file)];
    if (type === undefined) continue;
    const page = createPage(type, await readFile(join(folder, file)), options);
    const path = `/${name}/${file.replaceAll(sep, "/")}`;
    const parent = /^(.*)\/index\.html$/.exec(path)?.[1];
    pages.push([path, page]);
    if (parent !== undefined) pages.push([`${parent}/`, page], [parent, createRedirect(parent)]);
  }
  return pages;
}

// Links within a directory's page are relative to the directory. The redirect is relative, so that it works behind a proxy that adds to
// the path.
export function createRedirect(folder: string): Page {
  const headers = { Location: `${folder.slice(folder.lastIndexOf("/") + 1)}/` };
  return () => ({ status: 308, headers, body: "" });
}
