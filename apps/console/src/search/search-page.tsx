// The search page: the search, the count, the calls, and the actions for picked ones.
import { useEffect } from "preact/hooks";
import type { Access } from "../access.ts";
import type { SearchRoute } from "../route.ts";
import { text } from "../text/text.ts";
import { FaultNotice } from "../ui/fault-notice.tsx";
import { lazy } from "../ui/lazy.tsx";
import { CountLine } from "./count-line.tsx";
import { Filters } from "./filters.tsx";
import { latestSearch } from "./latest.ts";
import { List } from "./list.tsx";

interface SearchPageProps {
  readonly route: SearchRoute;
  readonly access: Access;
}

export function SearchPage({ route, access }: SearchPageProps) {
  const { value: search } = latestSearch;
  useEffect(() => {
    document.title = text.value.product;
  });
  if (search === undefined) return <main id="main" />;
  const { results } = search;
  const total = results.total.value;
  const isDone = total !== undefined && !results.isReadingAll.value;
  return (
    <main id="main" class="search" tabIndex={-1}>
      <Filters client={access.client} route={route} search={search} />
      {search.query.words !== "" && <LazyIdHit words={search.query.words} client={access.client} />}
      <CountLine client={access.client} route={route} search={search} />
      {results.fault.value !== undefined ? (
        <div class="alone">
          <FaultNotice fault={results.fault.value} onRetry={results.retry} />
        </div>
      ) : isDone && search.rows.value.count === 0 ? (
        <LazyNothing route={route} search={search} client={access.client} />
      ) : (
        <List key={search} route={route} search={search} />
      )}
    </main>
  );
}

/** The bars that slide in from below, above the player. */
export function SearchBars({ route }: Pick<SearchPageProps, "route">) {
  const { value: search } = latestSearch;
  if (search === undefined || search.picked.value.size === 0) return null;
  return <LazyPickedBar route={route} search={search} />;
}

const LazyIdHit = lazy(async () => (await import("./id-hit.tsx")).IdHit);
const LazyNothing = lazy(async () => (await import("./nothing.tsx")).Nothing);
const LazyPickedBar = lazy(async () => (await import("./picked-bar.tsx")).PickedBar);
