// A filter while it is edited: a field, a way to compare it, and what was ticked or typed.
import { type Comparison, readSeconds, type Test } from "@call-media/conditions";
import { type Field, type FilterField, isFilterField, NUMBERS } from "../fields.ts";
import type { SearchRoute } from "../route.ts";
import { nameValue } from "./labels.ts";
import { isTest, type Wish, without } from "./wish.ts";

/** `is`: one of several values, as the archive compares them. `range`: seconds from and to. */
export type Mode = "is" | "range" | "~" | "!=" | "empty" | "present";

export interface Draft {
  readonly field: Field;
  readonly mode: Mode;
  /** The values of mode `is`. */
  readonly values: readonly string[];
  /** As typed. In mode `range`, the lower bound. */
  readonly typed: string;
  /** As typed. In mode `range`, the upper bound. */
  readonly to: string;
}

/** Fields of which people have lists, such as from another system. */
export const isList = (field: Field): field is "call_id" | "ref_id" =>
  field === "call_id" || field === "ref_id";

export function toModes(field: Field): readonly Mode[] {
  if (field === "recordings") return ["present", "empty"];
  if (NUMBERS.has(field)) return ["range", "empty", "present"];
  const own: readonly Mode[] = isFilterField(field) ? ["is"] : [];
  return [...own, "~", "!=", "empty", "present"];
}

/** The filter that the search has, to change it; else an empty one, or the values that the field has already. */
export function toDraft(route: SearchRoute, field: Field, wish: Wish | undefined): Draft {
  const values = isFilterField(field) ? (route.filters[field] ?? []) : [];
  const mode = (wish && toMode(wish)) ?? toModes(field)[0] ?? "~";
  const draft = { field, mode, values, typed: "", to: "" };
  if (NUMBERS.has(field)) return { ...draft, ...toRange(wish) };
  const typed = wish !== undefined && isTest(wish) ? String(wish.value ?? "") : "";
  return { ...draft, typed };
}

function toMode(wish: Wish): Mode | undefined {
  if (NUMBERS.has(wish.field))
    return isTest(wish) && wish.value === null ? toPresence(wish) : "range";
  if (!isTest(wish)) return "is";
  if (wish.value === null) return toPresence(wish);
  return wish.comparison === "~" || wish.comparison === "!=" ? wish.comparison : undefined;
}

const toPresence = ({ comparison }: Test<Field>): Mode =>
  comparison === "==" ? "empty" : "present";

function toRange(wish: Wish | undefined): Pick<Draft, "typed" | "to"> {
  if (wish === undefined || wish.value === null) return { typed: "", to: "" };
  const value = nameValue(wish.field, wish.value);
  const comparison: Comparison = isTest(wish) ? wish.comparison : "==";
  return {
    typed: comparison.startsWith("<") ? "" : value,
    to: comparison.startsWith(">") ? "" : value,
  };
}

/** The search with the filter in place of the one that is changed; undefined if something is missing. */
export function toFiltered(
  route: SearchRoute,
  draft: Draft,
  wish: Wish | undefined,
): SearchRoute | undefined {
  const { field, mode, values, typed } = draft;
  const base = wish === undefined ? route : without(route, wish);
  const test = (comparison: Comparison, value: Test["value"]): Test<Field> => ({
    field,
    comparison,
    value,
  });
  const add = (...tests: readonly Test<Field>[]) => ({ ...base, where: [...base.where, ...tests] });
  if (mode === "empty") return add(test("==", null));
  if (mode === "present") return add(test("!=", null));
  if (mode === "range") {
    const [from, to] = [readMinutes(typed), readMinutes(draft.to)];
    const tests = [
      ...(from === undefined ? [] : [test(">=", from)]),
      ...(to === undefined ? [] : [test("<=", to)]),
    ];
    return tests.length === 0 ? undefined : add(...tests);
  }
  if (mode === "is" && isFilterField(field)) return withValues(base, field, values, typed);
  const value = typed.trim();
  return value === "" ? undefined : add(test(mode === "!=" ? "!=" : "~", value));
}

/** A value that is typed but not ticked counts as well. Without any value the field has no filter. */
function withValues(
  route: SearchRoute,
  field: FilterField,
  ...[values, typed]: readonly [readonly string[], string]
): SearchRoute {
  const { [field]: _gone, ...others } = route.filters;
  const all = [...new Set([...values, typed.trim()])].filter(Boolean);
  return { ...route, filters: all.length === 0 ? others : { ...others, [field]: all } };
}

/** `10` and `10m` are minutes; `9:30` is minutes and seconds; also `90s` and `1h`. */
export const MINUTES = String.raw`\s*(?:\d{1,5}|\d{1,5}(?::[0-5]\d){1,2}|\d{1,7}[hms])\s*`;

/** In seconds; undefined if the text is not a duration. */
export function readMinutes(typed: string): number | undefined {
  const written = typed.trim();
  if (!new RegExp(`^${MINUTES}$`).test(written)) return undefined;
  return readSeconds(/^\d+$/.test(written) ? `${written}m` : written);
}
