// The possible checks: every rule of the relations and the document at every operation, the most revealing for its cost first.
import { SAFE_METHODS } from "../ask.ts";
import type { ApiDocument, Operation } from "../document/document.ts";
import type { Instance } from "../instance.ts";
import type { Cell, Law } from "../laws/law.ts";
import { laws } from "../laws/all.ts";
import { type Kind, kinds, type Rule, type RuleOf } from "../relations/kinds.ts";
import type { Relations } from "../relations/relations.ts";
import { documentRules } from "../rules/all.ts";

/** The number of tried drifts that each kind found first. Other kinds count as 2. */
const WEIGHTS: Readonly<Record<string, number>> = {
  success: 17,
  page: 8,
  lifecycle: 8,
  auth: 7,
  filter: 6,
  range: 5,
  perCaller: 5,
  echo: 5,
  input: 4,
  stable: 3,
  sameAs: 4,
};
const OTHER_WEIGHT = 2;

export interface Chosen {
  readonly without?: readonly string[] | undefined;
  readonly only?: readonly string[] | undefined;
  readonly instance?: Instance | undefined;
}

export function listCells(
  document: ApiDocument,
  relations: Relations,
  { without = [], only, instance }: Chosen = {},
): Cell[] {
  const isAsked = (id: string) => (only?.includes(id) ?? true) && !without.includes(id);
  const isWanted = ({ law, operation, operations = [operation.id] }: Cell) =>
    !without.includes(law) && operations.some(isAsked);
  const isRead = ({ id, method }: Operation) =>
    SAFE_METHODS.has(method) || relations.safe.includes(id);
  // Signing in changes nothing.
  const signsIn = ({ id }: Operation) =>
    relations.rules.some(({ kind, of }) => kind === "signIn" && of.includes(id));
  const isHarmless = (operation: Operation) => isRead(operation) || signsIn(operation);
  const related = relations.rules.flatMap((rule) =>
    rule.of.flatMap((id) => toCells(rule, document.operations.get(id), isHarmless)),
  );
  const own = [...document.operations.values()].flatMap((operation) =>
    documentRules
      .filter(({ name }) => instance?.rules.has(name) ?? true)
      .filter(({ applies }) => applies(operation, document))
      .map((rule): Cell => ({
        law: rule.name,
        operation,
        clauses: rule.clauses,
        cost: rule.cost(operation, document),
        // A search by POST that the owner declared safe is treated like any other list.
        needs: rule.name === "success" && isRead(operation) ? [] : rule.needs(operation),
        isBetween: rule.isBetween,
        judge: (run) => rule.judge(operation, run),
      })),
  );
  return toOrder([...(instance?.cells ?? []), ...related, ...own].filter(isWanted));
}

function toCells<Name extends Kind>(
  rule: Rule & RuleOf<Name>,
  operation: Operation | undefined,
  isHarmless: (operation: Operation) => boolean,
): Cell[] {
  const law: Law<Name> = laws[rule.kind];
  if (operation === undefined) return [];
  const clauses = kinds[rule.kind].clauses
    .map((clause) => `${rule.kind}.${clause}`)
    .filter((clause) => rule.only?.includes(clause.slice(rule.kind.length + 1)) ?? true);
  const needs = law.needs?.(rule, operation) ?? [];
  // For any rule, an operation that may change something is sent only if writing is allowed.
  const isWrite = !isHarmless(operation) && !needs.includes("write");
  return [
    {
      law: rule.kind,
      operation,
      rule,
      clauses,
      cost: law.cost,
      needs: isWrite ? [...needs, "write"] : needs,
      isBetween: law.isBetween ?? true,
      judge: (run) => law.judge(rule, operation, run),
    },
  ];
}

/** Sources of values come first and writes last: after a write every list is read again. */
function phaseOf({ law, needs }: Cell): number {
  if (law === "success") return 0;
  return needs.includes("write") ? 2 : 1;
}

/** Greedy by weight per request. An operation that was not yet covered counts double. */
export function toOrder(cells: readonly Cell[]): Cell[] {
  const left = new Set(cells);
  const seen = new Set<string>();
  const ordered: Cell[] = [];
  const phase = () => Math.min(...[...left].map(phaseOf));
  const gain = ({ law, cost, operation }: Cell) =>
    ((WEIGHTS[law] ?? OTHER_WEIGHT) * (seen.has(operation.id) ? 1 : 2)) / Math.max(1, cost);
  while (left.size > 0) {
    const now = phase();
    const [first, ...rest] = [...left].filter((cell) => phaseOf(cell) === now);
    if (first === undefined) break;
    const best = rest.reduce((most, cell) => (gain(cell) > gain(most) ? cell : most), first);
    left.delete(best);
    seen.add(best.operation.id);
    ordered.push(best);
  }
  return ordered;
}
