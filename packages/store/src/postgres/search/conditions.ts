// Expresses a query as SQL conditions on the rows of `call_key`, to use the index or to avoid it.
import { toList, type Value } from "../values.ts";
import type { Query } from "../terms.ts";

/** Conditions with their values, for $1, $2 and so on. */
export interface Conditions {
  readonly where: string;
  readonly values: readonly Value[];
}

/** Uses the GIN index for the terms and the rights: the table is read only for visible calls, even if most are hidden. */
export function toIndexed({ terms, rights }: Query): Conditions {
  const lists = rights.map((right) => right.terms);
  return join([
    ...(terms.length > 0 ? [["terms @> $", terms] as const] : []),
    ...lists.map((list) => ["terms && $", list] as const),
  ]);
}

/**
 * For rows that are scanned in order: a right is compared in its place. `|| '{}'` keeps the planner from using the index, which it may
 * wrongly estimate to be faster for such rows.
 */
export function toJudged({ terms, rights }: Query): Conditions {
  return join([
    ...(terms.length > 0 ? [["terms || '{}' @> $", terms] as const] : []),
    ...rights.map(({ place, terms: list }) =>
      place === undefined
        ? (["terms || '{}' && $", list] as const)
        : ([`terms[${place}] = ANY ($`, list, ")"] as const),
    ),
  ]);
}

type Part = readonly [before: string, list: readonly bigint[], after?: string];

function join(parts: readonly Part[]): Conditions {
  const texts = parts.map(
    ([before, , after = ""], index) => `${before}${index + 1}::int8[]${after}`,
  );
  return {
    where: texts.length === 0 ? "true" : texts.join(" AND "),
    values: parts.map(([, list]) => toList(list)),
  };
}
