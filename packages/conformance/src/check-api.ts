// Checks one service against its document and relations: find values, ask what is planned, look twice, sum up.
import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type Answer, type Ask, type Caller, parseJson, SAFE_METHODS, toAnswer } from "./ask.ts";
import { cleanUp } from "./clean-up.ts";
import { createCollector, toRequirement } from "./findings/collect.ts";
import { toVerdict } from "./findings/verdict.ts";
import { createSecrets, hideTokens, listParts, type Secrets } from "./http/secrets.ts";
import type { SentRequest } from "./http/exchanges.ts";
import { Ended, JSON_BOUNDS, type Silence } from "./http/sender.ts";
import type { RawAnswer } from "./http/transport.ts";
import { createWire } from "./http/wire.ts";
import type { ApiDocument, Operation } from "./document/document.ts";
import type { Cell } from "./laws/law.ts";
import { createOwn } from "./own.ts";
import { type CellSetting, performCell, survive, toBroken } from "./perform.ts";
import { listCells } from "./plan/cells.ts";
import { derive } from "./relations/derive.ts";
import { successView } from "./relations/shape.ts";
import type { Relations } from "./relations/relations.ts";
import type { ApiCheck, ApiReport, ApiTarget, Credentials } from "./report.ts";
import { judgeAnswer } from "./rules/answer.ts";
import { createRun, type Run } from "./run.ts";
import { findList } from "./values/lists.ts";
import { at } from "./values/places.ts";

/** How many requests a check may send that is not told: 45 for each operation, within these bounds. */
const BUDGET = { each: 45, least: 150, most: 900 } as const;
/** The part of the budget that is held back for second looks. */
const HELD_BACK = 0.05;
/** After a write; a service that lags more says so in its relations. */
const USUAL_LAG_MS = 2_000;

/**
 * Checks over HTTP whether a service keeps its document and what its relations say of it. Reads only, unless `mayWrite` is set.
 *
 * Never rejects for what a service does, nor for a fault of the kit: the report tells of one that cannot be reached, hangs or
 * answers nonsense, and of what could not be judged. Writes only to what it created itself.
 */
export async function checkApi(check: ApiCheck): Promise<ApiReport> {
  return performCheck(check, { seed: toSeed(), isReplay: false });
}

export interface How {
  /** In the names of what is created: another one for each run. */
  readonly seed: string;
  /** The answers are recorded ones, which do not move: nothing is looked at twice, or waited for. */
  readonly isReplay: boolean;
}

export const toSeed = (): string => randomBytes(3).toString("hex");

export async function performCheck(
  { document, relations, target, options = {} }: ApiCheck,
  { seed, isReplay }: How,
): Promise<ApiReport> {
  const startedMs = performance.now();
  const { mayWrite = false, isStrict = false, isOpen = relations.isOpen } = options;
  const secrets = createSecrets();
  keepSecrets(secrets, target);
  const derived = derive(document, relations);
  const collector = createCollector({
    secrets,
    isStrict,
    placeOf: ({ pointer }) => document.placeOf(pointer),
  });
  const { each, least, most } = BUDGET;
  const maxRequests =
    options.maxRequests ?? Math.min(Math.max(document.operations.size * each, least), most);
  let answered = 0;
  const own = createOwn({ document, relations, ...derived, mayWrite });
  const sending = {
    target,
    secrets,
    refuse: own.refuse,
    toBounds: () => JSON_BOUNDS,
    toAnswer: (ask: Ask, raw: RawAnswer, sent: SentRequest) => {
      const isSignIn = learnToken(secrets, relations, {
        operation: ask.operation,
        bytes: raw.bytes,
      });
      const answer = toAnswer(ask, { raw, sent, operation: run.operation(ask.operation) }, secrets);
      // Of the tokens that come with it no rule tells.
      const body = hideTokens(answer.came.body);
      return isSignIn ? { ...answer, came: { ...answer.came, body } } : answer;
    },
    onSilence: ({ ask, sent, fault }: Silence<Ask>) => {
      const operation = run.operation(ask.operation);
      collector.observe({
        requirement: "answer.whole",
        operation: operation.id,
        observed: `${sent.method} ${sent.url}: ${fault}`,
      });
    },
  };
  const rules = { document, isOpen, credentials: listCredentials(target, document) };
  const shared = {
    document,
    relations,
    ...derived,
    callers: toCallers(target),
    mayWrite,
    isStrict,
    own,
    seed,
    consistencyMs: isReplay ? 0 : (relations.consistencyMs ?? USUAL_LAG_MS),
  };
  const onAnswer = (answer: Answer): void => {
    answered += 1;
    try {
      for (const judgement of judgeAnswer(answer, rules)) collector.judge(judgement);
    } catch (error) {
      const { id } = answer.operation;
      collector.skip({ requirement: "answer.schema", operation: id }, toBroken(error), true);
    }
  };
  const wire = createWire<Ask, Answer>({ ...sending, options: { ...options, maxRequests } });
  const run: Run = createRun({ ...shared, wire, onAnswer });
  for (const [id, body] of Object.entries(target.bodies ?? {})) run.found.bodies.set(id, body);
  const cells = listCells(document, relations, options.without);
  const proved = new Set<Cell>();
  const setting = { run, collector, proved, maxRequests, isReplay };
  const reason = await perform(cells, setting);
  // Neither a budget that is used up nor Ctrl-C keeps what was created from being deleted.
  const { signal: _signal, onProgress: _onProgress, ...lasting } = options;
  const cleaner = createRun({
    ...shared,
    wire: createWire<Ask, Answer>({ ...sending, options: { ...lasting, maxRequests: Infinity } }),
    onAnswer,
  });
  const left = await cleanUp(run, async (ask) => {
    const answer = await cleaner.askAgain(ask);
    run.noteRight(answer);
    return answer;
  });
  for (const observed of run.references) {
    const [operation = ""] = observed.split(" ", 1);
    collector.observe({ requirement: "answer.success", operation, observed });
  }
  const collected = collector.toCollected();
  const summed = toVerdict({
    run,
    cells,
    proved,
    collected,
    reason: reason ?? (answered > 0 ? undefined : wire.findSilence()),
    isAnswered: answered > 0,
    isEmptyOk: options.isEmptyOk ?? relations.isEmptyOk,
    floor: options.floor,
    without: options.without ?? [],
    baseUrl: target.baseUrl,
  });
  return secrets.hideIn({
    baseUrl: target.baseUrl,
    against: document.file,
    ...summed,
    ...collected,
    notes: document.notes,
    left,
    requests: run.requests(),
    durationMs: Math.round(performance.now() - startedMs),
  });
}

function keepSecrets(
  secrets: Secrets,
  { baseUrl, first, second, schemes = {}, bodies = {} }: ApiTarget,
): void {
  const { password = "" } = URL.canParse(baseUrl) ? new URL(baseUrl) : {};
  secrets.add(password, "$URL_KEY");
  for (const value of listLeaves(Object.values(bodies)))
    if (typeof value === "string" || typeof value === "number") {
      secrets.add(String(value), "$BODY_KEY");
    }
  const keep = ({ headers = {}, query = {} }: Partial<Credentials> = {}, name: `$${string}`) => {
    for (const value of Object.values(headers)) secrets.addHeader(value, name);
    for (const value of Object.values(query)) secrets.add(value, name);
  };
  keep(first, "$FIRST_KEY");
  keep(second, "$SECOND_KEY");
  for (const one of Object.values(schemes)) keep(one, "$SCHEME_KEY");
}

function listLeaves(value: unknown): readonly unknown[] {
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(listLeaves)
    : [value];
}

/** Shorter ones stand in answers by chance. */
const LEAST_CREDENTIAL = 8;

/** What the document says is secret: keys in headers, tokens and passwords. */
function listCredentials(
  { first, second, schemes = {} }: ApiTarget,
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

/** Before anything of the response is shown. @returns whether it is one that hands out tokens. */
function learnToken(
  secrets: Secrets,
  { rules }: Relations,
  { operation, bytes }: { readonly operation: string; readonly bytes: Uint8Array | undefined },
): boolean {
  const all = rules
    .filter((rule) => rule.kind === "signIn")
    .filter(({ of }) => of.includes(operation));
  for (const rule of all) {
    const token = at(parseJson(new TextDecoder().decode(bytes)), rule.token);
    if (typeof token === "string") secrets.add(token, "$NEW_TOKEN");
  }
  return all.length > 0;
}

function toCallers({ first, second, schemes = {} }: ApiTarget): Run["callers"] {
  const toCaller = (name: string, { headers, query = {} }: Credentials): Caller => ({
    name,
    // The rules on credentials look it up by this name.
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
    // One caller twice proves no right.
    ...(second && !isDeepStrictEqual(second, first) && { second: toCaller("second", second) }),
    schemes: new Map(Object.entries(schemes).map(([name, one]) => [name, toCaller(name, one)])),
  };
}

interface Setting extends CellSetting {
  readonly maxRequests: number;
}

/** @returns why the check could not be ended, if so. */
async function perform(cells: readonly Cell[], setting: Setting): Promise<string | undefined> {
  const { run, collector, maxRequests } = setting;
  try {
    await findLists(run);
    for (const cell of cells) {
      const isSpent = run.requests() >= maxRequests * (1 - HELD_BACK);
      const why = isSpent
        ? `the budget of ${maxRequests} requests was used up before`
        : findLack(cell, run);
      const broken = why ?? (await survive(() => performCell(cell, setting)));
      if (broken !== undefined) skipCell(cell, broken, collector);
    }
    return run.requests() >= maxRequests * (1 - HELD_BACK)
      ? `the budget of ${maxRequests} requests is used up`
      : undefined;
  } catch (error) {
    return error instanceof Ended ? error.message : toBroken(error);
  }
}

function skipCell(
  { clauses, rule, operation }: Cell,
  why: string,
  collector: Setting["collector"],
): void {
  for (const clause of clauses)
    collector.skip({ requirement: toRequirement(clause, rule), operation: operation.id }, why);
}

function findLack({ needs }: Cell, { mayWrite, callers }: Run): string | undefined {
  if (needs.includes("write") && !mayWrite) return "needs --write";
  return needs.includes("second caller") && callers.second === undefined
    ? "needs a second caller"
    : undefined;
}

/** Whether only an answer can say that an operation gives a list: its schema says nothing. */
function isVague({ document }: Run, operation: Operation): boolean {
  const { method, path, parameters } = operation;
  const view = successView(document, operation);
  const isTold = view === undefined || view.items !== undefined || view.properties.size > 0;
  return (
    method === "GET" && !isTold && !path.includes("{") && !parameters.some((one) => one.required)
  );
}

/** Lists that need no value of others first. */
async function findLists(run: Run): Promise<void> {
  for (let round = 0; round < 2; round += 1)
    for (const operation of run.document.operations.values()) {
      const { id, method } = operation;
      const isRead = SAFE_METHODS.has(method) || run.relations.safe.includes(id);
      if (!isRead || (run.found.lists.get(id)?.rows.length ?? 0) > 0) continue;
      if (round === 0 && isVague(run, operation)) await survive(() => run.ask({ operation: id }));
      if (run.listInfo(id) !== undefined) await survive(() => findList(run, id));
    }
}
