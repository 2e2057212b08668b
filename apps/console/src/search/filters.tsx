// The bar of the search: the days, a chip for each filter, and a button to add one.
import { useSignal } from "@preact/signals";
import { replace } from "../address.ts";
import { type Field, type FilterField, isFilterField, isTelephone } from "../fields.ts";
import type { SearchRoute } from "../route.ts";
import { text } from "../text/text.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { useKeys } from "../ui/keys.ts";
import { lazy } from "../ui/lazy.tsx";
import { DaysButton } from "./days-button.tsx";
import { hintOf, nameColumn, nameCondition, nameTest, nameValue } from "./labels.ts";
import type { Search } from "./search.ts";
import { including, type Wish, without } from "./wish.ts";

const LazyFilterDialog = lazy(async () => (await import("./filter-dialog.tsx")).FilterDialog);

/** An active filter. */
interface Chip {
  /** The filter to edit in the dialog; undefined for a condition that the dialog cannot show. */
  readonly wish: Wish | undefined;
  /** The search without this filter. */
  readonly rest: SearchRoute;
  readonly words: string;
  /** True for every value of a field after the first: a call needs only one of them. */
  readonly isOr: boolean;
  /** True if the page checks the filter itself, instead of the service. */
  readonly isHere: boolean;
}

interface FiltersProps {
  readonly route: SearchRoute;
  readonly search: Search;
}

export function Filters({ route, search }: FiltersProps) {
  const t = text.value;
  /** The filter open in the dialog; "new" adds one. */
  const edited = useSignal<Wish | "new" | undefined>(undefined);
  const isListOpen = useSignal(false);
  useKeys({ "/": () => (edited.value = "new") });
  const chips = toChips(route);
  const list = chips.map((chip) => (
    <ChipView
      key={`${chip.wish?.field} ${chip.words}`}
      chip={chip}
      onEdit={() => (edited.value = chip.wish)}
      onRemove={() => replace(chip.rest)}
    />
  ));
  return (
    <>
      <div class="filters" role="group" aria-label={t.filters}>
        <DaysButton route={route} />
        <span class="wide-only chips">{list}</span>
        <button type="button" class="button quiet wide-only" onClick={() => (edited.value = "new")}>
          <Icon name="plus" />
          {t.addFilter}
        </button>
        <button type="button" class="button narrow-only" onClick={() => (isListOpen.value = true)}>
          <Icon name="filter" />
          {t.filters}
          {chips.length > 0 && <span class="tally">{chips.length}</span>}
        </button>
      </div>
      {isListOpen.value && edited.value === undefined && (
        <Dialog
          title={t.filters}
          onClose={() => (isListOpen.value = false)}
          footer={
            <button type="button" class="button main" onClick={() => (edited.value = "new")}>
              <Icon name="plus" />
              {t.addFilter}
            </button>
          }
        >
          <div class="chips">{list}</div>
        </Dialog>
      )}
      {edited.value !== undefined && (
        <LazyFilterDialog
          wish={edited.value === "new" ? undefined : edited.value}
          search={search}
          isTaken={(field) => isTaken(route, edited.value, field)}
          onClose={() => (edited.value = undefined)}
          onDone={(wish) => {
            const rest =
              edited.value === "new" || edited.value === undefined
                ? route
                : without(route, edited.value);
            replace(including(rest, wish));
            edited.value = undefined;
            isListOpen.value = false;
          }}
        />
      )}
    </>
  );
}

function ChipView({
  chip,
  onEdit,
  onRemove,
}: {
  readonly chip: Chip;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}) {
  const label = chip.wish === undefined ? "" : nameColumn(chip.wish.field);
  const hint = chip.wish && hintOf(chip.wish.field);
  return (
    <span class={`chip${chip.isHere ? " is-here" : ""}`}>
      <button
        type="button"
        class="cut"
        title={chip.isHere ? text.value.checkedHere : hint}
        onClick={onEdit}
      >
        <span class="quiet">{chip.isOr ? text.value.or : label}</span> <bdi>{chip.words}</bdi>
      </button>
      <button
        type="button"
        aria-label={text.value.remove(`${label} ${chip.words}`)}
        onClick={onRemove}
      >
        <Icon name="close" isSmall />
      </button>
    </span>
  );
}

function toChips(route: SearchRoute): Chip[] {
  const { filters, where } = route;
  return [
    ...Object.entries(filters).flatMap(([field, values]) =>
      values.map((value, index) => ({
        // Filters have only such fields as keys.
        wish: { field: field as FilterField, value },
        rest: without(route, { field: field as FilterField, value }),
        words: nameValue(field as FilterField, value),
        isHere: values.length > 1 || isTelephone(field as FilterField),
        isOr: index > 0,
      })),
    ),
    ...where.map((condition) => {
      const isTest = "comparison" in condition && condition.field !== "datetime";
      return {
        wish: isTest ? condition : undefined,
        rest: { ...route, where: where.filter((one) => one !== condition) },
        words: isTest ? nameTest(condition) : nameCondition(condition),
        isHere: true,
        isOr: false,
      };
    }),
  ];
}

/** True if the search already has another value of the field. */
function isTaken({ filters }: SearchRoute, edited: Wish | "new" | undefined, field: Field) {
  const values = isFilterField(field) ? (filters[field] ?? []) : [];
  return values.some(
    (value) => typeof edited !== "object" || edited.field !== field || edited.value !== value,
  );
}
