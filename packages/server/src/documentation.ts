// What the service shows beside the contract: the documentation for people at /docs, the document for programs.
import { readdir, readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { documentationNotBuilt } from "./http/errors.ts";
import { createPage, type Page } from "./pages.ts";

/** Where the documentation is, and the name that logs and metrics have for all of its pages. */
export const DOCS = "/docs";

// Built beside the program: dist/docs, the same place whether the program runs from src/ or from dist/.
const SITE = fileURLToPath(new URL("../dist/docs", import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
};

/** Reads the pages once. A program that was not built has no documentation, and says so there. */
export async function loadPages(): Promise<ReadonlyMap<string, Page>> {
  const open = (specifier: string) => readFile(fileURLToPath(import.meta.resolve(specifier)));
  const site = await loadSite();
  return new Map([
    ...(site.length > 0 ? site : [[DOCS, createMissingPage()] as const]),
    [
      "/openapi.json",
      createPage("application/json; charset=utf-8", await open("@call-media/api/openapi.json")),
    ],
    [
      "/openapi.yaml",
      createPage("application/yaml; charset=utf-8", await open("@call-media/api/openapi.yaml")),
    ],
  ]);
}

/** The pages of the site by path; those of folders lie at the path of their folder. None when it was not built. */
async function loadSite(): Promise<(readonly [string, Page])[]> {
  const names = await readdir(SITE, { recursive: true }).catch(() => []);
  const pages = await Promise.all(
    names.map(async (name): Promise<(readonly [string, Page])[]> => {
      const type = TYPES[extname(name)];
      if (type === undefined) return [];
      const page = createPage(type, await readFile(join(SITE, name)));
      const path = `${DOCS}/${name.replaceAll(sep, "/")}`;
      const folder = /^(.*)\/index\.html$/.exec(path)?.[1];
      if (folder === undefined) return [[path, page]];
      return [
        [path, page],
        [`${folder}/`, page],
        [folder, createRedirect(folder)],
      ];
    }),
  );
  // Whoever opens the base URL in a browser looks for it.
  return names.length === 0 ? [] : [["/", createRedirect(DOCS)], ...pages.flat()];
}

// Links within a page of a folder go from the folder. Relative, so that it holds behind a proxy that adds to the path.
function createRedirect(folder: string): Page {
  const headers = { Location: `${folder.slice(folder.lastIndexOf("/") + 1)}/` };
  return () => ({ status: 308, headers, body: "" });
}

function createMissingPage(): Page {
  return () => {
    throw documentationNotBuilt();
  };
}
