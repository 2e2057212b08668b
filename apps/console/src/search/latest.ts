// Keeps one search alive while a call is open: its pages, its position and the picked calls.
import type { CallMediaClient } from "@call-media/client";
import { computed, effect, signal, untracked } from "@preact/signals";
import { route } from "../address.ts";

import { EMPTY_SEARCH, type SearchRoute } from "../route.ts";
import { today } from "../time.ts";
import type { Query } from "./query.ts";
import { toQuery } from "./query.ts";
import { createSearch, type Search } from "./search.ts";

/** The destination of "Results". */
export const latestRoute = signal<SearchRoute>(EMPTY_SEARCH);
/** Undefined until the search page has been shown. */
export const latestSearch = signal<Search | undefined>(undefined);

const sort = computed(() => latestRoute.value.sort);
const repeats = signal(0);

/** Sends the request again. */
export function repeatSearch(): void {
  repeats.value++;
}

/** Searches whenever the URL names another search. The returned function stops it. */
export function followSearches(client: CallMediaClient): () => void {
  const query = computed(() => JSON.stringify(toQuery(latestRoute.value, today.value)));
  const stopRoutes = effect(() => {
    const { value: at } = route;
    if (at.page === "search") latestRoute.value = at;
    if (at.page === "read") latestRoute.value = at.search;
  });
  const stopSearches = effect(() => {
    void repeats.value;
    // A page opened by a link to a call starts no search.
    if (!isSearched.value) return;
    // Serialized above.
    const wanted = JSON.parse(query.value) as Query;
    untracked(() => {
      latestSearch.value?.dispose();
      latestSearch.value = createSearch(client, wanted, sort);
    });
  });
  return () => {
    stopRoutes();
    stopSearches();
    latestSearch.value?.dispose();
    latestSearch.value = undefined;
  };
}

const isSearched = computed(
  () =>
    route.value.page === "search" ||
    route.value.page === "read" ||
    latestSearch.value !== undefined,
);
