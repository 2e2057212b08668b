// How many requests a run may send that is not told.
import type { ApiDocument } from "../document/document.ts";

/** For each operation, and within these bounds: with relations and writes, some 20 are usual. */
const BUDGET = { each: 45, least: 150, most: 4500 } as const;
/** To try guesses takes more. */
const LEAST_TO_MINE = 900;

export const budgetOf = ({ operations }: ApiDocument): number =>
  Math.min(Math.max(operations.size * BUDGET.each, BUDGET.least), BUDGET.most);

export const budgetToMine = (document: ApiDocument): number =>
  Math.max(budgetOf(document), LEAST_TO_MINE);
