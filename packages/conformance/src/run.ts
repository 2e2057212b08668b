// The state of one run: who asks, what was found and observed, and the tools that checks work with.
import type { OperationId } from "@call-media/api";
import { type Judgement, judgeBody } from "./answers/body.ts";
import { createCoverage } from "./answers/coverage.ts";
import { judgeHead } from "./answers/headers.ts";
import { toIdentity } from "./archive/records.ts";
import {
  type Answer,
  type Ask,
  findRefusal,
  isObject,
  isPassed,
  isSuccess,
} from "./http/answer.ts";
import { toCurl } from "./http/curl.ts";
import { Ended, type Silence, type Wire } from "./http/wire.ts";
import type { Secrets } from "./http/secrets.ts";
import type { CheckOptions, Finding, JsonValue, Observation } from "./report.ts";
import { createProfileNotes, type ProfileNotes } from "./profile.ts";
import { type ObservedDecision, decisions } from "./requirements/decisions.ts";
import { isStated, manifest, type RequirementId, toSourceText } from "./requirements/manifest.ts";

// All metadata of a run fits; recordings of any length need not.
const MAX_REMEMBERED_BYTES = 2 ** 20;

export interface Observed {
  readonly decision: ObservedDecision;
  readonly question: string;
  readonly observed: string;
  readonly value: JsonValue;
  readonly agrees: boolean;
}

export interface Run {
  /** Sends, as the first caller unless told otherwise, and holds the answer to the closed world. */
  readonly ask: (ask: Ask) => Promise<Answer>;
  /** The answer that this request had before in the run; only where there is none is it sent. */
  readonly recall: (ask: Ask) => Promise<Answer>;
  /** As `recall`, of a request that has to succeed. Throws `Ended` when it does not. */
  readonly succeed: (ask: Ask) => Promise<Answer>;
  /** Says whether a requirement holds in this answer: undefined, or what is wrong. */
  readonly prove: (id: RequirementId, answer: Answer, fault: string | undefined) => void;
  /** A requirement about something that no request shows. */
  readonly proveOf: (id: RequirementId, shown: Shown, fault: string | undefined) => void;
  readonly observe: (observed: Observed) => void;
  /** Takes down an answer that programs go by. */
  readonly learn: ProfileNotes["learn"];
  /** Why a requirement cannot be checked here. */
  readonly skip: (id: RequirementId, why: string) => void;
  readonly isAsked: (operation: OperationId) => boolean;
  /** Sets the Authorization header of the first caller. */
  readonly signIn: (authorization: string) => void;
  readonly authorization: () => string;
}

export interface Shown {
  readonly sent: Answer["sent"];
  readonly came?: Answer["came"];
  readonly operation?: OperationId;
}

/** What holds or not, as a sentence for `prove`. */
export function unless(holds: boolean, fault: string): string | undefined {
  return holds ? undefined : fault;
}

export function createRun(wire: Wire, options: CheckOptions, { hide }: Secrets) {
  const { against = "interface", only } = options;
  const findings = new Map<string, Finding>();
  const observations = new Map<string, Observation>();
  const proved = new Set<RequirementId>();
  const skipped = new Map<RequirementId, string>();
  const remembered = new Map<string, Answer>();
  const requestIds = new Set<string>();
  const judgeRequestId = ({ headers }: Answer) => {
    const id = headers.get("X-Request-Id") ?? "";
    const isTwice = requestIds.has(id);
    requestIds.add(id);
    return unless(!isTwice || id === "", `another answer has the X-Request-Id ${id} too`);
  };
  const coverage = createCoverage();
  const profile = createProfileNotes(wire.baseUrl);
  const isAsked = (operation: OperationId) => only === undefined || only.includes(operation);
  let authorization = "";
  let isAnswered = false;

  const proveOf: Run["proveOf"] = (id, { sent, came, operation }, fault) => {
    const requirement = manifest[id];
    if (operation !== undefined && !isAsked(operation)) return;
    proved.add(id);
    if (fault === undefined || (against === "interface" && !isStated(requirement))) return;
    const key = `${id} ${operation}`;
    if (findings.has(key)) return;
    findings.set(key, {
      requirement: id,
      ...(operation !== undefined && { operation }),
      says: requirement.says,
      source: toSourceText(requirement),
      fault: hide(fault),
      sent,
      ...(came && { came }),
      curl: toCurl(sent),
    });
  };
  const prove: Run["prove"] = (id, { sent, came, ask: { operation } }, fault) =>
    proveOf(id, { sent, came, operation }, fault);
  const judge = (answer: Answer, judgements: readonly Judgement[]) => {
    for (const { id, fault } of judgements) prove(id, answer, fault);
  };

  const ask: Run["ask"] = async (request) => {
    const header = request.authorization === undefined ? authorization : request.authorization;
    const answer = await wire.send({ ...request, authorization: header }, header);
    prove("answer.complete", answer, undefined);
    prove(
      "secrets.kept",
      answer,
      unless(!isSecretRepeated(answer), "a secret of the request is repeated"),
    );
    judge(answer, judgeHead(answer));
    prove("answer.request-id", answer, judgeRequestId(answer));
    // To refuse in the body alone is lawful by the interface, not by D12.
    const isBodyDue = against === "interface" ? isSuccess(answer) : isPassed(answer);
    if (isBodyDue && answer.ask.method === undefined) judge(answer, judgeBody(answer));
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
    ask,
    recall,
    prove,
    proveOf,
    isAsked,
    succeed: async (request) => {
      const answer = await recall(request);
      prove("answer.success", answer, findRefusal(answer));
      if (!isSuccess(answer)) throw new Ended(`${request.operation} was not answered`, false);
      return answer;
    },
    observe: ({ decision, question, observed, value, agrees }) => {
      observations.set(`${decision} ${question}`, {
        decision,
        question,
        observed: hide(observed),
        ours: decisions[decision],
        agrees,
        value: typeof value === "string" ? hide(value) : value,
      });
    },
    learn: profile.learn,
    skip: (id, why) => skipped.set(id, why),
    signIn: (header) => (authorization = header),
    authorization: () => authorization,
  };
  const onSilence = ({ ask: { operation }, sent, fault }: Silence) =>
    proveOf("answer.complete", { sent, operation }, fault);
  return {
    run,
    findings,
    observations,
    proved,
    skipped,
    coverage,
    profile,
    onSilence,
    isAnswered: () => isAnswered,
  };
}

function isSecretRepeated({ ask: { body, authorization }, text }: Answer): boolean {
  const key = isObject(body) ? body["secretKey"] : undefined;
  const token = authorization?.split(" ")[1];
  // A short text may stand in an answer by chance.
  return [key, token].some(
    (secret) => typeof secret === "string" && secret.length >= 8 && text.includes(secret),
  );
}
