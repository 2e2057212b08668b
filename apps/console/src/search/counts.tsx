// How often each value of a field occurs among the calls that are here. It says of how many, as the service counts none.
import { useSignal } from "@preact/signals";
import { replace } from "../address.ts";
import { type Field, GROUPS, isFilterField, valueOf } from "../fields.ts";
import type { SearchRoute } from "../route.ts";
import { showNumber, text } from "../text/text.ts";
import { IconButton } from "../ui/button.tsx";
import { including } from "./filters.tsx";
import type { Search } from "./search.ts";

const MOST_SHOWN = 30;

// Fields with few values; each name and number is its own.
const COUNTED: readonly Field[] = [
  "campaign",
  "disposition",
  "agent_name",
  "skill",
  "agent_group",
  "call_type",
  "media",
  "country",
  ...GROUPS.custom,
  ...GROUPS.rights,
];

interface CountsProps {
  readonly route: SearchRoute;
  readonly search: Search;
}

export function Counts({ route, search }: CountsProps) {
  const t = text.value;
  const field = useSignal<Field>("campaign");
  const isOpen = useSignal(false);
  return (
    <>
      <IconButton icon="counts" label={t.counts} popovertarget="counts" />
      <div
        id="counts"
        class="menu wide"
        popover="auto"
        role="dialog"
        aria-label={t.counts}
        onToggle={(event) => (isOpen.value = event.newState === "open")}
      >
        <label>
          <span>{t.countsOf}</span>
          <select
            value={field.value}
            // Its options are fields.
            onChange={(event) => (field.value = event.currentTarget.value as Field)}
          >
            {COUNTED.map((one) => (
              <option key={one} value={one}>
                {t.fields[one]}
              </option>
            ))}
          </select>
        </label>
        {isOpen.value && <Values route={route} search={search} field={field.value} />}
      </div>
    </>
  );
}

function Values({ route, search, field }: CountsProps & { readonly field: Field }) {
  const t = text.value;
  const { total, values } = count(search, field);
  return (
    <>
      <p class="quiet">{t.ofLoaded(total)}</p>
      <ul class="values">
        {values.map(([value, times]) => (
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
  const counts = new Map<string, number>();
  let total = 0;
  for (let row = 0; row < rows.value.count; row++) {
    const record = recordAt(row);
    if (record === undefined) continue;
    total++;
    const value = valueOf(record, field);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const values = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, MOST_SHOWN);
  return { total, values };
}
