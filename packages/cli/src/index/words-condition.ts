// Converts a query of D30 to an SQL condition on the documents of an index.
import type { Alternative, Item, Query } from "@call-media/words";
import { NUMBER, toReversed } from "./update-index.ts";

/** SQL with the values of its parameters. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly string[];
}

// A record has a word if the record or a transcript of its call contains it.
const HAS = `n IN (SELECT rowid FROM words WHERE words MATCH ? UNION ALL
  SELECT record.n FROM words JOIN document AS chat ON chat.n = words.rowid JOIN document AS record USING (call_id)
  WHERE words MATCH ? AND chat.file IS NOT NULL)`;

/** Each item has a separate condition, because one may be in the record and another in the chat. */
export const toCondition = (query: Query): Condition => join(query.map(toItemCondition), "AND");

const toItemCondition = (item: Item): Condition => join(item.map(toAlternative), "OR");

function toAlternative(alternative: Alternative): Condition {
  if (alternative.kind === "group") return toCondition(alternative.items);
  const match =
    alternative.kind === "number"
      ? `"${NUMBER}${toReversed(alternative.digits)}" *`
      : `"${alternative.tokens.join(" ")}"${alternative.isBeginning ? " *" : ""}`;
  return { sql: HAS, values: [match, match] };
}

const join = (conditions: readonly Condition[], operator: "AND" | "OR"): Condition => ({
  sql: `(${conditions.map(({ sql }) => sql).join(` ${operator} `)})`,
  values: conditions.flatMap(({ values }) => values),
});
