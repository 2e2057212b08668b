// What an API of its own kind adds to the kit: laws that only it has, the names of its requirements, and the questions that it leaves open.
import type { Answer } from "./ask.ts";
import type { Cell, Judgement } from "./laws/law.ts";
import type { Rule } from "./relations/kinds.ts";
import type { Requirement as Stated } from "./relations/requirements.ts";
import type { ApiTarget, Observation, UnseenOperation } from "./report.ts";
import type { Run } from "./run.ts";

/** A requirement that findings cite, under the chosen yardstick. */
export interface Requirement extends Omit<Stated, "basis"> {
  /** True if a fault is a finding. */
  readonly isDue: boolean;
}

/** One instance serves one run: it remembers what it saw. */
export interface Instance {
  /** The yardstick, as reports name it. */
  readonly against: string;
  readonly requirements: ReadonlyMap<string, Requirement>;
  /** True if a clause without a requirement may be a finding; else it is only observed. */
  readonly holdsDocument: boolean;
  /** Laws that no relation describes. */
  readonly cells: readonly Cell[];
  /** The rules of the document that apply. */
  readonly rules: ReadonlySet<string>;
  /** True if a success refuses the request in its body. */
  readonly isRefusal: (answer: Answer) => boolean;
  /** Judges every response, in place of the rules of the document. */
  readonly judgeAnswer: (
    answer: Answer,
    run: Run,
    isAsked: Asked["isAsked"],
  ) => Iterable<Judgement>;
  /** The requirement that a clause of a rule stands for. */
  readonly toRequirement: (judgement: Judgement, rule?: Rule) => string | undefined;
  /** Sees every judgement before it is collected. */
  readonly see: (judgement: Judgement, rule?: Rule) => void;
  /** Finds lists and values in its own way. Its responses are judged like all others. */
  readonly prepare: (run: Run, asked: Asked) => Promise<void>;
  /** Operations without a success, and lists without a row. */
  readonly listUnseen: (run: Run, isAsked: (operation: string) => boolean) => UnseenOperation[];
  readonly toObserved: () => Observed;
}

interface Asked {
  readonly target: ApiTarget;
  /** True if an operation is to be reported. */
  readonly isAsked: (operation: string) => boolean;
}

export interface Observed {
  readonly questions: readonly Observation[];
  readonly profile: Readonly<Record<string, unknown>>;
}
