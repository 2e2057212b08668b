// Whether two answers say the same: of a list that promises no order, in whatever order its rows stand.
import { isDeepStrictEqual } from "node:util";
import type { Answer } from "../ask.ts";
import { isObject } from "@call-media/contract-diff";
import type { Run } from "../run.ts";
import { rowsOf } from "./lists.ts";
import { toIdentity } from "./places.ts";

/** Whether an order of the rows was promised, by a rule or in words; without it, each answer may have its own. */
const isOrdered = (run: Run, operation: string): boolean =>
  run.ruleOf("order", operation) !== undefined || ORDER.test(run.operation(operation).text);

/** Words of those who promise an order. */
const ORDER = /\b(?:sorted|ordered|newest|latest|oldest|most recent|chronological|alphabetical)/i;

/** Rows as they are compared. */
export function toComparable(run: Run, operation: string, rows: readonly unknown[]): string[] {
  const identities = rows.map(toIdentity);
  return isOrdered(run, operation) ? identities : identities.toSorted();
}

export function isSameAnswer(run: Run, one: Answer, other: Answer): boolean {
  if (one.sha256 === other.sha256) return true;
  if (one.json === undefined) return false;
  const [came, expected] = [one, other].map((answer) => toUnordered(run, answer));
  return isDeepStrictEqual(came, expected);
}

/** With the rows of a list in an order that depends on them alone. */
function toUnordered(run: Run, answer: Answer): unknown {
  const { operation, json } = answer;
  const rows = rowsOf(run, answer);
  if (rows.length === 0) return json;
  const sorted = toComparable(run, operation.id, rows);
  const { items = "" } = run.listInfo(operation.id) ?? {};
  const replace = (value: unknown, [name, ...inner]: readonly string[]): unknown =>
    name === undefined || !isObject(value)
      ? sorted
      : { ...value, [name]: replace(value[name], inner) };
  return replace(json, items === "" ? [] : items.split("/"));
}

/** Whether the same request is answered alike a second time: what differs by itself proves nothing about its notation. */
export async function isSteady(run: Run, answer: Answer): Promise<boolean> {
  return isSameAnswer(run, await run.askAgain(answer.ask), answer);
}
