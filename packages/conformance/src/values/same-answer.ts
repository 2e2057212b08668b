// Tests whether two responses are equivalent: the rows of a list without a promised order may be in any order.
import { isDeepStrictEqual } from "node:util";
import type { Answer } from "../ask.ts";
import { isObject } from "@call-media/contract-diff";
import type { Run } from "../run.ts";
import { rowsOf } from "./lists.ts";
import { toIdentity } from "./places.ts";

/** True if a rule or the prose promises an order of the rows. Otherwise each response may have its own. */
const isOrdered = (run: Run, operation: string): boolean =>
  run.ruleOf("order", operation) !== undefined || ORDER.test(run.operation(operation).text);

/** Words that promise an order. */
const ORDER = /\b(?:sorted|ordered|newest|latest|oldest|most recent|chronological|alphabetical)/i;

/** Rows in a comparable form. */
export function toComparable(run: Run, operation: string, rows: readonly unknown[]): string[] {
  const identities = rows.map(toIdentity);
  return isOrdered(run, operation) ? identities : identities.toSorted();
}

export function isSameAnswer(run: Run, one: Answer, other: Answer): boolean {
  if (one.sha256 === other.sha256) return true;
  if (one.json === undefined) return false;
  const [came, expected] = [toAddressOf(other, one), other].map((answer) =>
    toUnordered(run, answer),
  );
  return isDeepStrictEqual(came, expected);
}

/** A response may repeat the address of its request, such as in `links.self`: as if it was the other one's. */
function toAddressOf(other: Answer, answer: Answer): Answer {
  const [to, from] = [other, answer].map(({ sent }) => sent.url.replace(/^\w+:\/\/[^/]*/, ""));
  return from === undefined || to === undefined || from === to || from.length < 2
    ? answer
    : { ...answer, json: JSON.parse(JSON.stringify(answer.json).replaceAll(from, () => to)) };
}

/** Sorts the rows of a list by their content. */
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

/** True if the same request gets the same response twice. Otherwise a difference proves nothing about its notation. */
export async function isSteady(run: Run, answer: Answer): Promise<boolean> {
  return isSameAnswer(run, await run.askAgain(answer.ask), answer);
}
