// What a law is: cells, each of which can be planned and explained before it is asked, and a judge of the answers.
import type { Answer } from "../ask.ts";
import type { Operation } from "../document/document.ts";
import type { Fault } from "../fingerprint.ts";
import type { Kind, RuleOf, Rule } from "../relations/kinds.ts";
import type { Run } from "../run.ts";

/** Whether a clause holds in an answer. */
export interface Judgement {
  readonly clause: string;
  readonly answer: Answer;
  /** What is wrong; nothing where the clause holds. */
  readonly fault?: Fault | undefined;
  /** A value that could have refuted the clause. Without it the clause counts as not checked. */
  readonly witness?: string | undefined;
  /** What was seen, in a word of the law, where services differ and all of them may be right. */
  readonly saw?: string;
  /** `should`: a finding only if the check is strict. */
  readonly level?: "must" | "should" | "observe";
}

/** Why a clause could not be checked. */
export interface Unchecked {
  readonly clause: string;
  readonly why: string;
}

export type Verdicts = AsyncGenerator<Judgement | Unchecked>;

export type Need = "write" | "second caller";

/** A clause of a law, or several that the same answers show, at an operation. */
export interface Cell {
  readonly law: string;
  readonly operation: Operation;
  readonly rule?: Rule;
  readonly clauses: readonly string[];
  /** How many requests it takes, about. */
  readonly cost: number;
  readonly needs: readonly Need[];
  /** What is compared lies in several answers, between which data may have moved. */
  readonly isBetween: boolean;
  readonly judge: (run: Run) => Verdicts;
}

/** How a kind of rule is checked at one operation. No request is sent by `cost` and `needs`. */
export interface Law<Name extends Kind> {
  readonly cost: number;
  readonly needs?: (rule: RuleOf<Name>, operation: Operation) => readonly Need[];
  /** Default: true. */
  readonly isBetween?: boolean;
  readonly judge: (rule: RuleOf<Name>, operation: Operation, run: Run) => Verdicts;
}

/** Whether a rule asks for a clause, so that no request is sent for another one. */
export const isWanted = ({ only }: Pick<Rule, "only">, clause: string): boolean =>
  only?.includes(clause) ?? true;

/** A clause that is undecided: said in words for the report. */
export const unchecked = (clause: string, why: string): Unchecked => ({ clause, why });
