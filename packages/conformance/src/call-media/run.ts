// A run: who asks, what was answered and observed, and the tools that checks work with.
import { createCoverage } from "./answers/coverage.ts";
import { createJudge } from "./answers/every-answer.ts";
import { toIdentity } from "../values/places.ts";
import { createFindings, type Findings } from "./findings.ts";
import { type Answer, type Ask, findRefusal, isSuccess, toRawRequest } from "./answer.ts";
import type { Secrets } from "../http/secrets.ts";
import { Ended } from "../http/sender.ts";
import type { Wire } from "../http/wire.ts";
import { createProfileNotes, type ProfileNotes } from "./profile.ts";
import type { CheckOptions, JsonValue, Observation } from "./report.ts";
import { type ObservedDecision, decisions } from "./requirements/decisions.ts";

// All metadata of a run fits; recordings of any length need not.
const MAX_REMEMBERED_BYTES = 2 ** 20;

export interface Observed {
  readonly decision: ObservedDecision;
  readonly question: string;
  readonly observed: string;
  readonly value: JsonValue;
  readonly agrees: boolean;
}

export interface Run extends Findings {
  /** Sends, as the first caller unless told otherwise, and holds the answer to the closed world. */
  readonly ask: (ask: Ask) => Promise<Answer>;
  /** The answer that this request had before in the run; only where there is none is it sent. */
  readonly recall: (ask: Ask) => Promise<Answer>;
  /** As `recall`, of a request that has to succeed. Throws `Ended` when it does not. */
  readonly succeed: (ask: Ask) => Promise<Answer>;
  readonly observe: (observed: Observed) => void;
  /** Takes down an answer that programs go by. */
  readonly learn: ProfileNotes["learn"];
  /** Sets the Authorization header of the first caller. */
  readonly signIn: (authorization: string) => void;
  readonly authorization: () => string;
}

/** What holds or not, as a sentence for `prove`. */
export function unless(holds: boolean, fault: string): string | undefined {
  return holds ? undefined : fault;
}

export function createRun(wire: Wire<Ask, Answer>, options: CheckOptions, secrets: Secrets) {
  const { toReport, ...findings } = createFindings(options, secrets);
  const { observe, listObservations } = createObservations(secrets);
  const judge = createJudge(findings.prove, options.against ?? "interface");
  const coverage = createCoverage();
  const profile = createProfileNotes(wire.baseUrl);
  const remembered = new Map<string, Answer>();
  let authorization = "";
  let isAnswered = false;

  const ask: Run["ask"] = async (request) => {
    const header = request.authorization === undefined ? authorization : request.authorization;
    const full = { ...request, authorization: header };
    const answer = await wire.send(full, toRawRequest(wire.baseUrl, full, header));
    judge(answer);
    coverage.see(answer);
    isAnswered = true;
    if (answer.size <= MAX_REMEMBERED_BYTES) remembered.set(toIdentity(request), answer);
    return answer;
  };
  // Each sign-in gives a token of its own.
  const recall: Run["recall"] = async (request) =>
    (request.operation === "createToken" ? undefined : remembered.get(toIdentity(request))) ??
    ask(request);

  const run: Run = {
    ...findings,
    ask,
    recall,
    succeed: async (request) => {
      const answer = await recall(request);
      findings.prove("answer.success", answer, findRefusal(answer));
      if (!isSuccess(answer)) throw new Ended(`${request.operation} was not answered`, false);
      return answer;
    },
    observe,
    learn: profile.learn,
    signIn: (header) => (authorization = header),
    authorization: () => authorization,
  };
  return { run, toReport, listObservations, coverage, profile, isAnswered: () => isAnswered };
}

/** Of each question the last answer counts. */
function createObservations({ hide }: Secrets) {
  const observations = new Map<string, Observation>();
  return {
    observe: ({ decision, question, observed, value, agrees }: Observed): void => {
      observations.set(`${decision} ${question}`, {
        decision,
        question,
        observed: hide(observed),
        ours: decisions[decision],
        agrees,
        value: typeof value === "string" ? hide(value) : value,
      });
    },
    listObservations: (): readonly Observation[] =>
      [...observations.values()].toSorted((a, b) => a.decision.localeCompare(b.decision)),
  };
}
