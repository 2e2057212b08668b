// The head of the list: the name of each column, its sort order and its width.
import { useSignal } from "@preact/signals";
import { replace } from "../address.ts";
import { NUMBERS } from "../fields.ts";
import { kept } from "../kept.ts";
import type { Column, SearchRoute } from "../route.ts";
import { text } from "../text/text.ts";
import { nameZone, zone } from "../time.ts";
import { Icon } from "../ui/icon.tsx";
import { say } from "../ui/toast.tsx";
import { nameColumn } from "./labels.ts";
import { MOST_SORTED, type Search } from "./search.ts";

const LEAST_WIDTH = 48;

type Widths = Readonly<Partial<Record<Column, number>>>;

/** In pixels, for columns that the user resized. */
const widths = kept<Widths>("widths", {}, (value) =>
  value instanceof Object
    ? // Names that are no columns are never looked up.
      (Object.fromEntries(
        Object.entries(value).filter(([, width]) => Number(width) >= LEAST_WIDTH),
      ) as Widths)
    : undefined,
);

const USUAL_WIDTHS: Readonly<Partial<Record<Column, string>>> = {
  datetime: "7.5rem",
  talk_time: "6rem",
  handle_time: "7.5rem",
  customer: "minmax(0, 1.25fr)",
};

/** Wide enough for the date, if no heading shows it. */
const DATED_WIDTH = "13rem";

/** The columns of the grid: picking and playing come first. */
export const toTemplate = (columns: readonly Column[], hasDays: boolean): string =>
  [
    "2.5rem 3.5rem",
    ...columns.map((column) => {
      const width = widths.value[column];
      if (column === "datetime" && !hasDays) return DATED_WIDTH;
      return width === undefined ? (USUAL_WIDTHS[column] ?? "minmax(0, 1fr)") : `${width}px`;
    }),
  ].join(" ");

export const isNumeric = (column: Column): boolean => column !== "customer" && NUMBERS.has(column);

interface ListHeadProps {
  readonly route: SearchRoute;
  readonly search: Search;
}

export function ListHead({ route, search }: ListHeadProps) {
  const t = text.value;
  const { picked, results } = search;
  return (
    <div role="rowgroup" class="head-group">
      <div role="row" class="head" aria-rowindex={1}>
        <div role="columnheader" class="pick">
          <label>
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={t.selectAll}
              checked={picked.value.size > 0}
              indeterminate={
                picked.value.size > 0 &&
                picked.value.size < (results.completeness.value?.loaded ?? 0)
              }
              onChange={search.toggleAll}
            />
          </label>
        </div>
        <div role="columnheader">
          <span class="hidden">{t.recordingColumn}</span>
        </div>
        {route.columns.map((column) => (
          <ColumnHead key={column} column={column} route={route} search={search} />
        ))}
      </div>
    </div>
  );
}

function ColumnHead({ column, route, search }: ListHeadProps & { readonly column: Column }) {
  const t = text.value;
  const { sort } = route;
  const isSorted = sort?.by === column;
  const direction = isSorted ? (sort.isDescending ? "descending" : "ascending") : undefined;
  const press = () => {
    if ((search.results.total.value ?? 0) > MOST_SORTED) say(t.tooManyToSort(MOST_SORTED));
    else replace({ ...route, sort: toNextSort(route, column) });
  };
  return (
    <div role="columnheader" class={isNumeric(column) ? "number" : undefined} aria-sort={direction}>
      <button type="button" tabIndex={-1} title={t.sortBy(nameColumn(column))} onClick={press}>
        <span class="cut">
          {nameColumn(column)} {column === "datetime" && nameZone(zone.value)}
        </span>
        {isSorted && <Icon name={sort.isDescending ? "down" : "up"} isSmall />}
      </button>
      <Grip column={column} />
    </div>
  );
}

/** Cycles through the column's usual direction, the opposite, and the order of the service. */
function toNextSort({ sort }: SearchRoute, column: Column): SearchRoute["sort"] {
  if (sort?.by !== column) return { by: column, isDescending: isNumeric(column) };
  return sort.isDescending === isNumeric(column)
    ? { by: column, isDescending: !sort.isDescending }
    : undefined;
}

/** The edge of a column, to drag; a double click restores the default width. */
function Grip({ column }: { readonly column: Column }) {
  const drag = useSignal<{ readonly x: number; readonly width: number } | undefined>(undefined);
  const set = (width: number | undefined) => {
    const { [column]: _before, ...rest } = widths.value;
    widths.value =
      width === undefined ? rest : { ...rest, [column]: Math.max(LEAST_WIDTH, Math.round(width)) };
  };
  return (
    <span
      class="grip"
      onPointerDown={(event) => {
        const width = event.currentTarget.parentElement?.offsetWidth ?? LEAST_WIDTH;
        drag.value = { x: event.clientX, width };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (drag.value !== undefined) set(drag.value.width + event.clientX - drag.value.x);
      }}
      onPointerUp={() => (drag.value = undefined)}
      onDblClick={() => set(undefined)}
    />
  );
}
