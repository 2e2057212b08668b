// The bar of the search: the days, a chip for each filter, and the popover that adds or changes one.
import type { CallMediaClient } from "@call-media/client";
import { useSignal } from "@preact/signals";
import { replace } from "../address.ts";
import { type FilterField, isTelephone } from "../fields.ts";
import type { SearchRoute } from "../route.ts";
import { text } from "../text/text.ts";
import { Icon } from "../ui/icon.tsx";
import { useKeys } from "../ui/keys.ts";
import { lazy } from "../ui/lazy.tsx";
import { closePopover, Popover } from "../ui/popover.tsx";
import { DaysButton } from "./days-button.tsx";
import { hintOf, nameColumn, nameCondition, nameTest, nameValue } from "./labels.ts";
import type { Search } from "./search.ts";
import { type Wish, without } from "./wish.ts";

const LazyFilterPopover = lazy(async () => (await import("./filter-popover.tsx")).FilterPopover);

/** An active filter. */
interface Chip {
  /** The filter to change; undefined for a condition that the popover cannot show. */
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
  readonly client: CallMediaClient;
  readonly route: SearchRoute;
  readonly search: Search;
}

/** Opened from a chip or the button, below which the browser then puts it. */
const POPOVER = "filter";

export function Filters({ client, route, search }: FiltersProps) {
  const t = text.value;
  /** The filter that is changed; undefined adds one. */
  const edited = useSignal<Wish | undefined>(undefined);
  const edit = (wish: Wish | undefined) => {
    // The popover is at another chip: the click moves it here.
    if (edited.value !== wish) closePopover(POPOVER);
    edited.value = wish;
  };
  useKeys({
    f: () => document.getElementById("add-filter")?.click(),
    "/": () => document.querySelector<HTMLElement>("input[name=words]")?.focus(),
  });
  return (
    <div class="filters" role="group" aria-label={t.filters}>
      <DaysButton route={route} />
      {toChips(route).map((chip, place) => (
        // By its place: a chip that is changed keeps the focus.
        <ChipView key={place} chip={chip} onEdit={() => edit(chip.wish)} />
      ))}
      <button
        type="button"
        id="add-filter"
        class="button quiet"
        popovertarget={POPOVER}
        title={`${t.addFilter} (F)`}
        onClick={() => edit(undefined)}
      >
        <Icon name="plus" />
        {t.addFilter}
      </button>
      <Popover id={POPOVER} label={t.addFilter}>
        <LazyFilterPopover
          client={client}
          route={route}
          search={search}
          wish={edited.value}
          onDone={(filtered) => {
            closePopover(POPOVER);
            replace(filtered);
          }}
        />
      </Popover>
    </div>
  );
}

function ChipView({ chip, onEdit }: { readonly chip: Chip; readonly onEdit: () => void }) {
  const label = chip.wish === undefined ? "" : nameColumn(chip.wish.field);
  const hint = chip.wish && hintOf(chip.wish.field);
  return (
    <span class={`chip${chip.isHere ? " is-here" : ""}`}>
      <button
        type="button"
        class="cut"
        title={chip.isHere ? text.value.checkedHere : hint}
        popovertarget={POPOVER}
        onClick={onEdit}
      >
        <span class="quiet">{chip.isOr ? text.value.or : label}</span> <bdi>{chip.words}</bdi>
      </button>
      <button
        type="button"
        aria-label={text.value.remove(`${label} ${chip.words}`)}
        onClick={() => replace(chip.rest)}
      >
        <Icon name="close" isSmall />
      </button>
    </span>
  );
}

// More values of a list are one chip.
const MOST_CHIPS = 5;

function toChips(route: SearchRoute): Chip[] {
  const { filters, where } = route;
  return [
    // Filters have only such fields as keys.
    ...Object.entries(filters).flatMap(([field, values]) =>
      toValueChips(route, field as FilterField, values),
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

function toValueChips(route: SearchRoute, field: FilterField, values: readonly string[]): Chip[] {
  const isList = field === "call_id" || field === "ref_id";
  const isHere = (values.length > 1 && !isList) || isTelephone(field);
  const { [field]: _gone, ...others } = route.filters;
  if (values.length > MOST_CHIPS)
    return [
      {
        wish: { field, value: values[0] ?? "" },
        rest: { ...route, filters: others },
        words: text.value.oneOf(values.length),
        isHere,
        isOr: false,
      },
    ];
  return values.map((value, index) => ({
    wish: { field, value },
    rest: without(route, { field, value }),
    words: nameValue(field, value),
    isHere,
    isOr: index > 0,
  }));
}
