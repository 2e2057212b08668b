// Two ways to the same thing: an operation returns for a key the row that a list shows.
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@call-media/contract-diff";
import type { Answer } from "../ask.ts";
import type { Operation, Parameter } from "../document/document.ts";
import type { RuleOf } from "../relations/kinds.ts";
import { type FoundList, type Run, toFields } from "../run.ts";
import { keyValue, unknownOf } from "../values/candidates.ts";
import { findList, keyOf, rowsOf } from "../values/lists.ts";
import { isFit } from "../values/make.ts";
import { at, reach, show, toRowPlace, toText } from "../values/places.ts";
import { isWanted, type Law, unchecked, type Verdicts } from "./law.ts";

/** Links and timestamps may differ between two responses with the same thing. */
const VOLATILE =
  /^(?:_?links?|self|href|updated.*|modified.*|last_?(?:seen|modified|updated).*|etag)$/i;

export function isVolatile(run: Run, name: string): boolean {
  return VOLATILE.test(name) || run.relations.ignore.includes(name);
}

/** A response without these fields, at any depth. */
export const toSteady = (run: Run, json: unknown): unknown =>
  json === undefined
    ? undefined
    : JSON.parse(
        JSON.stringify(json, (name, value: unknown) => (isVolatile(run, name) ? undefined : value)),
      );

export const sameAsLaw: Law<"sameAs"> = {
  cost: 7,
  judge: async function* judge(rule, operation, run) {
    const list = await findList(run, rule.as);
    const parameter = keyParameter(operation, rule.key?.[0]);
    if (list === undefined || list.rows.length === 0) {
      yield unchecked("sameAs", `no rows of ${rule.as} were found`);
      return;
    }
    if (parameter === undefined && run.listInfo(operation.id) !== undefined) {
      yield* judgeList(run, rule, { list, id: operation.id });
      return;
    }
    if (parameter === undefined) {
      yield unchecked("sameAs", `${operation.id} has no path parameter: name it as key`);
      return;
    }
    const keyed = Map.groupBy(list.rows, (row) => keyOfRow(run, rule, row));
    keyed.delete(undefined);
    if (keyed.size === 0) {
      yield unchecked("sameAs", `no row of ${rule.as} has a key`);
      return;
    }
    if (isWanted(rule, "same"))
      for (const [key, rows] of pick([...keyed]))
        yield* judgeRows(run, { rule, operation, parameter, above: list.path, key, rows });
    const [key] = keyed.keys();
    if (isWanted(rule, "unknown"))
      yield* judgeUnknown(run, { rule, operation, parameter, above: list.path, key });
    if (isWanted(rule, "near"))
      yield* judgeNear(run, { rule, operation, parameter, above: list.path, key });
  },
  ofTwo: ["sameAs.same"],
  judgeTwo: function* judgeTwo(rule, both, run) {
    const list = both.find(({ operation }) => operation.id === rule.as);
    const thing = both.find(({ operation: { id } }) => id !== rule.as && rule.of.includes(id));
    const parameter = thing && keyParameter(thing.operation, rule.key?.[0]);
    if (list === undefined || thing === undefined || parameter === undefined) return;
    if (run.listInfo(thing.operation.id) !== undefined || !isBelowSame(list, thing)) return;
    const key = (parameter.in === "path" ? thing.ask.path : thing.ask.query)?.[parameter.name];
    const isOf = (row: unknown) => toText(keyOfRow(run, rule, row)) === toText(key);
    const rows = rowsOf(run, list).filter(isOf);
    // Several rows with one key are not of one thing.
    const [row] = rows.length === 1 ? rows : [];
    if (row === undefined || key === undefined) return;
    const fault = findDifference(run, rule, { one: unwrap(thing, row), row });
    yield { clause: "sameAs.same", answer: thing, witness: `a row of ${rule.as}`, fault };
  },
};

/** True if a thing is below the parents of a list. */
const isBelowSame = ({ ask: { path: above = {} } }: Answer, { ask: { path = {} } }: Answer) =>
  Object.entries(above).every(([name, value]) => toText(path[name] ?? value) === toText(value));

const keyParameter = ({ parameters }: Operation, name: string | undefined): Parameter | undefined =>
  parameters.find((one) => one.name === name) ?? parameters.findLast((one) => one.in === "path");

type Keyed = readonly [key: unknown, rows: readonly unknown[]];

/** The first, middle and last key; one with several rows; keys that a path must escape, and text that other encodings change. */
function pick(keyed: readonly Keyed[]): readonly Keyed[] {
  const chosen = [
    keyed[0],
    keyed[keyed.length >> 1],
    keyed.at(-1),
    keyed.find(([, rows]) => rows.length > 1),
    keyed.find(([key]) => /[^\w.~-]/.test(toText(key))),
    keyed.find(([, rows]) => /[&']/.test(JSON.stringify(rows))),
    keyed.find(([, rows]) => /[^ -~]/.test(JSON.stringify(rows))),
  ];
  return [...new Set(chosen)].filter((one) => one !== undefined);
}

function keyOfRow(run: Run, { as, key }: RuleOf<"sameAs">, row: unknown): unknown {
  const place = key?.at(-1);
  const items = run.listInfo(as)?.items ?? "";
  const named = place === undefined ? undefined : at(row, toRowPlace(place, items));
  return named ?? keyValue(run, as, row);
}

interface Same {
  readonly rule: RuleOf<"sameAs">;
  readonly operation: Operation;
  readonly parameter: Parameter;
  /** Path parameters of the list, which its rows share. */
  readonly above?: JsonObject;
}

function askFor({ operation, parameter, above }: Same, key: unknown) {
  const where = parameter.in === "path" ? "path" : "query";
  return {
    operation: operation.id,
    ...(above && { path: above }),
    [where]: { ...(where === "path" && above), [parameter.name]: key },
  };
}

async function* judgeRows(
  run: Run,
  same: Same & { readonly key: unknown; readonly rows: readonly unknown[] },
): Verdicts {
  const { rule, rows, key, operation } = same;
  const answer = await run.ask(askFor(same, key));
  const witness = `a row of ${rule.as}`;
  if (!answer.isSuccess) {
    yield {
      clause: "sameAs.same",
      answer,
      witness,
      fault: `a row of ${rule.as} is answered ${answer.status}`,
    };
    return;
  }
  run.noteRight(answer);
  const isList = run.listInfo(operation.id) !== undefined;
  for (const row of isList ? rows : rows.slice(0, 1)) {
    const candidates = isList ? rowsOf(run, answer) : [unwrap(answer, row)];
    const faults = candidates.map((one) => findDifference(run, rule, { one, row }));
    const fault =
      faults.includes(undefined) && candidates.length > 0
        ? undefined
        : (faults.find((one) => one !== undefined) ?? {
            at: "",
            fault: `the row of ${rule.as} is not in the answer`,
          });
    yield { clause: "sameAs.same", answer, witness, fault };
  }
}

/** Two lists of the same things: the rows of one are in the other, if that was read completely. */
async function* judgeList(
  run: Run,
  rule: RuleOf<"sameAs">,
  { list, id }: { readonly list: FoundList; readonly id: string },
): Verdicts {
  const shown = await findList(run, id);
  if (shown === undefined || shown.rows.length === 0 || !list.isWhole) {
    yield unchecked("sameAs.same", `no rows of ${id} were found, or not all of ${rule.as}`);
    return;
  }
  const keyed = Map.groupBy(list.rows, (row) => keyOf(run, rule.as, row));
  const other = shown.rows.find((row) => {
    const same = keyed.get(keyOf(run, id, row)) ?? [];
    return same.every((one) => findDifference(run, rule, { one, row }) !== undefined);
  });
  yield {
    clause: "sameAs.same",
    answer: await run.ask({ operation: id, query: shown.query }),
    witness: `a row of ${rule.as}`,
    fault:
      other === undefined
        ? undefined
        : `${show(other)} reads otherwise in ${rule.as}, or is not in it`,
  };
}

/** Unwraps `{ data: { ... } }` if the list has the thing without a wrapper. */
function unwrap({ json }: Answer, row: unknown): unknown {
  const names = Object.keys(toFields(row));
  const shares = (value: unknown) =>
    names.filter((name) => Object.hasOwn(toFields(value), name)).length;
  const inner = Object.values(toFields(json)).find((value) => shares(value) > shares(json));
  return inner ?? json;
}

/** Compares only the fields that both show, unless the rule names fields. */
function findDifference(
  run: Run,
  { fields, as }: RuleOf<"sameAs">,
  { one, row }: { one: unknown; row: unknown },
) {
  const names =
    fields ??
    Object.keys(toFields(row)).filter(
      (name) => !isVolatile(run, name) && Object.hasOwn(toFields(one), name),
    );
  const name = names.find((place) => !isDeepStrictEqual(reach(one, place), reach(row, place)));
  return name === undefined
    ? undefined
    : {
        at: name,
        fault: `${name} is ${show(at(one, name))}, and ${show(at(row, name))} in ${as}`,
        more: `row ${keyOf(run, as, row)}`,
      };
}

async function* judgeUnknown(run: Run, same: Same & { readonly key: unknown }): Verdicts {
  const { rule, parameter, key } = same;
  const unknown = unknownOf(run, parameter, key);
  const expected = rule.unknown ?? "either";
  // Operations that change something are not tried with unknown keys, which may belong to others. `lifecycle` tries them on deleted things.
  const { operation } = same;
  const answer = await run.ask(askFor(same, unknown));
  const isEmpty =
    answer.isSuccess &&
    run.listInfo(operation.id) !== undefined &&
    rowsOf(run, answer).length === 0;
  const isTaken =
    (!answer.isSuccess && expected !== "empty") || (isEmpty && expected !== "missing");
  yield {
    clause: "sameAs.unknown",
    answer,
    witness: "a key that nothing has",
    fault: isTaken
      ? undefined
      : `${operation.id} with a key that nothing has is answered ${answer.status}`,
  };
}

/** A variant of a shorter key may be another existing key. */
const SHORTEST = 4;

/** No row has these keys: an unknown one, and the beginning of a key with a wildcard of some stores. */
async function* judgeNearInList(run: Run, same: Same & { readonly key: unknown }): Verdicts {
  const { key, parameter } = same;
  const half = typeof key === "string" ? key.slice(0, Math.ceil(key.length / 2)) : "";
  for (const near of [
    unknownOf(run, parameter, key),
    ...(half.length < 3 ? [] : [`${half}%`, `${half}*`]),
  ]) {
    const answer = await run.ask(askFor(same, near));
    const [row] = rowsOf(run, answer);
    const fault =
      row === undefined ? undefined : `${show(near)}, which no row has, gives ${show(row)}`;
    yield { clause: "sameAs.near", answer, witness: "a key that is nearly right", fault };
  }
}

/** A key in other case, shortened or extended: none of them may return another row. */
async function* judgeNear(run: Run, same: Same & { readonly key: unknown }): Verdicts {
  const { key, operation, rule, parameter } = same;
  if (run.listInfo(operation.id) !== undefined) {
    yield* judgeNearInList(run, same);
    return;
  }
  if (typeof key !== "string") return;
  const flipped = key.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  const parted = key.length < SHORTEST ? [] : [`${key}0`, key.slice(0, key.length >> 1), `${key} `];
  for (const near of new Set([flipped, ...parted])) {
    if (near === key) continue;
    const answer = await run.ask(askFor(same, near));
    const { schema } = parameter;
    if (answer.isSuccess && schema !== undefined && !isFit(run.document.schemas, schema, near)) {
      yield {
        clause: "sameAs.near",
        answer,
        witness: "a key of another form",
        fault: `${show(near)}, which its schema does not allow, is answered ${answer.status}`,
      };
      continue;
    }
    if (answer.isSuccess) {
      const [place = "id"] = run.listInfo(rule.as)?.key ?? [];
      const came = at(answer.json, place);
      const isOther =
        came !== undefined &&
        toText(came).trim().toLowerCase() !== toText(near).trim().toLowerCase() &&
        came !== key;
      yield {
        clause: "sameAs.near",
        answer,
        witness: "a key that is nearly right",
        fault: isOther ? `${show(near)} gives ${show(came)}` : undefined,
      };
    } else yield { clause: "sameAs.near", answer, witness: "a key that is nearly right" };
  }
}
