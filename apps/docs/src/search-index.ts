// The search: every passage of the site and every operation, made at build time and looked through in the browser.
import { document, routes } from "@call-media/api";
import MiniSearch from "minisearch";
import { type Passage, SEARCH_OPTIONS } from "../browser/passage.ts";
import type { Page } from "./layout.ts";
import { REFERENCE } from "./versions.ts";

/** A script that hands the index over: it can be loaded where there is no server, which JSON cannot. */
export function writeSearchIndex(pages: readonly Page[]): string {
  const index = new MiniSearch(SEARCH_OPTIONS);
  index.addAll([...pages.flatMap(toPassages), ...listOperations()]);
  return `globalThis.searchIndex = ${JSON.stringify(JSON.stringify(index))};\n`;
}

function toPassages({ slug, title, rendered }: Page): readonly Passage[] {
  return rendered.passages.map(({ heading, text }) => ({
    id: `${slug}#${heading.id}`,
    href: heading.level === 1 ? `${slug}.html` : `${slug}.html#${heading.id}`,
    page: title,
    title: heading.text,
    text,
  }));
}

function listOperations(): readonly Passage[] {
  return routes.map(({ operationId, method, path, tag, parameters }) => {
    const { summary = "" } = document.paths[path]?.[method.toLowerCase()] ?? {};
    return {
      id: operationId,
      href: `${REFERENCE.slug}.html#/${tag.toLowerCase()}/${operationId.toLowerCase()}`,
      page: REFERENCE.title,
      title: `${operationId}: ${summary}`,
      text: [method, path, ...parameters.map(({ name }) => name)].join(" "),
    };
  });
}
