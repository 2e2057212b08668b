// The address of the page, as a signal: what is read here is what the browser shows, Back and Forward included.
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

/** Goes to another page, which Back leaves again. */
export function go(to: Route): void {
  location.hash = writeRoute(to);
}

/** Replaces the address of this page, without a step of its own for Back. */
export function replace(to: Route): void {
  history.replaceState(null, "", writeRoute(to));
  hash.value = location.hash;
}

/** The complete address of a page, for a link. */
export const toLink = (to: Route): string => location.href.split("#")[0] + writeRoute(to);
