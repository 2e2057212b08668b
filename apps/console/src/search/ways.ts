// Suggests other searches to a user who found little: prefixes, outcomes, more days, fewer filters.
import { findOperator, hasBeginning, listWider, toExact } from "@call-media/words";
import type { Days } from "../days.ts";
import type { FilterField } from "../fields.ts";
import type { SearchRoute } from "../route.ts";
import { menuWords } from "../text/menu-words.ts";
import { text } from "../text/text.ts";
import { nameColumn, nameCondition, nameDays, nameValue } from "./labels.ts";

/** Another search, with its description. */
export interface Way {
  readonly words: string;
  readonly route: SearchRoute;
}

const MOST_WIDER = 6;

/** Suggests prefixes of the words, and those `outcomes` that contain a word with such a prefix. */
export function toWiderWays(route: SearchRoute, outcomes: readonly string[]): readonly Way[] {
  const m = menuWords();
  const wider = listWider(route.words);
  const beginnings = wider.map(({ beginning }) => beginning);
  return [
    ...wider.map(({ beginning, words }) => ({
      words: m.withWords(`${beginning}*`),
      route: { ...route, words },
    })),
    ...outcomes
      .filter((outcome) => hasBeginning(outcome, beginnings))
      .map((outcome) => ({
        words: m.withOutcome(outcome),
        route: { ...route, words: "", filters: { ...route.filters, disposition: [outcome] } },
      })),
  ].slice(0, MOST_WIDER);
}

/** The search for whole words only; undefined if the search has no prefixes. */
export function toExactWay(route: SearchRoute): Way | undefined {
  const words = toExact(route.words);
  return words === undefined
    ? undefined
    : { words: menuWords().withExactly(words), route: { ...route, words } };
}

/** Says that AND, OR and NOT are searched as words; undefined without one. */
export function nameOperator({ words }: SearchRoute): string | undefined {
  const operator = findOperator(words);
  return operator === undefined ? undefined : menuWords().operatorIsWord(operator);
}

const WIDER_DAYS: readonly Days[] = [{ last: 30 }, { last: 365 }, "all"];

/** Suggests more days, and fewer words and filters. */
export function toLooserWays(route: SearchRoute): readonly Way[] {
  const t = text.value;
  const m = menuWords();
  const spoken: Way[] =
    route.words === "" ? [] : [{ words: m.without(route.words), route: { ...route, words: "" } }];
  const filters = Object.entries(route.filters).map(([field, values]): Way => {
    // Filters have only such fields as keys.
    const { [field as FilterField]: _gone, ...rest } = route.filters;
    const named = values.map((value) => nameValue(field as FilterField, value));
    const words = m.without(`${nameColumn(field as FilterField)} ${named.join(` ${t.or} `)}`);
    return { words, route: { ...route, filters: rest } };
  });
  const where = route.where.map((condition): Way => ({
    words: m.without(nameCondition(condition)),
    route: { ...route, where: route.where.filter((one) => one !== condition) },
  }));
  const days = WIDER_DAYS.filter((one) => isWider(one, route.days)).map((one): Way => ({
    words: nameDays(one),
    route: { ...route, days: one },
  }));
  return [...days, ...filters, ...where, ...spoken];
}

function isWider(days: Days, than: Days): boolean {
  if (than === "all") return false;
  if (days === "all" || typeof than === "string" || !("last" in than)) return true;
  return typeof days !== "string" && "last" in days && days.last > than.last;
}
