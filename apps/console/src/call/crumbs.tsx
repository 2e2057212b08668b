// From one call to the next of the results, and back to them.
import { go } from "../address.ts";
import { type CallRoute, writeRoute } from "../route.ts";
import { latestRoute, latestSearch } from "../search/latest.ts";
import { openCall } from "../search/open-call.ts";
import { callWords } from "../text/call-words.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { useKeys } from "../ui/keys.ts";

/** Back to the results, and to the calls before and after this one. */
export function Crumbs({ route }: { readonly route: CallRoute }) {
  const c = callWords();
  const { value: search } = latestSearch;
  const count = search?.rows.value.count ?? 0;
  const record = search?.recordAt(search.current.value);
  // A link may lead to a call that is not among the results.
  const isResult = record !== undefined && record[route.by] === route.id;
  return (
    <nav class="crumbs" aria-label={c.results}>
      <a class="button quiet" href={writeRoute(latestRoute.value)}>
        <Icon name="left" />
        {c.results}
      </a>
      {search !== undefined && isResult && (
        <>
          <span class="place">{c.placeOf(search.current.value + 1, count)}</span>
          <IconButton
            icon="up"
            label={c.previousCall}
            shortcut="K"
            onClick={() => goToNeighbour(-1)}
          />
          <IconButton
            icon="down"
            label={c.nextCall}
            shortcut="J"
            onClick={() => goToNeighbour(1)}
          />
        </>
      )}
    </nav>
  );
}

/** Opens the next call of the results, or the one before; false where there is none. */
export function goToNeighbour(by: number): boolean {
  const { value: search } = latestSearch;
  if (search === undefined) return false;
  const row = search.current.value + by;
  if (row < 0 || row >= search.rows.value.count) return false;
  search.results.want(search.rows.value.indexAt(row), search.rows.value.indexAt(row) + 1);
  openCall(search, row);
  return true;
}

export function useNeighbourKeys(): void {
  const back = () => go(latestRoute.value);
  useKeys({
    J: () => void goToNeighbour(1),
    K: () => void goToNeighbour(-1),
    u: back,
    Escape: back,
    x: () => {
      const search = latestSearch.value;
      const record = search?.recordAt(search.current.value);
      if (record !== undefined) search?.toggle(record);
    },
  });
}
