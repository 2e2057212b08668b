// Builds the search index of every passage of the site and every operation; the browser searches it.
import { document, type Route, routes, type SchemaObject } from "@call-media/api";
import MiniSearch from "minisearch";
import { type Passage, SEARCH_OPTIONS } from "../browser/passage.ts";
import type { Page } from "./layout.ts";
import { REFERENCE } from "./versions.ts";

/** A script that provides the index: unlike JSON, it also loads without a server. */
export function writeSearchIndex(pages: readonly Page[]): string {
  const index = new MiniSearch(SEARCH_OPTIONS);
  index.addAll([...pages.flatMap(toPassages), ...listOperations()]);
  return `globalThis.searchIndex = ${JSON.stringify(JSON.stringify(index))};\n`;
}

function toPassages({ slug, title, label, rendered }: Page): readonly Passage[] {
  const name = label === title ? title : `${label}: ${title}`;
  return rendered.passages.map(({ heading, text }) => ({
    id: `${slug}#${heading.id}`,
    href: heading.level === 1 ? `${slug}.html` : `${slug}.html#${heading.id}`,
    page: label,
    title: heading.level === 1 ? name : heading.text,
    text,
  }));
}

function listOperations(): readonly Passage[] {
  return routes.map((route) => {
    const { operationId, method, path, tag, parameters } = route;
    const { summary = "" } = document.paths[path]?.[method.toLowerCase()] ?? {};
    return {
      id: operationId,
      href: `${REFERENCE.slug}.html#/${tag.toLowerCase()}/${operationId.toLowerCase()}`,
      page: REFERENCE.title,
      title: `${operationId}: ${summary}`,
      text: [method, path, ...parameters.map(({ name }) => name), ...listFields(route)].join(" "),
    };
  });
}

// Almost every response has these fields, so finding one would be useless.
const ENVELOPE = new Set(["isError", "errorMessage", "data"]);

/** The fields of the body and of the returned records. A field in both appears twice, so that searches by it come first. */
function listFields({ body, responses }: Route): readonly string[] {
  const answer = responses["200"]?.content?.["application/json"];
  const names = [body?.schema, answer?.schema].flatMap(toNames);
  return names.filter((name) => !ENVELOPE.has(name));
}

function toNames({ properties = {}, items }: SchemaObject = {}): readonly string[] {
  const inner = Object.values(properties).flatMap(toNames);
  return [...Object.keys(properties), ...inner, ...(items === undefined ? [] : toNames(items))];
}
