// Nothing was found: other searches that find something, each with its count, requested on demand.
import { type CallMediaClient, daysAgo } from "@call-media/client";
import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { replace } from "../address.ts";
import type { Days } from "../days.ts";
import type { FilterField } from "../fields.ts";
import type { SearchRoute } from "../route.ts";
import { text } from "../text/text.ts";
import { archiveZone } from "../time.ts";
import { nameColumn, nameCondition, nameDays, nameValue } from "./labels.ts";
import { openSearch, toQuery } from "./query.ts";
import type { Search } from "./search.ts";

interface NothingProps {
  readonly route: SearchRoute;
  readonly search: Search;
  readonly client: CallMediaClient;
}

/** Another search, in words; `count` is undefined until it is known. */
interface Way {
  readonly words: string;
  readonly route: SearchRoute;
}

const WIDER: readonly Days[] = [{ last: 30 }, { last: 365 }, "all"];

export function Nothing({ route, search, client }: NothingProps) {
  const t = text.value;
  const ways = toWays(route);
  const counts = useMemo(
    () => signal<ReadonlyMap<string, number | undefined>>(new Map()),
    [search],
  );
  const ask = async () => {
    for (const way of ways) {
      const query = toQuery(way.route, daysAgo(0, archiveZone.value ?? "UTC"));
      // What the page checks itself, it would have to read.
      const count =
        query.conditions.length > 0
          ? undefined
          : await (await openSearch(client, query, undefined)).count();
      counts.value = new Map([...counts.value, [way.words, count]]);
    }
  };
  const hasFilters = Object.keys(route.filters).length + route.where.length > 0;
  const hint =
    route.words !== "" ? t.nothingWithWords : hasFilters ? t.nothingHint : t.nothingAtAll;
  return (
    <div class="nothing">
      <h2>{t.nothing}</h2>
      <p>{hint}</p>
      <ul>
        {ways.map((way) => (
          <li key={way.words}>
            <WayView way={way} count={counts.value.get(way.words)} />
          </li>
        ))}
      </ul>
      {ways.length > 0 && counts.value.size === 0 && (
        <button type="button" class="button" onClick={() => void ask().catch(() => undefined)}>
          {t.countThem}
        </button>
      )}
    </div>
  );
}

/** A search without results gets no button. */
function WayView({ way, count }: { readonly way: Way; readonly count: number | undefined }) {
  const t = text.value;
  if (count === 0)
    return (
      <p>
        <span>{way.words}</span> <span>{t.nothingEither}</span>
      </p>
    );
  return (
    <button type="button" class="button quiet" onClick={() => replace(way.route)}>
      <bdi>{way.words}</bdi>
      {count !== undefined && <span class="is-useful">{t.legCount(count)}</span>}
    </button>
  );
}

function toWays(route: SearchRoute): Way[] {
  const t = text.value;
  const spoken: Way[] =
    route.words === "" ? [] : [{ words: t.without(route.words), route: { ...route, words: "" } }];
  const filters = Object.entries(route.filters).map(([field, values]): Way => {
    // The keys of the filters are such fields.
    const { [field as FilterField]: _gone, ...rest } = route.filters;
    const named = values.map((value) => nameValue(field as FilterField, value));
    const words = t.without(`${nameColumn(field as FilterField)} ${named.join(` ${t.or} `)}`);
    return { words, route: { ...route, filters: rest } };
  });
  const where = route.where.map((condition): Way => ({
    words: t.without(nameCondition(condition)),
    route: { ...route, where: route.where.filter((one) => one !== condition) },
  }));
  const days = WIDER.filter((one) => isWider(one, route.days)).map((one): Way => ({
    words: nameDays(one),
    route: { ...route, days: one },
  }));
  return [...days, ...filters, ...where, ...spoken];
}

function isWider(days: Days, than: Days): boolean {
  if (than === "all") return false;
  return days === "all" || !("last" in than) || ("last" in days && days.last > than.last);
}
