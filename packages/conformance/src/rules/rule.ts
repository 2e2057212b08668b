// A rule of the document holds for every operation to which it applies, without relations.
import type { ApiDocument, Operation } from "../document/document.ts";
import type { Need, Verdicts } from "../laws/law.ts";
import type { Run } from "../run.ts";

export interface DocumentRule {
  readonly name: string;
  readonly clauses: readonly string[];
  readonly cost: (operation: Operation, document: ApiDocument) => number;
  /** If it does not apply, nothing is checked or reported. */
  readonly applies: (operation: Operation, document: ApiDocument) => boolean;
  readonly needs: (operation: Operation) => readonly Need[];
  readonly isBetween: boolean;
  readonly judge: (operation: Operation, run: Run) => Verdicts;
}
