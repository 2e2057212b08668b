// Suggests other searches if nothing was found, each with its count.
import { useMemo } from "preact/hooks";
import { replace } from "../address.ts";
import { menuWords } from "../text/menu-words.ts";
import { text } from "../text/text.ts";
import { useCounts, type WaysProps } from "./hints.tsx";
import { listKnown } from "./known-values.ts";
import { nameOperator, toLooserWays, toWiderWays, type Way } from "./ways.ts";

export function Nothing({ client, route, search }: WaysProps) {
  const m = menuWords();
  const ways = useMemo(
    () => [...toWiderWays(route, listKnown(client, "disposition")), ...toLooserWays(route)],
    [search],
  );
  const { value: counts } = useCounts(ways, client);
  const hasFilters = Object.keys(route.filters).length + route.where.length > 0;
  const hint =
    route.words !== "" ? m.nothingWithWords : hasFilters ? m.nothingHint : m.nothingAtAll;
  return (
    <div class="nothing">
      <h2>{m.nothing}</h2>
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
  const m = menuWords();
  if (count === 0)
    return (
      <p>
        <span>{way.words}</span> <span>{m.nothingEither}</span>
      </p>
    );
  return (
    <button type="button" class="button quiet" onClick={() => replace(way.route)}>
      <bdi>{way.words}</bdi>
      {count !== undefined && <span class="is-useful">{t.legCount(count)}</span>}
    </button>
  );
}
