// Selects the columns of the list, their order, and the height of rows.
import { useSignal } from "@preact/signals";
import { replace } from "../address.ts";
import { FIELDS } from "../fields.ts";
import { type Column, DEFAULT_COLUMNS, type SearchRoute } from "../route.ts";
import { menuWords } from "../text/menu-words.ts";
import { IconButton } from "../ui/button.tsx";
import { useFocus } from "../ui/focus.ts";
import { SearchField } from "../ui/search-field.tsx";
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
  const all = [...columns, ...ALL.filter((column) => !columns.includes(column))];
  return (
    <>
      <DensityChoice />
      <SearchField
        label={m.findField}
        value={find.value}
        onInput={(value) => (find.value = value)}
      />
      <ul class="columns">
        {all.filter(isFound).map((column) => (
          <ColumnItem key={column} column={column} columns={columns} onChoose={choose} />
        ))}
      </ul>
      <button type="button" class="button" onClick={() => choose(DEFAULT_COLUMNS)}>
        {m.columnsReset}
      </button>
    </>
  );
}

function DensityChoice() {
  const m = menuWords();
  return (
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
  );
}

interface ColumnItemProps {
  readonly column: Column;
  readonly columns: readonly Column[];
  readonly onChoose: (columns: readonly Column[]) => void;
}

function ColumnItem({ column, columns, onChoose }: ColumnItemProps) {
  const m = menuWords();
  const name = nameColumn(column);
  const isShown = columns.includes(column);
  const others = columns.filter((one) => one !== column);
  return (
    <li>
      <label title={hintOf(column)}>
        <input
          type="checkbox"
          checked={isShown}
          onChange={() => onChoose(isShown ? others : [...columns, column])}
        />
        {name}
      </label>
      {isShown && (
        <>
          <IconButton
            icon="up"
            label={`${name}: ${m.earlier}`}
            onClick={() => onChoose(move(columns, column, -1))}
          />
          <IconButton
            icon="down"
            label={`${name}: ${m.later}`}
            onClick={() => onChoose(move(columns, column, 1))}
          />
        </>
      )}
    </li>
  );
}

function move(columns: readonly Column[], column: Column, by: number): Column[] {
  const rest = columns.filter((one) => one !== column);
  const place = Math.max(0, Math.min(rest.length, columns.indexOf(column) + by));
  return rest.toSpliced(place, 0, column);
}
