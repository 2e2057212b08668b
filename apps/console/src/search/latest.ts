// The one search that outlives going to a call and back: its pages, its place and what is picked.
import type { CallMediaClient } from "@call-media/client";
import { computed, effect, signal, untracked } from "@preact/signals";
import { route } from "../address.ts";

import { EMPTY_SEARCH, type SearchRoute } from "../route.ts";
import { today } from "../time.ts";
import type { Query } from "./query.ts";
import { toQuery } from "./query.ts";
import { createSearch, type Search } from "./search.ts";

/** Where "Results" leads back to. */
export const latestRoute = signal<SearchRoute>(EMPTY_SEARCH);
/** Undefined until the search page was seen. */
export const latestSearch = signal<Search | undefined>(undefined);

const sort = computed(() => latestRoute.value.sort);
const repeats = signal(0);

/** Asks the service again. */
export function repeatSearch(): void {
  repeats.value++;
}

/** Searches for what the address says, whenever it says something else; until the end that it returns. */
export function followSearches(client: CallMediaClient): () => void {
  const query = computed(() => JSON.stringify(toQuery(latestRoute.value, today.value)));
  const stopRoutes = effect(() => {
    const { value: at } = route;
    if (at.page === "search") latestRoute.value = at;
    if (at.page === "read") latestRoute.value = at.search;
  });
  const stopSearches = effect(() => {
    void repeats.value;
    // Only what is looked at is asked for: a link to a call makes no search.
    if (!isSearched.value) return;
    // Written above.
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
