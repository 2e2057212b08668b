// The default maximum of requests of a run.
import type { ApiDocument } from "../document/document.ts";

/** Per operation, within these limits. About 20 are usual with relations and writes. */
const BUDGET = { each: 60, least: 150, most: 4500 } as const;
/** Trying guesses needs more. */
const LEAST_TO_MINE = 900;

export const budgetOf = ({ operations }: ApiDocument): number =>
  Math.min(Math.max(operations.size * BUDGET.each, BUDGET.least), BUDGET.most);

export const budgetToMine = (document: ApiDocument): number =>
  Math.max(budgetOf(document), LEAST_TO_MINE);
