// The values of a field, each with the exact number of legs, to tick.
import type { CallMediaClient } from "@call-media/client";
import { toGroupKey } from "@call-media/conditions";
import type { Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { FilterField } from "../fields.ts";
import type { SearchRoute } from "../route.ts";
import { filterWords } from "../text/filter-words.ts";
import { showNumber, text } from "../text/text.ts";
import { SearchField } from "../ui/search-field.tsx";
import { More, nameSource } from "./counts.tsx";
import type { Draft } from "./filter-draft.ts";
import type { Search } from "./search.ts";
import { createValueCounts } from "./value-counts.ts";

interface FilterValuesProps {
  readonly client: CallMediaClient;
  readonly route: SearchRoute;
  readonly search: Search;
  readonly field: FilterField;
  readonly draft: Signal<Draft>;
}

export function FilterValues({ client, route, search, field, draft }: FilterValuesProps) {
  const t = text.value;
  const w = filterWords();
  const counts = useMemo(
    () => createValueCounts({ client, route, search, field, isOfAll: true }),
    [client, search, field],
  );
  useEffect(() => counts.dispose, [counts]);
  const { typed, values: ticked } = draft.value;
  const found = listShown(counts.values.value, ticked, typed);
  const most = Math.max(1, ...found.map(({ legs }) => legs ?? 0));
  const tick = (value: string, isTicked: boolean) => {
    const rest = ticked.filter((one) => toGroupKey(field, one) !== toGroupKey(field, value));
    draft.value = { ...draft.value, typed: "", values: isTicked ? [...rest, value] : rest };
  };
  return (
    <>
      <SearchField
        label={w.value}
        value={typed}
        onInput={(value) => (draft.value = { ...draft.value, typed: value })}
      />
      <ul class="ticks" aria-label={t.fields[field]}>
        {found.map(({ value, legs }) => (
          <li key={value}>
            <label>
              <input
                type="checkbox"
                checked={ticked.some((one) => toGroupKey(field, one) === toGroupKey(field, value))}
                onChange={(event) => tick(value, event.currentTarget.checked)}
              />
              <bdi class="cut">{value}</bdi>
              {legs !== undefined && (
                <>
                  <span class="quiet number">{showNumber(legs)}</span>
                  <span class="share" aria-hidden="true">
                    <i style={{ width: `${(100 * legs) / most}%` }} />
                  </span>
                </>
              )}
            </label>
          </li>
        ))}
      </ul>
      <p class="quiet" role="status">
        {nameSource(counts, search)}
      </p>
      <More counts={counts} search={search} />
    </>
  );
}

interface Shown {
  readonly value: string;
  readonly legs: number | undefined;
}

const MOST_SHOWN = 80;

/** The ticked ones stay, whatever is typed. */
function listShown(
  counted: readonly Shown[],
  ticked: readonly string[],
  typed: string,
): readonly Shown[] {
  const wanted = typed.trim().toLowerCase();
  const known = new Set(counted.map(({ value }) => value.toLowerCase()));
  const others = ticked
    .filter((value) => !known.has(value.toLowerCase()))
    .map((value) => ({ value, legs: undefined }));
  const found = counted.filter(
    ({ value }) => value !== "" && (value.toLowerCase().includes(wanted) || ticked.includes(value)),
  );
  return [...others, ...found].slice(0, MOST_SHOWN);
}
