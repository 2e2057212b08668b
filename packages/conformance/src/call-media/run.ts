// A run: the caller, responses, observations, and the functions that checks use.
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

// All metadata of a run fits; recordings have no size limit.
const MAX_REMEMBERED_BYTES = 2 ** 20;

export interface Observed {
  readonly decision: ObservedDecision;
  readonly question: string;
  readonly observed: string;
  readonly value: JsonValue;
  readonly agrees: boolean;
}

export interface Run extends Findings {
  /** Sends a request and checks the response against the closed world. Default caller: the first. */
  readonly ask: (ask: Ask) => Promise<Answer>;
  /** The earlier response to this request in the run. Sends the request only if there is none. */
  readonly recall: (ask: Ask) => Promise<Answer>;
  /** Like `recall`, for a request that must succeed. Throws `Ended` if it does not. */
  readonly succeed: (ask: Ask) => Promise<Answer>;
  readonly observe: (observed: Observed) => void;
  /** Records an answer that programs can use. */
  readonly learn: ProfileNotes["learn"];
  /** Sets the Authorization header of the first caller. */
  readonly signIn: (authorization: string) => void;
  readonly authorization: () => string;
}

/** The result of a test as a sentence for `prove`. */
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
  // Each sign-in returns a new token.
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

/** The last observation of each question counts. */
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
