// Counts the legs for each value of a field in the search, and names who counted.
import type { CallMediaClient } from "@call-media/client";
import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { replace } from "../address.ts";
import type { FilterField } from "../fields.ts";
import type { SearchRoute } from "../route.ts";
import { menuWords } from "../text/menu-words.ts";
import { showNumber, text } from "../text/text.ts";
import { useFocus } from "../ui/focus.ts";
import { COUNTED } from "./known-values.ts";
import { PAGE_LENGTH } from "./query.ts";
import type { Search } from "./search.ts";
import { createValueCounts, SPREAD_PAGES, type ValueCounts } from "./value-counts.ts";
import { including } from "./wish.ts";

const MOST_SHOWN = 80;

interface CountsProps {
  readonly client: CallMediaClient;
  readonly route: SearchRoute;
  readonly search: Search;
}

/** The field counted last, shown first on the next opening. */
const latest = signal<FilterField>("campaign");

export function Counts(props: CountsProps) {
  const t = text.value;
  const m = menuWords();
  useFocus();
  return (
    <>
      <label>
        <span>{m.countsOf}</span>
        <select
          value={latest.value}
          // The select offers only such fields.
          onChange={(event) => (latest.value = event.currentTarget.value as FilterField)}
        >
          {COUNTED.map((one) => (
            <option key={one} value={one}>
              {t.fields[one]}
            </option>
          ))}
        </select>
      </label>
      <CountValues {...props} field={latest.value} />
    </>
  );
}

function CountValues(props: CountsProps & { readonly field: FilterField }) {
  const { client, route, search, field } = props;
  const m = menuWords();
  const counts = useMemo(
    () => createValueCounts({ client, route, search, field }),
    [client, search, field],
  );
  useEffect(() => counts.dispose, [counts]);
  return (
    <>
      <p class="quiet" role="status">
        {nameSource(counts, search)}
      </p>
      <More counts={counts} search={search} />
      <ul class="values">
        {counts.values.value.slice(0, MOST_SHOWN).map(({ value, legs }) => (
          <li key={value}>
            <button
              type="button"
              class="button quiet"
              disabled={value === ""}
              onClick={() => replace(including(route, { field, value }))}
            >
              <bdi class="cut">{value || m.noValue}</bdi>
              <span class="quiet number">{showNumber(legs)}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

interface SourceProps {
  readonly counts: ValueCounts;
  readonly search: Search;
}

/** The legs of the search with none of these values. */
const countLeft = ({ legs, total }: ValueCounts): number =>
  Math.max(0, (total.value ?? 0) - legs.value);

export function nameSource(counts: ValueCounts, search: Search): string {
  const t = text.value;
  const m = menuWords();
  const { isByArchive, isCounting, legs, fault } = counts;
  if (fault.value !== undefined) return t.faults[fault.value.kind].title;
  if (isByArchive.value)
    return isCounting.value ? m.counting : m.countedByArchive(countLeft(counts));
  return search.results.completeness.value?.kind === "complete"
    ? m.allCounted(legs.value)
    : m.countedSoFar(legs.value);
}

/** Reads records for more values; the access log then names their calls as shown. */
export function More({ counts, search }: SourceProps) {
  const t = text.value;
  const m = menuWords();
  const { results } = search;
  const { isByArchive, isCounting, findOthers } = counts;
  const isWhole = isByArchive.value
    ? countLeft(counts) === 0
    : results.completeness.value?.kind === "complete";
  if (isWhole || isCounting.value || results.isReadingAll.value) return null;
  const others = isByArchive.value ? findOthers.value : undefined;
  // The rows of a narrower search have no other values.
  if (others === undefined && counts.total !== results.total) return null;
  return (
    <button type="button" class="button" onClick={others ?? results.readAll}>
      {others === undefined
        ? t.readAll(counts.total.value ?? 0)
        : m.findOthers(Math.min(counts.total.value ?? 0, SPREAD_PAGES * PAGE_LENGTH))}
    </button>
  );
}
