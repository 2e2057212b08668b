// The rights of the second caller. They are read from the service, never passed to the check.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import type { Answer, Caller } from "../ask.ts";
import type { Operation, Parameter } from "../document/document.ts";
import { successView } from "../relations/shape.ts";
import type { RuleOf } from "../relations/kinds.ts";
import type { Run } from "../run.ts";
import { sourceOf } from "../values/candidates.ts";
import { withKey } from "../values/fields.ts";
import { findList, readAll, rowsOf } from "../values/lists.ts";
import { at, reach, toRowPlace } from "../values/places.ts";
import { matchBy } from "./match.ts";

type Rule = RuleOf<"perCaller">;

export interface Shared {
  readonly rule: RuleOf<"perCaller">;
  readonly operation: Operation;
  readonly second: Caller;
}

/** Which rows a rule permits, for the rows of any operation that shows the needed fields. */
export interface Cover {
  readonly rule: Rule;
  /** True if the rows of an operation have the fields that the rule needs. */
  readonly isShownBy: (operation: string) => boolean;
  readonly toTest: (operation: string) => (row: unknown) => boolean;
}

/** Why the rights of the second caller are unknown, and the response that should have shown them. */
export interface Unknown {
  readonly why: string;
  readonly answer?: Answer | undefined;
}

export const isUnknown = (found: object): found is Unknown => "why" in found;

/** The rights by each rule at the operation. Empty for a rule that does not depend on rights. */
export async function findCovers(
  run: Run,
  { rule, operation, second }: Shared,
): Promise<readonly Cover[] | Unknown> {
  const covers: Cover[] = [];
  if (rule.between !== "covered") return covers;
  for (const one of run.relations.rules) {
    if (one.kind !== "perCaller" || one.between !== "covered" || !one.of.includes(operation.id))
      continue;
    const cover = await findCover(run, one, second);
    if (isUnknown(cover)) return cover;
    covers.push(cover);
  }
  return covers;
}

export async function findCover(run: Run, rule: Rule, second: Caller): Promise<Cover | Unknown> {
  const rights = await readRights(run, rule, second);
  if (isUnknown(rights)) return rights;
  const { cover = {}, match } = rule;
  const isMatch = matchBy(match);
  const tests = Object.entries(cover).flatMap(([place, said]) => {
    const { in: listed, all } = typeof said === "string" ? { in: said } : said;
    if (all !== undefined && at(rights.said, all) === true) return [];
    const allowed = listed === undefined ? [] : reach(rights.said, listed).flat();
    const test = (value: unknown) => allowed.some((one) => isMatch(value, one));
    return [[place, test] as const];
  });
  return {
    rule,
    isShownBy: (id) => Object.keys(cover).every((place) => hasPlace(run, id, place)),
    toTest: (id) => {
      const items = run.listInfo(id)?.items;
      const toPlace = (place: string) => (items === undefined ? place : toRowPlace(place, items));
      // A missing value is not permitted.
      return (row) =>
        tests.every(([place, test]) => {
          const values = reach(row, toPlace(place));
          return values.length > 0 && values.every((value) => value !== null && test(value));
        });
    },
  };
}

/** The first caller reads rights that are stored by a key: the service might show wrong ones to the second caller. */
async function readRights(
  run: Run,
  { rights = "" }: Rule,
  second: Caller,
): Promise<{ readonly said: JsonObject } | Unknown> {
  if (!run.isRead(rights)) return { why: `${rights} may change something` };
  const taker = run.operation(rights);
  const parameter = keyParameterOf(run, taker);
  const self = parameter && (await findSelf(run, taker, { name: parameter.name, second }));
  if (self && isUnknown(self)) return self;
  const ask = { operation: rights };
  const answer = await run.ask(
    parameter && self ? withKey(ask, parameter, self.key) : { ...ask, caller: second },
  );
  const said = rowsOf(run, answer)[0] ?? answer.json;
  return answer.isSuccess && isObject(said)
    ? { said }
    : { why: `${rights} shows no rights of the second caller` };
}

/** The second caller in the list that `values` names for a parameter: the only row that the list shows them. */
async function findSelf(
  run: Run,
  taker: Operation,
  { name, second }: { readonly name: string; readonly second: Caller },
): Promise<{ readonly key: unknown } | Unknown> {
  const { operation = "", place } = sourceOf(run, taker, name) ?? {};
  if (place === undefined) return { why: `values name no list of callers for ${name}` };
  const query = (await findList(run, operation))?.query ?? {};
  const { rows, answers } = await readAll(run, { operation, query, caller: second });
  const key = at(rows[0], place);
  return rows.length === 1 && key !== undefined
    ? { key }
    : { why: `${operation} shows the second caller ${rows.length} rows`, answer: answers[0] };
}

/** The parameter by which an operation finds one thing: its last path parameter, or a query parameter with a list in `values`. */
export const keyParameterOf = (run: Run, operation: Operation): Parameter | undefined =>
  operation.parameters.findLast((one) => one.in === "path") ??
  operation.parameters.findLast(
    (one) =>
      one.in === "query" && one.required && run.sources.of(operation, one.name) !== undefined,
  );

/** True if the schema of an operation's success has such a place. */
export function hasPlace({ document }: Run, id: string, place: string): boolean {
  const operation = document.operations.get(id);
  let view = operation && successView(document, operation);
  for (const name of place.split("/")) {
    const pointer: string | undefined = name === "*" ? view?.items : view?.properties.get(name);
    if (pointer === undefined) return false;
    view = document.schemas.view(pointer);
  }
  return true;
}
