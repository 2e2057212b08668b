// The outcome of a run as tables, and in words what went wrong.
import type { Mutant } from "./mutants/mutant.ts";
import type { Outcome } from "./run.ts";
import { type Line, toTable } from "./table.ts";
import type { Variant } from "./variants/variant.ts";

/** The results of one tool. */
export interface Column {
  readonly name: string;
  /** By the id of the mutant or variant; one that the tool was not given is not there. */
  readonly seen: ReadonlyMap<string, boolean>;
  /** How long the tool took for all. */
  readonly seconds: number;
}

export function isSeen({ verdict }: Outcome): boolean {
  return verdict === "drift";
}

/** `unable` does not count as an alarm at a variant: the kit says that it could not find enough to check. */
export function isRight({ subject, verdict }: Outcome): boolean {
  return "contract" in subject ? verdict === "drift" : verdict === "kept" || verdict === "unable";
}

interface Subjects {
  readonly mutants: readonly Mutant[];
  readonly variants: readonly Variant[];
}

/** Mutants by class and variants by open question: how many of those that each tool was given it took for drift. */
export function toTables({ mutants, variants }: Subjects, columns: readonly Column[]): string {
  const names = columns.map(({ name }) => name);
  const seconds = ["seconds, variants too", ...columns.map((column) => column.seconds.toFixed(0))];
  const ofMutants = toLines(
    Map.groupBy(mutants, (mutant) => mutant.class),
    columns,
  );
  const questions = Map.groupBy(
    variants.toSorted((one, other) => one.decision.localeCompare(other.decision)),
    (variant) => variant.decision,
  );
  const asMutants = toTable("Mutants, services that drift: caught/seeded", [
    ["class", ...names],
    ...ofMutants,
    seconds,
  ]);
  const asVariants = toTable(
    "Lawful variants, which answer otherwise where the interface is silent: false alarms/variants",
    [["open question", ...names], ...toLines(questions, columns)],
  );
  return [mutants.length > 0 && asMutants, variants.length > 0 && asVariants]
    .filter((table) => table !== false)
    .join("\n");
}

function toLines(
  groups: ReadonlyMap<string, readonly { readonly id: string }[]>,
  columns: readonly Column[],
): Line[] {
  const all = [...groups.values()].flat();
  return [...groups, ["all", all] as const].map(([name, subjects]) => [
    name,
    ...columns.map(({ seen }) => {
      const verdicts = subjects.map(({ id }) => seen.get(id)).filter((one) => one !== undefined);
      return verdicts.length === 0 ? "-" : `${verdicts.filter(Boolean).length}/${verdicts.length}`;
    }),
  ]);
}

/** One paragraph for each outcome that should not be. */
export function toFaults(outcomes: readonly Outcome[]): string[] {
  return outcomes
    .filter((outcome) => !isRight(outcome))
    .map(({ subject, against, verdict, words }) => {
      const wrong = "contract" in subject ? "missed" : "false alarm";
      const what = verdict === "unreached" ? "not reached" : wrong;
      const operation = [subject.operation].flat().join(", ");
      return [
        `${what}: ${subject.id} (${operation}): ${subject.says}; against ${against} the kit said ${verdict}`,
        ...words.map((line) => `    ${line}`),
      ].join("\n");
    });
}
