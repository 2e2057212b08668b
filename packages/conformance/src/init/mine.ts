// Tries guesses on live responses, twice. A guess that held where it could have failed becomes a rule, any other one a comment.
import { findLists } from "../check-api.ts";
import { SAFE_METHODS } from "../ask.ts";
import type { Operation } from "../document/document.ts";
import { Ended } from "../http/sender.ts";
import { budgetToMine } from "../plan/budget.ts";
import { openRun, toSeed } from "../open-run.ts";
import { toBroken } from "../perform.ts";
import { kinds, type Rule } from "../relations/kinds.ts";
import { toRule } from "../relations/read.ts";
import type { ApiCheck } from "../check.ts";
import type { Left } from "../report.ts";
import { signIn } from "../sign-in.ts";
import type { Run } from "../run.ts";
import { findList } from "../values/lists.ts";
import { coreOf, type Evidence, findDoubt, judge } from "./evidence.ts";
import { findSize, guessPages } from "./guess-pages.ts";
import { guessRanges } from "./guess-ranges.ts";
import { guessCounts, guessFilters, guessOrders, guessProjections } from "./guess-rows.ts";
import { guessBytes, guessLives, guessSame } from "./guess-things.ts";
import type { Choice, Guess, Known } from "./known.ts";

/** A guess after it was tried. */
export interface Mined {
  readonly guess: Guess;
  readonly isRule: boolean;
  /** How often it held, and how often a wrong service would have failed; or why it is not a rule. */
  readonly why: string;
}

export interface Mining {
  readonly mined: readonly Mined[];
  readonly run: Run;
  readonly left: readonly Left[];
  /** Why it ended early. */
  readonly reason?: string;
}

interface Kept {
  readonly guess: Guess;
  readonly rule: Rule;
  readonly evidence: Evidence;
  readonly lost: Map<string, string>;
  /** True if it was tried a second time. */
  isTwice: boolean;
}

/** Learns the relations of a service from its responses. Writes only to what it creates itself. */
export async function mine(check: ApiCheck): Promise<Mining> {
  const { options = {} } = check;
  // A caller may have to sign in.
  const rules: Rule[] = check.relations.rules.filter(({ kind }) => kind === "signIn");
  const relations = { ...check.relations, rules };
  const maxRequests = options.maxRequests ?? budgetToMine(check.document);
  const opened = openRun(
    { ...check, relations, open: undefined },
    { seed: toSeed(), isReplay: false, maxRequests },
  );
  const { run } = opened;
  const mined = new Map<Guess, Mined>();
  const kept: Kept[] = [];
  let reason: string | undefined;
  try {
    await signIn(run, check.target);
    await findLists(run);
    await mineAll(run, { rules, mined, kept });
  } catch (error) {
    reason = error instanceof Ended ? error.message : toBroken(error);
  }
  for (const one of kept) mined.set(one.guess, toMined(one));
  const left = await opened.cleanUp();
  reason ??= opened.findSilence();
  return {
    ...opened.secrets.hideIn({
      mined: [...mined.values()],
      left,
      ...(reason !== undefined && { reason }),
    }),
    run,
  };
}

interface Found {
  /** The rules that the run uses. */
  readonly rules: Rule[];
  readonly mined: Map<Guess, Mined>;
  readonly kept: Kept[];
}

async function mineAll(run: Run, { rules, mined, kept }: Found): Promise<void> {
  const tryChoice = async (choice: Choice): Promise<void> => {
    const told: Mined[] = [];
    for (const guess of choice) {
      const tried = await tryGuess(run, rules, guess);
      if (typeof tried === "string") {
        told.push({ guess, isRule: false, why: guess.doubt ?? tried });
        continue;
      }
      if (guess.doubt === undefined) return void kept.push(tried);
      // It holds, but the document does not promise it.
      rules.splice(rules.indexOf(tried.rule), 1);
      return void mined.set(guess, { guess, isRule: false, why: guess.doubt });
    }
    // If no guess holds, the first one is reported, unless it is an order that nothing promised.
    const [first] = told;
    if (first !== undefined && !isOfNoNews(first.guess)) mined.set(first.guess, first);
  };
  const operations = [...run.document.operations.values()];
  // The other guesses need complete lists.
  for (const operation of operations) {
    const known = await look(run, operation);
    if (known.list === undefined || known.rows.length === 0) continue;
    const choice = guessPages(known);
    if (choice.length > 0) await tryChoice(choice);
    run.found.lists.delete(operation.id);
    await findList(run, operation.id);
  }
  for (const operation of operations) {
    const known = await look(run, operation);
    if (known.list !== undefined && known.rows.length === 0) continue;
    for (const guesses of known.list === undefined ? OF_THINGS : OF_LISTS)
      for (const choice of guesses(known)) await tryChoice(choice);
  }
  for (const operation of operations)
    for (const choice of guessLives(await look(run, operation))) await tryChoice(choice);
  // Some bytes exist only after a creation.
  for (const operation of operations)
    for (const choice of guessBytes(await look(run, operation))) await tryChoice(choice);
  await tryAgain(run, kept);
}

const OF_LISTS = [
  guessCounts,
  guessOrders,
  guessFilters,
  guessRanges,
  guessSame,
  guessProjections,
] as const;
const OF_THINGS = [guessProjections] as const;

const isOfNoNews = ({ kind, fields }: Guess): boolean =>
  kind === "order" && fields["with"] === undefined;

/** An operation with what its responses showed. */
async function look(run: Run, operation: Operation): Promise<Known> {
  const { document } = run;
  const list = run.isRead(operation.id) ? run.listInfo(operation.id) : undefined;
  const found = list && (await findList(run, operation.id));
  const { index, size: most, cursor } = run.ruleOf("page", operation.id) ?? {};
  const paged = new Set([index, most, cursor].map(String));
  const known = { document, operation, list, rows: found?.rows ?? [], page: undefined, paged };
  if (found === undefined || !SAFE_METHODS.has(operation.method)) return known;
  const size = findSize(known);
  const query = { ...found.query, ...(size !== undefined && { [size]: 2 }) };
  const page = await run.ask({ operation: operation.id, path: found.path, query });
  return page.isSuccess ? { ...known, page } : known;
}

/** @returns the rule, which stays in `rules`, or why there is none. */
async function tryGuess(run: Run, rules: Rule[], guess: Guess): Promise<Kept | string> {
  const { kind, fields } = guess;
  const rule = toRule(kind, fields, { file: "init", line: 1 });
  const needs = needsOf(rule, run);
  if (needs !== undefined) return needs;
  rules.push(rule);
  if (kind === "page") forgetLists(run, rule.of);
  const evidence = await judge(run, rule);
  const lost = new Map(evidence.against);
  const why = await findDoubt(run, rule, evidence);
  if (why === undefined) return { guess, rule, evidence, lost, isTwice: false };
  rules.splice(rules.indexOf(rule), 1);
  if (kind === "page") forgetLists(run, rule.of);
  return why;
}

function forgetLists(run: Run, of: readonly string[]): void {
  for (const id of of) run.found.lists.delete(id);
}

function needsOf(rule: Rule, run: Run): string | undefined {
  const isWrite = rule.of.some((id) => !run.isRead(id));
  return isWrite && !run.mayWrite ? "not tried: needs --write" : undefined;
}

/** Repeats all judgements on fresh responses: a rule that held by coincidence fails now. */
async function tryAgain(run: Run, kept: readonly Kept[]): Promise<void> {
  run.found.lists.clear();
  run.forget();
  for (const one of kept) {
    const { rule, lost } = one;
    for (const [clause, fault] of (await judge(run, rule)).against)
      if (!lost.has(clause)) lost.set(clause, `held once, not twice: ${fault}`);
    one.isTwice = true;
  }
}

function toMined({ guess, rule, evidence: { held, could }, lost, isTwice }: Kept): Mined {
  const { kind, fields } = guess;
  if (!isTwice)
    return { guess, isRule: false, why: "held once: the end came before the second try" };
  const wrong = coreOf(kind).find((clause) => lost.has(clause));
  if (wrong !== undefined) return { guess, isRule: false, why: lost.get(wrong) ?? "" };
  const only = kinds[kind].clauses.filter((clause) => !lost.has(clause));
  const without = [...lost].map(([clause, fault]) => `${clause}: ${fault}`).join("; ");
  const seen = `held in ${toCounted(held)}, could have failed in ${could}`;
  return {
    guess: rule.of.length > 0 && lost.size > 0 ? { kind, fields: { ...fields, only } } : guess,
    isRule: true,
    why: lost.size === 0 ? seen : `${seen}. Left out, ${without}`,
  };
}

const toCounted = (count: number): string => `${count} ${count === 1 ? "answer" : "answers"}`;
