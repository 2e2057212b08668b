// The page's URL as a signal. It always equals what the browser shows, after Back and Forward too.
import { computed, effect, signal } from "@preact/signals";
import { parseRoute, type ReadWhere, type Route, writeRoute } from "./route.ts";

const hash = signal(location.hash);

addEventListener("hashchange", () => (hash.value = location.hash));
addEventListener("popstate", () => (hash.value = location.hash));

const readWhere = signal<ReadWhere | undefined>(undefined);

export const route = computed(() => parseRoute(hash.value, readWhere.value));

effect(() => {
  if (route.value.page === "loading")
    void import("./search/language.ts").then((language) => (readWhere.value = language.readWhere));
});

/** Goes to another page; Back returns from it. */
export function go(to: Route): void {
  location.hash = writeRoute(to);
}

/** Replaces the URL of this page, without a history entry. */
export function replace(to: Route): void {
  history.replaceState(null, "", writeRoute(to));
  hash.value = location.hash;
}

/** The complete URL of a page, for a link. */
export const toLink = (to: Route): string => location.href.split("#")[0] + writeRoute(to);
