// Next to a small count: how many calls other forms of the words would find. It shows none of those calls.
import type { CallMediaClient } from "@call-media/client";
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { replace } from "../address.ts";
import type { SearchRoute } from "../route.ts";
import { menuWords } from "../text/menu-words.ts";
import { showNumber } from "../text/text.ts";
import { countEach } from "./count-each.ts";
import { listKnown } from "./known-values.ts";
import type { Search } from "./search.ts";
import { nameOperator, toExactWay, toWiderWays, type Way } from "./ways.ts";

// Wait until the user stops typing before counting.
const SETTLE_MS = 300;

export interface WaysProps {
  readonly client: CallMediaClient;
  readonly route: SearchRoute;
  readonly search: Search;
}

/** The counts of other searches by index, as they arrive; undefined means that it cannot be counted. */
export function useCounts(
  ways: readonly Way[],
  client: CallMediaClient,
): ReadonlySignal<ReadonlyMap<number, number | undefined>> {
  const counts = useSignal<ReadonlyMap<number, number | undefined>>(new Map());
  useEffect(() => {
    counts.value = new Map();
    const aborter = new AbortController();
    const timer = setTimeout(() => {
      countEach(
        ways.map(({ route }) => route),
        {
          client,
          signal: aborter.signal,
          onCount: (place, count) => (counts.value = new Map([...counts.value, [place, count]])),
        },
        // A failed count is omitted: the list itself works.
      ).catch(() => undefined);
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [ways, client]);
  return counts;
}

export function Hints({ client, route, search }: WaysProps) {
  const m = menuWords();
  const exact = useMemo(() => toExactWay(route), [search]);
  const ways = useMemo(
    () => (exact ? [exact] : toWiderWays(route, listKnown(client, "disposition"))),
    [search],
  );
  const { value: counts } = useCounts(ways, client);
  const found = search.results.total.value ?? 0;
  /** True for a shorter prefix that finds the same number as the one before it. */
  const isSame = (place: number) =>
    ways[place]?.route.words !== "" && counts.get(place) === counts.get(place - 1);
  const more = ways.flatMap((way, place) => {
    const count = counts.get(place);
    const isTold = count !== undefined && (exact ? count < found : count > found);
    return isTold && !isSame(place) ? [{ ...way, count }] : [];
  });
  const operator = nameOperator(route);
  return (
    <span class="hints" role="status">
      {more.length > 0 && (exact ? m.only : m.also)}
      {more.map((way) => (
        <button key={way.words} type="button" class="plain-link" onClick={() => replace(way.route)}>
          {showNumber(way.count)} <bdi>{way.words}</bdi>
        </button>
      ))}
      {operator}
    </span>
  );
}
