// What a check is: the requirements it proves, and what it does to prove them.
import type { Sample } from "../archive/sample.ts";
import type { Caller } from "../../ask.ts";
import type { Judgement, Unchecked } from "../../laws/law.ts";
import type { Run } from "../run.ts";

export interface Check {
  /** A short name, for `--without`. */
  readonly about: string;
  readonly proves: readonly string[];
  /** The approximate number of requests. */
  readonly cost: number;
  readonly run: (context: Context) => Promise<void>;
}

export interface Context {
  readonly run: Run;
  readonly sample: Sample;
  /** The second caller, with fewer rights; undefined if none was configured. */
  readonly restricted: Caller | undefined;
  /** True if an operation is to be reported. */
  readonly isAsked: (operation: string) => boolean;
  /** Verdicts of the search for samples. */
  readonly pending: readonly (Judgement | Unchecked)[];
}
