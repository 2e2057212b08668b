// The frame of every page: head, menu, search, and table of contents.
import { document } from "@call-media/api";
import type { Heading, Rendered } from "./markdown.ts";
import { REFERENCE } from "./versions.ts";

export interface MenuSection {
  readonly title: string;
  readonly pages: readonly { readonly slug: string; readonly title: string }[];
}

export interface Page {
  readonly slug: string;
  readonly title: string;
  /** The name in the menu and in the search. */
  readonly label: string;
  readonly rendered: Rendered;
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%231f4e5f'/%3E%3Cpath d='M4 6v4M7 3v10M10 5v6M13 7v2' stroke='white' stroke-width='1.5' stroke-linecap='round'/%3E%3C/svg%3E";

const REFERENCE_LINK = `<a href="${REFERENCE.slug}.html">${REFERENCE.title}</a>`;

/** The head of every page; `root` is the path from the page to the first page, such as `../`, or empty. */
export function writeHead(title: string, summary: string, root = ""): string {
  return `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(summary)}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${root}frame.css">
<script src="${root}site.js" defer></script>`;
}

/** The bar at the top of every page; `end` is its last part. */
export function writeBar(root = "", end = REFERENCE_LINK): string {
  return `<a class="skip" href="#content">Skip to the text</a>
<header class="bar">
<a class="name" href="${root}index.html">Call Media</a>
<search><form role="search"><input type="search" id="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" data-root="${root}"></form>
<div id="found" hidden><p role="status"></p><ol></ol></div></search>
${end}
</header>`;
}

export function writePage(page: Page, menu: readonly MenuSection[]): string {
  const { slug, title, rendered } = page;
  const isFirst = slug === "index";
  return `<!doctype html>
<html lang="en">
<head>
${writeHead(isFirst ? title : `${title} - Call Media`, rendered.summary)}
<link rel="stylesheet" href="text.css">
</head>
<body>
${writeBar()}
<div class="columns">
<details class="menu"><summary>Menu</summary><nav aria-label="Pages">
${menu.map((section) => writeSection(section, slug)).join("\n")}
</nav></details>
<main id="content" tabindex="-1">
${rendered.html}
<footer><p>Contract ${document.info.version}. Apache-2.0.</p></footer>
</main>
${writeContents(rendered.headings)}
</div>
</body>
</html>
`;
}

function writeSection({ title, pages }: MenuSection, current: string): string {
  const items = pages.map(
    ({ slug, title: name }) =>
      `<li><a href="${slug}.html"${slug === current ? ' aria-current="page"' : ""}>${escapeHtml(name)}</a></li>`,
  );
  return `<h2>${title}</h2>\n<ul>${items.join("")}</ul>`;
}

/** Empty for a page with few headings. */
function writeContents(headings: readonly Heading[]): string {
  const listed = headings.filter(({ level }) => level === 2 || level === 3);
  if (listed.length < 2) return "";
  const items = listed.map(
    ({ level, id, text }) =>
      `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join("")}</ul></nav>`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
