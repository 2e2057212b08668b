// Opens a run: its secrets, callers, sender with limits, and the collector of its findings.
import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type Answer, type Ask, type Caller, isPassed, parseJson, toAnswer } from "./ask.ts";
import { cleanUp } from "./clean-up.ts";
import { createCoverage } from "./coverage.ts";
import { type ApiDocument, isJson, type Operation } from "./document/document.ts";
import { type Collector, createCollector } from "./findings/collect.ts";
import type { SentRequest } from "./http/exchanges.ts";
import { createSecrets, hideTokens, listParts, type Secrets, toVariable } from "./http/secrets.ts";
import { JSON_BOUNDS, type Silence, STREAM_BOUNDS } from "./http/sender.ts";
import type { RawAnswer } from "./http/transport.ts";
import { createWire } from "./http/wire.ts";
import type { Instance } from "./instance.ts";
import type { Judgement } from "./laws/law.ts";
import { createOwn } from "./own.ts";
import { toBroken } from "./perform.ts";
import { derive } from "./relations/derive.ts";
import type { Relations } from "./relations/relations.ts";
import type { ApiCheck } from "./check.ts";
import type { ApiCoverage, ApiTarget, Credentials, Left } from "./report.ts";
import { judgeAnswer } from "./rules/answer.ts";
import { createRun, type Run } from "./run.ts";
import { isShown } from "./shown.ts";
import { at } from "./values/places.ts";
import { withNeeded } from "./values/needed.ts";

/** The default delay after a write. The relations of a slower service state their own. */
export const USUAL_LAG_MS = 2_000;

export interface How {
  /** Part of the names of created things; different in each run. */
  readonly seed: string;
  /** The responses are recorded and constant: nothing is repeated or waited for. */
  readonly isReplay: boolean;
  readonly maxRequests: number;
  /** The responses are those of others: their secrets are all known only at the end, so they are replaced in the report. */
  readonly recording?: {
    /** False for a clause that a recording cannot show to hold or not. */
    readonly isEvident: (judgement: Judgement) => boolean;
  };
  /** Called when all callers have signed in. */
  readonly onCallers?: (callers: Run["callers"]) => void;
}

export const toSeed = (): string => randomBytes(3).toString("hex");

export interface Opened {
  readonly run: Run;
  readonly collector: Collector;
  readonly instance: Instance | undefined;
  readonly isAsked: (operation: string) => boolean;
  readonly secrets: Secrets;
  readonly toCoverage: () => ApiCoverage;
  /** The response as the laws read it. */
  readonly toAnswer: (ask: Ask, raw: RawAnswer, sent: SentRequest) => Answer;
  /** Judges a response by itself. */
  readonly judge: (answer: Answer) => void;
  /** True if a complete response came. */
  readonly isAnswered: () => boolean;
  /** Why no complete response came, in the words of the sender. */
  readonly findSilence: () => string | undefined;
  /** Deletes what the run created and returns what could not be deleted. Works even after a spent budget or Ctrl-C. */
  readonly cleanUp: () => Promise<readonly Left[]>;
}

/** Replaces nothing. */
const PLAIN: Pick<Secrets, "hide" | "hideIn"> = {
  hide: (text) => text,
  hideIn: (value) => value,
};

/** Opens a run without sending anything. */
export function openRun(
  { document, relations, target, options = {}, open }: ApiCheck,
  { seed, isReplay, recording, maxRequests }: How,
): Opened {
  const instance = open?.();
  const { only, without = [] } = options;
  const isAsked = (id: string) => (only?.includes(id) ?? true) && !without.includes(id);
  const { mayWrite = false, isStrict = false, isOpen = relations.isOpen } = options;
  const secrets = createSecrets();
  keepSecrets(secrets, target);
  const derived = derive(document, relations);
  const shown = recording === undefined ? secrets : PLAIN;
  const collector = createCollector({
    secrets: shown,
    isStrict,
    placeOf: ({ pointer }) => document.placeOf(pointer),
    onFinding: options.onFinding,
    instance,
    stated: relations.requirements,
    isAsked,
  });
  let answered = 0;
  const own = createOwn({ document, relations, ...derived, mayWrite, mark: `probe-${seed}` });
  const readAnswer: Opened["toAnswer"] = (ask, raw, sent) => {
    const isSignIn = learnToken(secrets, relations, {
      operation: ask.operation,
      bytes: raw.bytes,
      isSecond: isDeepStrictEqual(ask.body, target.secondBody),
    });
    const operation = run.operation(ask.operation);
    const isRead = instance !== undefined && !(isOfBytes(operation) && isPassed(raw));
    const answer = toAnswer(
      ask,
      { raw, sent, operation, isRead },
      recording === undefined ? secrets : PLAIN,
    );
    // No rule describes the other tokens in such a response.
    const body = isSignIn ? hideTokens(answer.came.body) : answer.came.body;
    const safe = { ...answer, came: { ...answer.came, body } };
    if (instance === undefined) return safe;
    // An interface that names no media type has JSON under any.
    const read = { ...safe, json: answer.json ?? parseJson(answer.text) };
    return { ...read, isSuccess: answer.isSuccess && !instance.isRefusal(read) };
  };
  const sending = {
    target,
    secrets,
    refuse: own.refuse,
    toBounds: ({ operation }: Ask) =>
      isOfBytes(run.operation(operation)) ? STREAM_BOUNDS : JSON_BOUNDS,
    toAnswer: readAnswer,
    onSilence: ({ ask, sent, fault }: Silence<Ask>) => {
      const operation = run.operation(ask.operation);
      if (instance !== undefined) collector.fail("answer.complete", { operation, sent }, fault);
      else
        collector.observe({
          requirement: "answer.whole",
          operation: operation.id,
          observed: `${sent.method} ${sent.url}: ${fault}`,
        });
    },
  };
  const credentials = listCredentials(target, document);
  const toRules = ({ ask: { caller } }: Answer) => ({
    document,
    isOpen,
    credentials:
      recording === undefined || !caller
        ? credentials
        : listCredentials({ first: caller }, document),
  });
  const shared = {
    document,
    relations,
    ...derived,
    callers: toCallers(target),
    mayWrite,
    isStrict: isStrict || instance !== undefined,
    own,
    consistencyMs: isReplay ? 0 : (relations.consistencyMs ?? USUAL_LAG_MS),
    complete: withNeeded,
    isShown,
  };
  const coverage = createCoverage(document);
  const onAnswer = (answer: Answer): void => {
    answered += 1;
    try {
      if (answer.lacks?.body !== true) coverage.note(answer);
      // A rewritten path may be that of no operation.
      const isOwnPath = answer.isSuccess && answer.ask.rewrite === undefined;
      if (instance !== undefined && isOwnPath) run.succeeded.add(answer.operation.id);
      const judged =
        instance?.judgeAnswer(answer, run, isAsked) ?? judgeAnswer(answer, toRules(answer));
      for (const judgement of judged)
        if (recording?.isEvident(judgement) ?? true) collector.judge(judgement);
    } catch (error) {
      const { id } = answer.operation;
      collector.skip({ requirement: "answer.schema", operation: id }, toBroken(error), true);
    }
  };
  const wire = createWire<Ask, Answer>({ ...sending, options: { ...options, maxRequests } });
  const run: Run = createRun({ ...shared, wire, onAnswer });
  for (const [id, body] of Object.entries(target.bodies ?? {})) run.found.bodies.set(id, body);
  const { signal: _signal, onProgress: _onProgress, ...lasting } = options;
  const openCleaner = () =>
    createRun({
      ...shared,
      wire: createWire<Ask, Answer>({ ...sending, options: { ...lasting, maxRequests: Infinity } }),
      onAnswer,
    });
  return {
    run,
    collector:
      instance === undefined
        ? collector
        : {
            ...collector,
            judge: (judgement, rule) => {
              instance.see(judgement, rule);
              collector.judge(judgement, rule);
            },
          },
    instance,
    isAsked,
    secrets,
    isAnswered: () => answered > 0,
    toAnswer: readAnswer,
    judge: onAnswer,
    toCoverage: coverage.toCoverage,
    findSilence: () => (answered > 0 ? undefined : wire.findSilence()),
    cleanUp: async () => {
      const cleaner = openCleaner();
      return await cleanUp(run, async (ask) => {
        const answer = await cleaner.askAgain(ask);
        run.noteRight(answer);
        return answer;
      });
    },
  };
}

/** True if no success of an operation is JSON. */
const isOfBytes = ({ responses }: Operation): boolean =>
  responses
    .filter(({ status }) => status.startsWith("2"))
    .every(({ media }) => media.length > 0 && !media.some(({ type }) => isJson(type)));

function keepSecrets(
  secrets: Secrets,
  { baseUrl, first, second, expired, schemes = {}, bodies = {}, secondBody = {} }: ApiTarget,
): void {
  const { password = "" } = URL.canParse(baseUrl) ? new URL(baseUrl) : {};
  secrets.add(password, "$URL_KEY");
  for (const [name, value] of Object.values(bodies).flatMap((body) => listLeaves(body)))
    secrets.add(value, `$${toVariable(name)}`);
  for (const [name, value] of listLeaves(secondBody))
    secrets.add(value, `$SECOND_${toVariable(name)}`);
  const keep = ({ headers = {}, query = {} }: Partial<Credentials> = {}, name: `$${string}`) => {
    for (const value of Object.values(headers)) secrets.addHeader(value, name);
    for (const value of Object.values(query)) secrets.add(value, name);
  };
  keep(first, "$FIRST_KEY");
  keep(second, "$SECOND_KEY");
  keep(expired, "$EXPIRED_KEY");
  for (const one of Object.values(schemes)) keep(one, "$SCHEME_KEY");
}

/** Texts and numbers, each with the name of its field. */
function listLeaves(value: unknown, name = "body"): readonly (readonly [string, string])[] {
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, inner]) =>
      listLeaves(inner, Array.isArray(value) ? name : key),
    );
  return typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [];
}

/** A shorter text may occur in a response by coincidence. */
const LEAST_CREDENTIAL = 8;

/** What the document declares secret: keys in headers, tokens and passwords. */
function listCredentials(
  { first, second, schemes = {} }: Omit<ApiTarget, "baseUrl">,
  document: ApiDocument,
): readonly string[] {
  const keys = new Set(["authorization"]);
  for (const { in: where, key } of document.schemes.values())
    if (where === "header") keys.add(key.toLowerCase());
  return [first, second, ...Object.values(schemes)]
    .flatMap((one) => Object.entries(one?.headers ?? {}))
    .filter(([name]) => keys.has(name.toLowerCase()))
    .flatMap(([, value]) => listParts(value))
    .filter(({ length }) => length >= LEAST_CREDENTIAL);
}

interface SignedIn {
  readonly operation: string;
  readonly bytes: Uint8Array | undefined;
  /** True if it is the second caller who signs in. */
  readonly isSecond: boolean;
}

/** Runs before any part of the response is shown. @returns true if the response issues tokens. */
function learnToken(
  secrets: Secrets,
  { rules }: Relations,
  { operation, bytes, isSecond }: SignedIn,
): boolean {
  const all = rules
    .filter((rule) => rule.kind === "signIn")
    .filter(({ of }) => of.includes(operation));
  for (const rule of all) {
    const token = at(parseJson(new TextDecoder().decode(bytes)), rule.token);
    if (typeof token === "string") secrets.add(token, isSecond ? "$SECOND_TOKEN" : "$TOKEN");
  }
  return all.length > 0;
}

function toCallers({ first, second, expired, schemes = {} }: ApiTarget): Run["callers"] {
  const toCaller = (name: string, { headers, query = {} }: Credentials): Caller => ({
    name,
    // The rules on credentials need this spelling.
    headers: Object.fromEntries(
      Object.entries(headers).map(([key, value]) => [
        key.toLowerCase() === "authorization" ? "Authorization" : key,
        value,
      ]),
    ),
    query,
  });
  return {
    first: toCaller("first", first ?? { headers: {} }),
    // The same caller twice proves nothing about rights.
    ...(second && !isDeepStrictEqual(second, first) && { second: toCaller("second", second) }),
    ...(expired && { expired: toCaller("expired", expired) }),
    schemes: new Map(Object.entries(schemes).map(([name, one]) => [name, toCaller(name, one)])),
  };
}
