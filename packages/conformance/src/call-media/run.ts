// How the checks of Call Media ask and tell, on the run of the kit.
import type { Answer, Ask } from "../ask.ts";
import { Ended } from "../http/sender.ts";
import type { Judgement, Unchecked } from "../laws/law.ts";
import type { Fault } from "../fingerprint.ts";
import type { Run as KitRun } from "../run.ts";
import { findRefusal } from "./answer.ts";
import type { Notes, Observed } from "./notes.ts";

export interface Run {
  readonly kit: KitRun;
  /** Sends a request exactly as it is written. */
  readonly ask: (ask: Ask) => Promise<Answer>;
  /** The earlier response to this request in the run. Sends the request only if there is none. */
  readonly recall: (ask: Ask) => Promise<Answer>;
  /** Like `recall`, for a request that must succeed. Throws `Ended` if it does not. */
  readonly succeed: (ask: Ask) => Promise<Answer>;
  /** Records whether a requirement holds in this response: undefined, or what is wrong. */
  readonly prove: (id: string, answer: Answer, fault: Fault | undefined) => void;
  /** Records why a requirement cannot be checked here. */
  readonly skip: (id: string, why: string) => void;
  readonly observe: (observed: Observed) => void;
  /** Records an answer that programs can use. */
  readonly learn: Notes["learn"];
  readonly tell: (verdict: Judgement | Unchecked) => void;
}

/** The result of a test as a sentence for `prove`. */
export function unless(holds: boolean, fault: string): string | undefined {
  return holds ? undefined : fault;
}

/** Passes each verdict to `tell`. */
export function createRun(
  kit: KitRun,
  { observe, learn }: Notes,
  tell: (verdict: Judgement | Unchecked) => void,
): Run {
  // The kit would add required parameters that a check leaves out on purpose.
  const toExact = (ask: Ask): Ask => {
    const { parameters } = kit.operation(ask.operation);
    const left = parameters.filter(({ required, in: place }) => required && place === "query");
    if (left.length === 0) return ask;
    const none = Object.fromEntries(left.map(({ name }) => [name, undefined]));
    return { ...ask, query: { ...none, ...ask.query } };
  };
  const prove: Run["prove"] = (clause, answer, fault) =>
    tell({ clause, answer, fault, witness: "a response" });
  const recall: Run["recall"] = (ask) => kit.ask(toExact(ask));
  return {
    kit,
    ask: (ask) => kit.askAgain(toExact(ask)),
    recall,
    succeed: async (ask) => {
      const answer = await recall(ask);
      prove("answer.success", answer, findRefusal(answer));
      if (!answer.isSuccess) throw new Ended(`${ask.operation} was not answered`, false);
      return answer;
    },
    prove,
    skip: (clause, why) => tell({ clause, why }),
    observe,
    learn,
    tell,
  };
}
