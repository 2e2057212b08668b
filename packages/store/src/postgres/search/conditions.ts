// A query as conditions of SQL on the rows of `call_key`, for the index or against it.
import { toList, type Value } from "../values.ts";
import type { Query } from "../terms.ts";

/** Conditions with their values, which are $1, $2 and so on. */
export interface Conditions {
  readonly where: string;
  readonly values: readonly Value[];
}

/** The terms and the rights by GIN: the table is visited for what is seen alone, also when most is not. */
export function toIndexed({ terms, rights }: Query): Conditions {
  const lists = rights.map((right) => right.terms);
  return join([
    ...(terms.length > 0 ? [["terms @> $", terms] as const] : []),
    ...lists.map((list) => ["terms && $", list] as const),
  ]);
}

/**
 * For rows that are gone through one after the other: a right is compared in its place. `|| '{}'` keeps the index away, which the
 * planner may believe to be quicker for rows that are read in their order.
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
