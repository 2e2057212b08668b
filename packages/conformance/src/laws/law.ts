// A law: cells that can be planned and explained before any request, and a judge of the responses.
import type { Answer } from "../ask.ts";
import type { Operation } from "../document/document.ts";
import type { Fault } from "../fingerprint.ts";
import type { Kind, RuleOf, Rule } from "../relations/kinds.ts";
import type { Run } from "../run.ts";

/** The result of a clause for a response. */
export interface Judgement {
  readonly clause: string;
  readonly answer: Answer;
  /** What is wrong; undefined if the clause holds. */
  readonly fault?: Fault | undefined;
  /** A value that could have refuted the clause. Without it the clause counts as not checked. */
  readonly witness?: string | undefined;
  /** What was observed, as a keyword of the law, if services differ and all of them may be right. */
  readonly saw?: string;
  /** `should`: a finding only if the check is strict. */
  readonly level?: "must" | "should" | "observe";
}

export type Two = readonly [first: Answer, second: Answer];

/** The reason why a clause could not be checked. */
export interface Unchecked {
  readonly clause: string;
  readonly why: string;
}

export type Verdicts = AsyncGenerator<Judgement | Unchecked>;

export type Need = "write" | "second caller";

/** A clause of a law at an operation, or several clauses that the same responses show. */
export interface Cell {
  readonly law: string;
  readonly operation: Operation;
  /** All operations that it is about; default: this one. */
  readonly operations?: readonly string[];
  readonly rule?: Rule;
  readonly clauses: readonly string[];
  /** The approximate number of requests. */
  readonly cost: number;
  readonly needs: readonly Need[];
  /** True if several responses are compared, between which data may have changed. */
  readonly isBetween: boolean;
  readonly judge: (run: Run) => Verdicts;
}

/** How a kind of rule is checked at one operation. `cost` and `needs` send no requests. */
export interface Law<Name extends Kind> {
  readonly cost: number;
  readonly needs?: (rule: RuleOf<Name>, operation: Operation) => readonly Need[];
  /** Default: true. */
  readonly isBetween?: boolean;
  readonly judge: (rule: RuleOf<Name>, operation: Operation, run: Run) => Verdicts;
  /** What a single response shows, whoever asked for it: `judge` uses the same functions. Only for a success. */
  readonly judgeOne?: (rule: RuleOf<Name>, answer: Answer, run: Run) => Iterable<Judgement>;
  /** The clauses that `judgeOne` judges. */
  readonly ofOne?: readonly string[];
  /** What two successes for one caller show, between which nothing was written. The second one was requested after the first one came. */
  readonly judgeTwo?: (rule: RuleOf<Name>, both: Two, run: Run) => Iterable<Judgement>;
  /** The clauses that `judgeTwo` judges. */
  readonly ofTwo?: readonly string[];
}

/** True if a rule includes a clause. No requests are sent for the others. */
export const isWanted = ({ only }: Pick<Rule, "only">, clause: string): boolean =>
  only?.includes(clause) ?? true;

/** An undecided clause, with the reason for the report. */
export const unchecked = (clause: string, why: string): Unchecked => ({ clause, why });
