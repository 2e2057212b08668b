// Suggests other searches if nothing was found, each with its count.
import { useMemo } from "preact/hooks";
import { replace } from "../address.ts";
import { text } from "../text/text.ts";
import { useCounts, type WaysProps } from "./hints.tsx";
import { listKnown } from "./known-values.ts";
import { nameOperator, toLooserWays, toWiderWays, type Way } from "./ways.ts";

export function Nothing({ client, route, search }: WaysProps) {
  const t = text.value;
  const ways = useMemo(
    () => [...toWiderWays(route, listKnown(client, "disposition")), ...toLooserWays(route)],
    [search],
  );
  const { value: counts } = useCounts(ways, client);
  const hasFilters = Object.keys(route.filters).length + route.where.length > 0;
  const hint =
    route.words !== "" ? t.nothingWithWords : hasFilters ? t.nothingHint : t.nothingAtAll;
  return (
    <div class="nothing">
      <h2>{t.nothing}</h2>
      <p>
        {hint} {nameOperator(route)}
      </p>
      <ul>
        {ways.map((way, place) => (
          <li key={way.words}>
            <WayView way={way} count={counts.get(place)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A search without results gets no button. `count` is undefined until it is known. */
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
