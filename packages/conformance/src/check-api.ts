// Checks one service against its document and relations: find values, ask what is planned, look twice, sum up.
import { type Answer, type Ask, type Caller, parseJson, SAFE_METHODS, toAnswer } from "./ask.ts";
import { cleanUp } from "./clean-up.ts";
import { createCollector, toRequirement } from "./findings/collect.ts";
import { toVerdict } from "./findings/verdict.ts";
import { createSecrets, type Secrets } from "./http/secrets.ts";
import type { SentRequest } from "./http/exchanges.ts";
import { Ended, JSON_BOUNDS, type Silence } from "./http/sender.ts";
import type { RawAnswer } from "./http/transport.ts";
import { createWire } from "./http/wire.ts";
import type { ApiDocument } from "./document/document.ts";
import type { Cell } from "./laws/law.ts";
import { swapCase } from "./laws/sign-in.ts";
import { type CellSetting, performCell, survive } from "./perform.ts";
import { listCells } from "./plan/cells.ts";
import { derive } from "./relations/derive.ts";
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

/**
 * Checks over HTTP whether a service keeps its document and what its relations say of it. Reads only, unless `mayWrite` is set.
 *
 * Never rejects for what a service does: one that cannot be reached, hangs or answers nonsense is told of in the report.
 */
export async function checkApi(check: ApiCheck): Promise<ApiReport> {
  return performCheck(check, false);
}

/** `isReplay`: the answers are recorded ones, which do not move: no second look. */
export async function performCheck(
  { document, relations, target, options = {} }: ApiCheck,
  isReplay: boolean,
): Promise<ApiReport> {
  const startedMs = performance.now();
  const { mayWrite = false, isStrict = false, isOpen = relations.isOpen } = options;
  const secrets = createSecrets();
  keepSecrets(secrets, target);
  const derived = derive(document, relations);
  const known: Relations = { ...relations, values: derived.values };
  const collector = createCollector({
    secrets,
    isStrict,
    placeOf: ({ pointer }) => document.placeOf(pointer),
  });
  const { each, least, most } = BUDGET;
  const maxRequests =
    options.maxRequests ?? Math.min(Math.max(document.operations.size * each, least), most);
  let answered = 0;
  const sending = {
    target,
    secrets,
    toBounds: () => JSON_BOUNDS,
    toAnswer: (ask: Ask, raw: RawAnswer, sent: SentRequest) => {
      learnToken(secrets, known, { operation: ask.operation, bytes: raw.bytes });
      return toAnswer(ask, { raw, sent, operation: run.operation(ask.operation) }, secrets);
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
    relations: known,
    lists: derived.lists,
    callers: toCallers(target),
    mayWrite,
    isStrict,
  };
  const onAnswer = (answer: Answer): void => {
    answered += 1;
    for (const judgement of judgeAnswer(answer, rules)) collector.judge(judgement);
  };
  const run: Run = createRun({
    ...shared,
    wire: createWire<Ask, Answer>({ ...sending, options: { ...options, maxRequests } }),
    onAnswer,
  });
  for (const [id, body] of Object.entries(target.bodies ?? {})) run.found.bodies.set(id, body);
  const cells = listCells(document, known, options.without);
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
  const collected = collector.toCollected();
  const summed = toVerdict({
    run,
    cells,
    proved,
    collected,
    reason,
    isAnswered: answered > 0,
    floor: options.floor,
    without: options.without ?? [],
  });
  return {
    baseUrl: target.baseUrl,
    against: document.file,
    ...summed,
    ...(summed.reason !== undefined && { reason: secrets.hide(summed.reason) }),
    ...collected,
    notes: document.notes,
    left,
    requests: run.requests(),
    durationMs: Math.round(performance.now() - startedMs),
  };
}

function keepSecrets(
  secrets: Secrets,
  { first, second, schemes = {}, bodies = {} }: ApiTarget,
): void {
  for (const value of listLeaves(Object.values(bodies)).map(String))
    // Signing in is tried with the letter case changed, which gives the secret away as well.
    for (const form of [value, swapCase(value)]) secrets.add(form, "$BODY_KEY");
  const keep = (credentials: Credentials | undefined, name: `$${string}`) => {
    for (const value of [
      ...Object.values(credentials?.headers ?? {}),
      ...Object.values(credentials?.query ?? {}),
    ]) {
      // Of `Basic dXNlcjpwYXNz` what comes after the scheme.
      const secret = value.split(" ").at(-1) ?? value;
      secrets.add(secret, name);
      const [, password] = Buffer.from(secret, "base64").toString().split(/:(.*)/s);
      if (/^basic /i.test(value) && password !== undefined) secrets.add(password, name);
    }
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
    .flatMap(([, value]) => {
      const secret = value.split(" ").at(-1) ?? value;
      const [, password = ""] = Buffer.from(secret, "base64").toString().split(/:(.*)/s);
      return /^basic /i.test(value) ? [secret, password] : [secret];
    })
    .filter(({ length }) => length >= LEAST_CREDENTIAL);
}

/** Before anything of the response is shown. */
function learnToken(
  secrets: Secrets,
  { rules }: Relations,
  { operation, bytes }: { readonly operation: string; readonly bytes: Uint8Array | undefined },
): void {
  for (const rule of rules) {
    if (rule.kind !== "signIn" || !rule.of.includes(operation)) continue;
    const token = at(parseJson(new TextDecoder().decode(bytes)), rule.token);
    if (typeof token === "string") secrets.add(token, "$NEW_TOKEN");
  }
}

function toCallers({ first, second, schemes = {} }: ApiTarget): Run["callers"] {
  const toCaller = (name: string, { headers, query = {} }: Credentials): Caller => ({
    name,
    headers,
    query,
  });
  return {
    first: toCaller("first", first ?? { headers: {} }),
    ...(second && { second: toCaller("second", second) }),
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
      if (why === undefined) await performCell(cell, setting);
      else skipCell(cell, why, collector);
    }
    return run.requests() >= maxRequests * (1 - HELD_BACK)
      ? `the budget of ${maxRequests} requests is used up`
      : undefined;
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    return error.message;
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

/** Lists that need no value of others first. */
async function findLists(run: Run): Promise<void> {
  for (let round = 0; round < 2; round += 1)
    for (const { id, method } of run.document.operations.values()) {
      const isRead = SAFE_METHODS.has(method) || run.relations.safe.includes(id);
      if (
        run.listInfo(id) === undefined ||
        !isRead ||
        (run.found.lists.get(id)?.rows.length ?? 0) > 0
      )
        continue;
      await survive(() => findList(run, id));
    }
}
