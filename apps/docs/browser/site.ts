// What runs in the pages: the menu of a narrow screen, and the search.
import MiniSearch, { type SearchResult } from "minisearch";
import { SEARCH_OPTIONS } from "./passage.ts";

declare global {
  // What search-index.js puts there, once it is loaded.
  var searchIndex: string | undefined;
}

const MAX_RESULTS = 12;

const menu = document.querySelector<HTMLDetailsElement>("details.menu");
const isWide = matchMedia("(min-width: 60rem)");
const showMenu = () => {
  if (menu !== null) menu.open = isWide.matches;
};
isWide.addEventListener("change", showMenu);
showMenu();

const input = document.querySelector<HTMLInputElement>("#search");
const found = document.querySelector<HTMLElement>("#found");
if (input !== null && found !== null) startSearch(input, found);

function startSearch(field: HTMLInputElement, box: HTMLElement): void {
  const root = field.dataset["root"] ?? "";
  let index: Promise<MiniSearch> | undefined;
  const close = () => (box.hidden = true);
  field.addEventListener("input", async () => {
    const text = field.value.trim();
    if (text === "") return close();
    index ??= loadIndex(root);
    const results = (await index).search(text).slice(0, MAX_RESULTS);
    // What was typed meanwhile has its own answer.
    if (text === field.value.trim()) show(box, results, root);
  });
  field.form?.addEventListener("submit", (event) => {
    event.preventDefault();
    box.querySelector("a")?.click();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !box.hidden) {
      close();
      field.focus();
    }
    const isTyping = event.target instanceof HTMLElement && event.target.closest("input, textarea");
    if (event.key === "/" && isTyping === null) {
      event.preventDefault();
      field.focus();
    }
  });
  document.addEventListener("focusin", ({ target }) => {
    const isInside = target instanceof Node && (target === field || box.contains(target));
    if (!isInside) close();
  });
}

function loadIndex(root: string): Promise<MiniSearch> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${root}search-index.js`;
    script.addEventListener("load", () => {
      resolve(MiniSearch.loadJSON(globalThis.searchIndex ?? "{}", SEARCH_OPTIONS));
    });
    script.addEventListener("error", reject);
    document.head.append(script);
  });
}

function show(box: HTMLElement, results: readonly SearchResult[], root: string): void {
  const status = box.querySelector("p");
  const text = results.length === 0 ? "Nothing found" : `${results.length} found`;
  if (status !== null) status.textContent = text;
  box.querySelector("ol")?.replaceChildren(...results.map((result) => toItem(result, root)));
  box.hidden = false;
}

function toItem({ href, title, page }: SearchResult, root: string): HTMLLIElement {
  const [item, link, where] = ["li", "a", "small"].map((name) => document.createElement(name));
  if (!(item instanceof HTMLLIElement) || !(link instanceof HTMLAnchorElement)) throw new TypeError();
  link.href = `${root}${href}`;
  link.textContent = `${title} `;
  if (where !== undefined) {
    where.textContent = page;
    link.append(where);
  }
  item.append(link);
  return item;
}
