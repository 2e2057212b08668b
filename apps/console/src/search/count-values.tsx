// How often each value of a field occurs among the calls that are here. It says of how many, as the service counts none.
import { toGroupKey } from "@call-media/conditions";
import { replace } from "../address.ts";
import { type Field, isFilterField, valueOf } from "../fields.ts";
import type { SearchRoute } from "../route.ts";
import { showNumber, text } from "../text/text.ts";
import { including } from "./filters.tsx";
import type { Search } from "./search.ts";

const MOST_SHOWN = 30;

export interface CountsProps {
  readonly route: SearchRoute;
  readonly search: Search;
}

export function CountValues({ route, search, field }: CountsProps & { readonly field: Field }) {
  const t = text.value;
  const { total, values } = count(search, field);
  return (
    <>
      <p class="quiet">{t.ofLoaded(total)}</p>
      <ul class="values">
        {values.map(({ value, times }) => (
          <li key={value}>
            <button
              type="button"
              class="button quiet"
              disabled={value === "" || !isFilterField(field)}
              onClick={() => isFilterField(field) && replace(including(route, { field, value }))}
            >
              <bdi class="cut">{value || t.noValue}</bdi>
              <span class="quiet number">{showNumber(times)}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function count({ results, rows, recordAt }: Search, field: Field) {
  // Read only to follow its change: the list has grown.
  void results.revision.value;
  const counts = new Map<string, { value: string; times: number }>();
  let total = 0;
  for (let row = 0; row < rows.value.count; row++) {
    const record = recordAt(row);
    if (record === undefined) continue;
    total++;
    const value = valueOf(record, field);
    // As a filter joins them, under the first one.
    const key = toGroupKey(field, value);
    const counted = counts.get(key) ?? { value, times: 0 };
    counted.times++;
    counts.set(key, counted);
  }
  const all = [...counts.values()].toSorted((one, other) => other.times - one.times);
  return { total, values: all.slice(0, MOST_SHOWN) };
}
