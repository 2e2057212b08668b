// Adds one filter to a search, or removes it.
import type { Test } from "@call-media/conditions";
import type { Field, FilterField } from "../fields.ts";
import type { SearchRoute } from "../route.ts";

/** A value for the service, or a condition that the page checks. */
export type Wish = Test<Field> | { readonly field: FilterField; readonly value: string };

export const isTest = (wish: Wish): wish is Test<Field> => "comparison" in wish;

/** The search without the filter. */
export function without(route: SearchRoute, wish: Wish): SearchRoute {
  if (isTest(wish)) return { ...route, where: route.where.filter((one) => one !== wish) };
  const { [wish.field]: values = [], ...others } = route.filters;
  const left = values.filter((value) => value !== wish.value);
  return { ...route, filters: left.length === 0 ? others : { ...others, [wish.field]: left } };
}

/** Adds the filter. With a second value of a field, a call needs either. */
export function including(route: SearchRoute, wish: Wish): SearchRoute {
  if (isTest(wish)) return { ...route, where: [...route.where, wish] };
  const { [wish.field]: values = [] } = route.filters;
  const all = [...new Set([...values, wish.value])];
  return { ...route, filters: { ...route.filters, [wish.field]: all } };
}
