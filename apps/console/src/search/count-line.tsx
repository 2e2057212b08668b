// The line above the list: the number of calls, how complete the list is, and its other actions.
import type { CallMediaClient } from "@call-media/client";
import { createCallTally } from "@call-media/handover";
import { type SearchRoute, toReading, writeRoute } from "../route.ts";
import { showNumber, text } from "../text/text.ts";
import { archiveZone, showDay } from "../time.ts";
import { IconPopover } from "../ui/icon-popover.tsx";
import { lazy } from "../ui/lazy.tsx";
import { Popover } from "../ui/popover.tsx";
import { repeatSearch } from "./latest.ts";
import type { Completeness } from "./pages.ts";
import type { Search } from "./search.ts";
import { toHandOverList } from "./to-hand-over.ts";

interface CountLineProps {
  readonly client: CallMediaClient;
  readonly route: SearchRoute;
  readonly search: Search;
}

export function CountLine({ client, route, search }: CountLineProps) {
  const t = text.value;
  const { results } = search;
  const { range } = search.query;
  const { value: complete } = results.completeness;
  return (
    <div class="count">
      <h1>
        <span role="status">{toCount(search)}</span>
      </h1>
      {route.days !== "all" && (typeof route.days === "string" || "last" in route.days) && (
        <span class="wide-only">
          {range.startDate === range.endDate
            ? showDay(range.startDate)
            : `${showDay(range.startDate)} – ${showDay(range.endDate)}`}
          {archiveZone.value !== undefined && `, ${archiveZone.value}`}
        </span>
      )}
      {results.missing.value.length > 0 && (
        <span class="is-bad" role="status">
          {t.notThere(
            (search.query.ids?.values.length ?? 0) - results.missing.value.length,
            results.missing.value,
          )}
        </span>
      )}
      {complete !== undefined && complete.total > 0 && (
        <Complete complete={complete} search={search} />
      )}
      {complete?.kind === "partly" && !results.isReadingAll.value && (
        <button type="button" class="button quiet" onClick={results.readAll}>
          {t.countCalls}
        </button>
      )}
      {hasHints(search) && <LazyHints client={client} route={route} search={search} />}
      {results.isReadingAll.value && (
        <button type="button" class="button quiet" onClick={results.stopReadingAll}>
          {t.stop}
        </button>
      )}
      <Actions client={client} route={route} search={search} />
    </div>
  );
}

function Actions({ client, route, search }: CountLineProps) {
  const t = text.value;
  return (
    <span class="end">
      {search.picked.value.size === 0 && search.rows.value.count > 0 && (
        <>
          <a class="button" href={writeRoute(toReading(route))} title={`${t.readAllHint} (V)`}>
            {t.readAll(search.rows.value.count)}
          </a>
          <a class="button" href={writeRoute(toHandOverList(route, search))}>
            {t.handOver}
          </a>
        </>
      )}
      <IconPopover id="counts" icon="counts" label={t.counts} isNamed>
        <LazyCounts client={client} route={route} search={search} />
      </IconPopover>
      <IconPopover id="views" icon="keep" label={t.views}>
        <LazyKeptViews route={route} />
      </IconPopover>
      <IconPopover id="columns" icon="columns" label={t.columns} shortcut="C">
        <LazyColumnMenu route={route} />
      </IconPopover>
    </span>
  );
}

function toCount({ query, results, rows }: Search): string {
  const t = text.value;
  const total = results.total.value;
  if (total === undefined) return results.fault.value === undefined ? t.searching : t.calls;
  const legs = query.conditions.length > 0 ? t.ofLegs(rows.value.count, total) : t.legCount(total);
  if (results.completeness.value?.kind !== "complete") return legs;
  // Only a complete list shows which legs belong to one call.
  const tally = createCallTally();
  for (const [, record] of results.found()) tally.add(record);
  return `${t.callCount(tally.calls() ?? tally.legs())}, ${legs}`;
}

const LazyColumnMenu = lazy(async () => (await import("./column-menu.tsx")).ColumnMenu);
const LazyCounts = lazy(async () => (await import("./counts.tsx")).Counts);
const LazyKeptViews = lazy(async () => (await import("./kept-views.tsx")).KeptViews);
const LazyHints = lazy(async () => (await import("./hints.tsx")).Hints);

/** A search with more results than this gets no hints. */
const MOST_FOUND = 20;

/** True for words that found at least one call, but few. */
function hasHints({ query, results }: Search): boolean {
  const found = results.total.value ?? 0;
  return query.words !== "" && query.conditions.length === 0 && found > 0 && found <= MOST_FOUND;
}

/** Says if every record is present exactly once. */
function Complete({
  complete,
  search,
}: {
  readonly complete: Completeness;
  readonly search: Search;
}) {
  const t = text.value;
  const { results } = search;
  const { kind, loaded, total } = complete;
  const { name, sentence } = {
    complete: { name: t.allHere, sentence: t.complete(total) },
    partly: { name: t.partHere(loaded, total), sentence: t.partly },
    changed: { name: t.changed, sentence: t.changedMeanwhile },
  }[kind];
  return (
    <>
      <button
        type="button"
        class={`button quiet badge is-${kind}`}
        popovertarget="complete"
        title={sentence}
      >
        {name}
      </button>
      <Popover id="complete" label={name}>
        <p>{sentence}</p>
        {kind === "partly" && !results.isReadingAll.value && (
          <button type="button" class="button" onClick={results.readAll}>
            {t.loadAll} <span class="quiet number">{showNumber(total)}</span>
          </button>
        )}
        <button type="button" class="button" onClick={repeatSearch}>
          {t.repeat}
        </button>
      </Popover>
    </>
  );
}
