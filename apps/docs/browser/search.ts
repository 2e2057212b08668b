// The search: the index is loaded when somebody types, what is found is a list of links below the field.
import MiniSearch, { type SearchResult } from "minisearch";
import { type Passage, SEARCH_OPTIONS } from "./passage.ts";
import { toQuery } from "./query.ts";

declare global {
  // What search-index.js puts there, once it is loaded.
  var searchIndex: string | undefined;
}

type Index = MiniSearch<Passage>;

/** As many as fit below the field; whoever seeks more types more. */
const MAX_RESULTS = 12;

/** `field` says in `data-root` where the first page is. Found is shown in `box`, which has a `p` and an `ol`. */
export function startSearch(field: HTMLInputElement, box: HTMLElement): void {
  const root = field.dataset["root"] ?? "";
  let loading: Promise<Index> | undefined;
  const search = async (text: string) => {
    loading ??= loadIndex(root);
    const found = find(await loading, text);
    // What was typed meanwhile has its own answer.
    if (text === field.value.trim()) show(box, found, root);
  };
  field.addEventListener("input", () => {
    const text = field.value.trim();
    if (text === "") box.hidden = true;
    else void search(text);
  });
  field.form?.addEventListener("submit", (event) => {
    event.preventDefault();
    box.querySelector("a")?.click();
  });
  listenToKeys(field, box);
}

function listenToKeys(field: HTMLInputElement, box: HTMLElement): void {
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !box.hidden) {
      box.hidden = true;
      field.focus();
    }
    const isTyping =
      event.target instanceof HTMLElement && event.target.closest("input, textarea, select");
    if (event.key === "/" && !isTyping) {
      event.preventDefault();
      field.focus();
    }
  });
  document.addEventListener("focusin", ({ target }) => {
    const isInside = target instanceof Node && (target === field || box.contains(target));
    if (!isInside) box.hidden = true;
  });
}

// A script and no fetch: that works for pages that are opened from a folder as well.
function loadIndex(root: string): Promise<Index> {
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

interface Found {
  readonly results: readonly SearchResult[];
  readonly text: string;
}

function find(index: Index, text: string): Found {
  const withAll = index.search(toQuery(text, "AND")).slice(0, MAX_RESULTS);
  if (withAll.length > 0) return { results: withAll, text: `${withAll.length} found` };
  const withSome = index.search(toQuery(text, "OR")).slice(0, MAX_RESULTS);
  if (withSome.length > 0)
    return { results: withSome, text: "No place has all the words; these have some" };
  return { results: [], text: "Nothing found" };
}

function show(box: HTMLElement, { results, text }: Found, root: string): void {
  const status = box.querySelector("p");
  if (status !== null) status.textContent = text;
  box.querySelector("ol")?.replaceChildren(...results.map((result) => toItem(result, root)));
  box.hidden = false;
}

function toItem({ href, title, page }: SearchResult, root: string): HTMLLIElement {
  const where = document.createElement("small");
  where.textContent = page;
  const link = document.createElement("a");
  link.href = `${root}${href}`;
  link.append(title, where);
  const item = document.createElement("li");
  item.append(link);
  return item;
}
