// A response echoes the request: each row has the value of the parameter, and a created thing has the values of the body.
import { isDeepStrictEqual } from "node:util";
import { isObject } from "@call-media/contract-diff";
import type { Answer } from "../ask.ts";
import type { Operation } from "../document/document.ts";
import type { PlacedFault } from "../fingerprint.ts";
import type { RuleOf } from "../relations/kinds.ts";
import type { Run } from "../run.ts";
import { candidatesOf, unknownOf } from "../values/candidates.ts";
import { findList, readAll, rowsOf } from "../values/lists.ts";
import { hardValues } from "../values/make.ts";
import { isPruned, isSameInOtherForm } from "../values/normal.ts";
import { bodyFields, placesOf, toShown } from "../values/fields.ts";
import { askNew, create, findRight } from "../values/requests.ts";
import { at, reach, show, toRowPlace, toText, withValue } from "../values/places.ts";
import { isWanted, type Judgement, type Law, unchecked, type Verdicts } from "./law.ts";
import { isVolatile } from "./same-as.ts";

const MAX_ROUNDS = 2;

export const echoLaw: Law<"echo"> = {
  cost: 6,
  needs: ({ body }) => (body === undefined ? [] : ["write"]),
  judge: async function* judge(rule, operation, run) {
    if (rule.param !== undefined) yield* judgeParameter(run, rule, operation);
    if (rule.body !== undefined) yield* judgeBody(run, rule, operation);
  },
  ofOne: ["echo.echo"],
  judgeOne: function* judgeOne(rule, answer, run) {
    const { ask, operation } = answer;
    const { param = "" } = rule;
    const value = ask.path?.[param] ?? ask.query?.[param];
    // Lists in a parameter are written in many ways.
    const isOne = value !== undefined && !Array.isArray(value) && !toText(value).includes(",");
    if (isOne) yield* judgeShown(run, rule, { answer, value });
    const { body } = ask;
    if (rule.body === undefined || !isObject(body)) return;
    // Clients also send back what only the service writes.
    const documented = [...bodyFields(run, operation).keys()];
    const isAll = rule.body.includes("all");
    const names = isAll ? documented.filter((name) => !isVolatile(run, name)) : rule.body;
    const isSame = (sent: unknown, came: unknown) =>
      isWithin(sent, came) || isSameInOtherForm(sent, came);
    yield* judgeEcho("echo.echo", { answer, body, names, isAll, isSame });
  },
};

interface ShownValue {
  readonly answer: Answer;
  readonly value: unknown;
}

function* judgeShown(
  run: Run,
  { param = "", field = [] }: RuleOf<"echo">,
  { answer, value }: ShownValue,
): Generator<Judgement> {
  const items = run.listInfo(answer.operation.id)?.items;
  const rows = items === undefined ? [answer.json] : rowsOf(run, answer);
  const fields = items === undefined ? field : field.map((place) => toRowPlace(place, items));
  const shown = rows.flatMap((row) => findUnlike([row], fields, value) ?? []);
  const wrong = shown.find((came) => !isSameInOtherForm(value, came));
  yield {
    clause: "echo.echo",
    answer,
    witness: rows.length > 0 ? "a value and its rows" : undefined,
    fault: toUnlikeFault({ param, fields, value, wrong }),
  };
}

/** The first value at these places that is another one than was asked for. */
const findUnlike = (rows: readonly unknown[], fields: readonly string[], value: unknown): unknown =>
  rows
    .flatMap((row) => fields.flatMap((place) => reach(row, place)))
    .find((came) => came !== null && toText(came) !== toText(value));

interface Unlike {
  readonly param: string;
  readonly fields: readonly string[];
  readonly value: unknown;
  readonly wrong: unknown;
}

const toUnlikeFault = ({ param, fields, value, wrong }: Unlike): PlacedFault | undefined =>
  wrong === undefined
    ? undefined
    : {
        at: fields.join(),
        fault: `${param} is ${show(value)}, and ${fields.join(" or ")} is ${show(wrong)}`,
      };

async function* judgeParameter(run: Run, rule: RuleOf<"echo">, operation: Operation): Verdicts {
  const { param = "", field = [] } = rule;
  const parameter = operation.parameters.find(({ name }) => name === param);
  const right = await findRight(run, operation.id);
  if (typeof right === "string" || parameter === undefined) {
    yield unchecked("echo.echo", typeof right === "string" ? right : `no parameter ${param}`);
    return;
  }
  const list = await findList(run, operation.id);
  const where = parameter.in === "path" ? "path" : "query";
  const base = { ...right.ask, query: { ...right.ask.query, ...list?.query } };
  const current: unknown = base[where]?.[param];
  const candidates = candidatesOf(run, operation, parameter).map(({ value }) => value);
  const values = [current, ...candidates].filter(
    (one, index, all) => one !== undefined && all.indexOf(one) === index,
  );
  const items = run.listInfo(operation.id)?.items;
  const fields = items === undefined ? field : field.map((place) => toRowPlace(place, items));
  const unknown = isWanted(rule, "unknown")
    ? [unknownOf(run, parameter, current), ...halfOf(current)]
    : [];
  for (const value of [...values.slice(0, 3), ...unknown]) {
    const isUnknown = !values.includes(value);
    const ask = { ...base, [where]: { ...base[where], [param]: value } };
    const read = items === undefined ? undefined : await readAll(run, ask);
    const answer = read?.answers[0] ?? (await run.ask(ask));
    const rows = read?.rows ?? (answer.isSuccess ? [answer.json] : []);
    const wrong = findUnlike(rows, fields, value);
    const isRefused = !answer.isSuccess && !isUnknown;
    if (isRefused && value !== current) continue;
    yield {
      clause: isUnknown ? "echo.unknown" : "echo.echo",
      answer,
      witness: rows.length > 0 || isUnknown ? "a value and its rows" : undefined,
      fault: toUnlikeFault({ param, fields, value, wrong }),
    };
  }
}

const SHORTEST_TO_HALVE = 6;

/** The beginning of a value, which may be another row's complete value. */
const halfOf = (value: unknown): readonly string[] =>
  typeof value === "string" && value.length >= SHORTEST_TO_HALVE
    ? [value.slice(0, Math.ceil(value.length / 2))]
    : [];

async function* judgeBody(run: Run, rule: RuleOf<"echo">, operation: Operation): Verdicts {
  const plain = await create(run, operation.id);
  if (typeof plain === "string") {
    yield unchecked("echo.echo", plain);
    return;
  }
  const isAll = rule.body?.includes("all") === true;
  const names = isAll ? placesOf(run, operation, plain.body) : (rule.body ?? []);
  yield* judgeEcho("echo.echo", { answer: plain.answer, body: plain.body, names, isAll });
  const fields = bodyFields(run, operation);
  const hard = [...fields]
    .filter(([name]) => names.includes(name) && !run.own.isKeyName(operation, name))
    .flatMap(([name, schema]) =>
      hardValues(run.document.schemas, schema).map((value) => [name, value] as const),
    );
  // As many bodies as the field with the most hard values needs. Each body has one value for every field.
  const rounds = Math.min(
    MAX_ROUNDS,
    Math.max(
      0,
      ...[...Map.groupBy(hard, ([name]) => name).values()].map((values) => values.length),
    ),
  );
  for (let round = 0; round < rounds; round += 1) {
    const chosen = [...Map.groupBy(hard, ([name]) => name)].flatMap(([name, values]) =>
      values[round] === undefined ? [] : [[name, values[round]?.[1]] as const],
    );
    const right = await findRight(run, operation.id);
    if (typeof right === "string") return;
    const body = chosen.reduce<unknown>(
      (made, [place, value]) => withValue(made, place, value),
      plain.body,
    );
    const fixed = chosen.map(([name]) => name);
    const answer = await askNew(run, { ...right.ask, body }, fixed);
    if (!answer.isSuccess)
      yield {
        clause: "echo.hard",
        answer,
        witness: "a right body",
        level: "observe",
        fault: `a right body with ${chosen.map(([name, value]) => `${name} ${show(value)}`).join(", ")} is answered ${answer.status}`,
      };
    else yield* judgeEcho("echo.hard", { answer, body, names: fixed, isAll });
  }
}

interface Echoed {
  readonly answer: Answer;
  readonly body: unknown;
  readonly names: readonly string[];
  /** True if `names` are all fields of the body. Those that the response does not show are then ignored. */
  readonly isAll: boolean;
  /** Default: the response may have more fields. */
  readonly isSame?: (sent: unknown, came: unknown) => boolean;
}

function* judgeEcho(clause: string, { answer, body, names, isAll, isSame = isWithin }: Echoed) {
  const shown = toShown(names, answer.json);
  for (const name of names) {
    const [sent, came] = [at(body, name), shown[name]];
    if (sent === undefined || (came === undefined && isAll)) continue;
    const fault =
      isSame(sent, came) || isPruned(name, sent, came)
        ? undefined
        : { at: name, fault: `${name} is ${show(came)}, and ${show(sent)} was sent` };
    yield { clause, answer, witness: "what was sent", fault };
  }
}

/** An object in the response may have more fields than the one that was sent, also in a list. */
function isWithin(sent: unknown, came: unknown): boolean {
  if (isObject(sent) && isObject(came))
    return Object.entries(sent).every(([name, value]) => isWithin(value, came[name]));
  return Array.isArray(sent) && Array.isArray(came) && sent.length === came.length
    ? sent.every((one, index) => isWithin(one, came[index]))
    : isDeepStrictEqual(sent, came);
}
