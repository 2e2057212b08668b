// Selects the columns of the list, their order, and the height of rows.
import { useSignal } from "@preact/signals";
import { replace } from "../address.ts";
import { FIELDS } from "../fields.ts";
import { type Column, DEFAULT_COLUMNS, type SearchRoute } from "../route.ts";
import { menuWords } from "../text/menu-words.ts";
import { IconButton } from "../ui/button.tsx";
import { useFocus } from "../ui/focus.ts";
import { DENSITIES, density } from "./density.ts";
import { hintOf, nameColumn } from "./labels.ts";

const ALL: readonly Column[] = ["customer", ...FIELDS.filter((field) => field !== "transcript")];

export function ColumnMenu({ route }: { readonly route: SearchRoute }) {
  const m = menuWords();
  useFocus();
  const find = useSignal("");
  const { columns } = route;
  const choose = (next: readonly Column[]) => {
    if (next.length > 0) replace({ ...route, columns: next });
  };
  const isFound = (column: Column) =>
    `${nameColumn(column)} ${column}`.toLowerCase().includes(find.value.trim().toLowerCase());
  return (
    <>
      <fieldset>
        <legend>{m.density}</legend>
        <div class="choice">
          {DENSITIES.map((one) => (
            <button
              key={one}
              type="button"
              class="button quiet"
              aria-pressed={density.value === one}
              onClick={() => (density.value = one)}
            >
              {m.densities[one]}
            </button>
          ))}
        </div>
      </fieldset>
      <div class="box">
        <input
          type="search"
          aria-label={m.findField}
          placeholder={m.findField}
          value={find.value}
          onInput={(event) => (find.value = event.currentTarget.value)}
        />
      </div>
      <ul class="columns">
        {[...columns, ...ALL.filter((column) => !columns.includes(column))]
          .filter(isFound)
          .map((column) => (
            <li key={column}>
              <label title={hintOf(column)}>
                <input
                  type="checkbox"
                  checked={columns.includes(column)}
                  onChange={() =>
                    choose(
                      columns.includes(column)
                        ? columns.filter((one) => one !== column)
                        : [...columns, column],
                    )
                  }
                />
                {nameColumn(column)}
              </label>
              {columns.includes(column) && (
                <>
                  <IconButton
                    icon="up"
                    label={`${nameColumn(column)}: ${m.earlier}`}
                    onClick={() => choose(move(columns, column, -1))}
                  />
                  <IconButton
                    icon="down"
                    label={`${nameColumn(column)}: ${m.later}`}
                    onClick={() => choose(move(columns, column, 1))}
                  />
                </>
              )}
            </li>
          ))}
      </ul>
      <button type="button" class="button" onClick={() => choose(DEFAULT_COLUMNS)}>
        {m.columnsReset}
      </button>
    </>
  );
}

function move(columns: readonly Column[], column: Column, by: number): Column[] {
  const rest = columns.filter((one) => one !== column);
  const place = Math.max(0, Math.min(rest.length, columns.indexOf(column) + by));
  return rest.toSpliced(place, 0, column);
}
