// Each row that matches one schema matches another one.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Answer } from "../ask.ts";
import type { PlacedFault } from "../fingerprint.ts";
import { toBodyFault } from "../json/fault-words.ts";
import type { RuleOf } from "../relations/kinds.ts";
import type { Run } from "../run.ts";
import { findRight } from "../values/requests.ts";
import { reach } from "../values/places.ts";
import { type Judgement, type Law, unchecked } from "./law.ts";

export const impliesLaw: Law<"implies"> = {
  cost: 1,
  judge: async function* judge(rule, operation, run) {
    let why: string | undefined = "no row fits if";
    let asked = "";
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const right = await findRight(run, operation.id, attempt);
      if (typeof right === "string" || JSON.stringify(right.ask) === asked) break;
      asked = JSON.stringify(right.ask);
      const answer = await run.ask(right.ask);
      if (!answer.isSuccess) {
        why &&= `answered ${answer.status}`;
        continue;
      }
      for (const judgement of judgeRows(rule, answer, run)) {
        why = undefined;
        yield judgement;
      }
    }
    if (why !== undefined) yield unchecked("implies", why);
  },
  ofOne: ["implies.holds"],
  judgeOne: function* judgeOne(rule, answer, run) {
    if (isUsual(run, answer)) yield* judgeRows(rule, answer, run);
  },
};

/** False for a request that may ask for other rows than the rule is about: `?status=cancelled` of a list without these. */
function isUsual(
  run: Run,
  { ask: { query = {} }, operation: { id, parameters } }: Answer,
): boolean {
  const { index, size, cursor } = run.ruleOf("page", id) ?? {};
  const needed = parameters.filter(({ required }) => required).map(({ name }) => name);
  const usual = new Set<unknown>([index, size, cursor, ...needed]);
  return Object.keys(query).every((name) => usual.has(name));
}

type Implies = RuleOf<"implies">;

/** Yields nothing if no row fits `if`. */
function* judgeRows(rule: Implies, answer: Answer, run: Run): Generator<Judgement> {
  const { fits, follows } = compile(rule);
  const items = run.listInfo(answer.operation.id)?.items;
  const each = rule.each ?? (items === undefined ? "" : items === "" ? "*" : `${items}/*`);
  const toFault = (row: unknown): PlacedFault | undefined => {
    if (follows(row)) return undefined;
    const [error] = follows.errors ?? [];
    const place = each === "" ? "" : `/${each}`;
    return error && toBodyFault({ ...error, instancePath: `${place}${error.instancePath}` });
  };
  const rows = reach(answer.json, each).filter((row) => fits(row));
  if (rows.length === 0) return;
  const fault = rows.map(toFault).find((one) => one !== undefined);
  yield { clause: "implies.holds", answer, witness: "a row that fits if", fault };
}

// A recording has thousands of responses for one rule.
const compiled = new WeakMap<Implies, Compiled>();

interface Compiled {
  readonly fits: ValidateFunction;
  readonly follows: ValidateFunction;
}

function compile(rule: Implies): Compiled {
  const known = compiled.get(rule);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ strict: false, logger: false, verbose: true });
  const made = { fits: ajv.compile(rule.if), follows: ajv.compile(rule.then) };
  compiled.set(rule, made);
  return made;
}

/** Maximum number of things read by key, since only some may match the condition. */
const MAX_ATTEMPTS = 4;
