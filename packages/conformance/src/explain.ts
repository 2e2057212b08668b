// What a check would request, and what it cannot request: from the document and the relations, without sending anything.
import type { ApiDocument, Note } from "./document/document.ts";
import { SAFE_METHODS } from "./ask.ts";
import type { Instance } from "./instance.ts";
import type { Cell } from "./laws/law.ts";
import { listCells } from "./plan/cells.ts";
import { derive, listUnsourced, toValues } from "./relations/derive.ts";
import type { Relations } from "./relations/relations.ts";

export interface ExplainedRule {
  /** The kind of relation, or the rule of the document. */
  readonly law: string;
  readonly operations: readonly string[];
  /** The approximate number for each operation. */
  readonly requests: number;
  readonly clauses: readonly string[];
  /** Why the rule cannot be checked this way. */
  readonly lacks?: string;
}

export interface Explanation {
  readonly file: string;
  readonly version: string;
  readonly operations: number;
  readonly notes: readonly Note[];
  /** First the rules of the relations, then those of the document. */
  readonly rules: readonly ExplainedRule[];
  /** Operations that are sent only with `mayWrite`. */
  readonly writing: readonly string[];
  /** The lists found, each with the key of its rows. */
  readonly lists: Readonly<Record<string, string>>;
  /** Where values of parameters come from. */
  readonly values: Readonly<Record<string, string>>;
  /** Path parameters without a source of values. Operations with such a parameter cannot be requested. */
  readonly unsourced: readonly string[];
  /** The approximate total. */
  readonly requests: number;
}

export interface Circumstances {
  readonly mayWrite: boolean;
  readonly hasSecond: boolean;
  readonly without?: readonly string[];
  readonly only?: readonly string[];
  readonly instance?: Instance | undefined;
}

export function explain(
  document: ApiDocument,
  relations: Relations,
  { mayWrite, hasSecond, ...chosen }: Circumstances,
): Explanation {
  const derived = derive(document, relations);
  const cells = listCells(document, relations, chosen);
  const lackOf = ({ needs }: Cell) =>
    needs.includes("write") && !mayWrite
      ? "needs --write"
      : needs.includes("second caller") && !hasSecond
        ? "needs a second caller"
        : undefined;
  const groups = Map.groupBy(
    cells,
    (cell) => `${cell.rule === undefined ? 1 : 0} ${cell.law} ${cell.cost} ${lackOf(cell)}`,
  );
  const rules = [...groups.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, group]): ExplainedRule[] => {
      const [first] = group;
      if (first === undefined) return [];
      const lacks = lackOf(first);
      return [
        {
          law: first.law,
          operations: group.map(({ operation }) => operation.id),
          requests: first.cost,
          clauses: first.clauses,
          ...(lacks !== undefined && { lacks }),
        },
      ];
    });
  return {
    file: document.file,
    version: document.version,
    operations: document.operations.size,
    notes: document.notes,
    rules,
    writing: [...document.operations.values()]
      .filter(({ id, method }) => !SAFE_METHODS.has(method) && !relations.safe.includes(id))
      .map(({ id }) => id),
    lists: Object.fromEntries([...derived.lists].map(([id, { key }]) => [id, key.join(", ")])),
    values: toValues(derived),
    unsourced: listUnsourced(document, derived),
    requests: cells
      .filter((cell) => lackOf(cell) === undefined)
      .reduce((sum, { cost }) => sum + cost, 0),
  };
}
