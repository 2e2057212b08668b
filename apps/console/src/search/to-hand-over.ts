// The URL of the page that hands over a search, or calls picked from it.
import { addDays, type CallRecord, isDay } from "@call-media/client";
import { type CallSelector, toSelector } from "@call-media/handover";
import type { DayRange } from "../days.ts";
import type { Search } from "./search.ts";
import type { HandOverRoute, SearchRoute } from "../route.ts";

/** It names the days themselves: tomorrow the link hands over the same calls. `range`: the days of the search. */
export function toHandOver(
  search: SearchRoute,
  range: DayRange,
  picked: readonly CallRecord[] = [],
): HandOverRoute {
  const { startDate, endDate } = toRange(range, picked);
  const isAll = search.days === "all" && picked.length === 0;
  const days = isAll ? search.days : { from: startDate, to: endDate };
  return {
    page: "hand-over",
    search: { ...search, days },
    picked: toSelectors(picked),
    without: [],
  };
}

/** The calls of these records, each once. */
export function toSelectors(records: readonly CallRecord[]): readonly CallSelector[] {
  const selectors = records.flatMap((record) => toSelector(record) ?? []);
  return [...new Map(selectors.map((one) => [JSON.stringify(one), one])).values()];
}

/** Hands over the calls of a list of identifiers. The hand-over names those that were not found as missing. */
export function toHandOverList(search: SearchRoute, { query, results }: Search): HandOverRoute {
  const { ids } = query;
  if (ids === undefined) return toHandOver(search, query.range);
  const { [ids.by]: _gone, ...filters } = search.filters;
  const found = [...results.found()].map(([, record]) => record);
  const route = toHandOver({ ...search, filters }, query.range, found);
  const missing = results.missing.value.map((id) =>
    ids.by === "call_id" ? { call_id: id } : { ref_id: id },
  );
  return { ...route, picked: [...route.picked, ...missing] };
}

/** The days of the picked calls and one more on each side: the service may count a call to the day before or after (D03). */
export function toRange(range: DayRange, picked: readonly CallRecord[]): DayRange {
  const days = picked.map(({ datetime }) => (datetime ?? "").slice(0, 10)).toSorted();
  const [first = "", last = ""] = [days[0], days.at(-1)];
  if (!isDay(first) || !isDay(last)) return range;
  const [from, to] = [addDays(first, -1), addDays(last, 1)];
  return {
    startDate: from > range.startDate ? from : range.startDate,
    endDate: to < range.endDate ? to : range.endDate,
  };
}
