// What a rule of the document is: it holds for every operation it applies to, without any relation.
import type { ApiDocument, Operation } from "../document/document.ts";
import type { Need, Verdicts } from "../laws/law.ts";
import type { Run } from "../run.ts";

export interface DocumentRule {
  readonly name: string;
  readonly clauses: readonly string[];
  readonly cost: (operation: Operation, document: ApiDocument) => number;
  /** Where it does not apply there is nothing to check, and nothing is said. */
  readonly applies: (operation: Operation, document: ApiDocument) => boolean;
  readonly needs: (operation: Operation) => readonly Need[];
  readonly isBetween: boolean;
  readonly judge: (operation: Operation, run: Run) => Verdicts;
}
