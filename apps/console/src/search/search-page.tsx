// The search page: what is looked for, how much was found, the calls, and what to do with those that are picked.
import type { CallMediaClient } from "@call-media/client";
import { useEffect } from "preact/hooks";
import type { SearchRoute } from "../route.ts";
import { text } from "../text/text.ts";
import { FaultNotice } from "../ui/fault-notice.tsx";
import { CountLine } from "./count-line.tsx";
import { Filters } from "./filters.tsx";
import { latestSearch } from "./latest.ts";
import { List } from "./list.tsx";
import { Nothing } from "./nothing.tsx";
import { PickedBar } from "./picked-bar.tsx";

interface SearchPageProps {
  readonly route: SearchRoute;
  readonly client: CallMediaClient;
}

export function SearchPage({ route, client }: SearchPageProps) {
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
      <Filters route={route} search={search} />
      <CountLine route={route} search={search} />
      {results.fault.value !== undefined ? (
        <div class="alone">
          <FaultNotice fault={results.fault.value} onRetry={results.retry} />
        </div>
      ) : isDone && search.rows.value.count === 0 ? (
        <Nothing route={route} search={search} client={client} />
      ) : (
        <List key={search} route={route} search={search} />
      )}
      <PickedBar route={route} search={search} />
    </main>
  );
}
