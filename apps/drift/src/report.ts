// Formats the outcomes of a run as tables, and the errors as text.
import type { Mutant } from "./mutants/mutant.ts";
import { isFound, type Outcome } from "./run.ts";
import { type Line, toTable } from "./table.ts";

/** For a variant, `unable` does not count as an alarm: the kit says that it found too little to check. */
export function isRight(outcome: Outcome): boolean {
  const { subject, verdict } = outcome;
  if ("contract" in subject) return isFound(subject, outcome);
  return verdict === "kept" || verdict === "unable";
}

/** Counts, by class of mutants and by open question of variants, how many the kit took for drift. */
export function toTables(outcomes: readonly Outcome[]): string {
  const ofMutants = Map.groupBy(outcomes.filter(isOfMutant), ({ subject }) => subject.class);
  const ofVariants = Map.groupBy(
    outcomes.filter((outcome) => !isOfMutant(outcome)),
    ({ subject }) => ("decision" in subject ? subject.decision : ""),
  );
  const tables = [
    toTable("Mutants, services that drift: found/seeded", [
      ["class", "all", "of the interface"],
      ...toLines(ofMutants, (of) => [
        toShare(of, isRight),
        toShare(
          of.filter(({ subject }) => subject.contract === "interface"),
          isRight,
        ),
      ]),
    ]),
    toTable(
      "Lawful variants, which answer otherwise where the interface is silent: false alarms/variants",
      [
        ["open question", "alarms"],
        ...toLines(ofVariants, (of) => [toShare(of, (outcome) => !isRight(outcome))]),
      ],
    ),
  ];
  return tables.filter((_, at) => [ofMutants, ofVariants][at]?.size !== 0).join("\n");
}

type OfMutant = Outcome & { readonly subject: Mutant };

function isOfMutant(outcome: Outcome): outcome is OfMutant {
  return "contract" in outcome.subject;
}

function toLines<One extends Outcome>(
  groups: ReadonlyMap<string, readonly One[]>,
  toCells: (of: readonly One[]) => string[],
): Line[] {
  const sorted = [...groups].toSorted(([one], [other]) => one.localeCompare(other));
  const all = [...groups.values()].flat();
  return [...sorted, ["all", all] as const].map(([name, of]) => [name, ...toCells(of)]);
}

function toShare<One extends Outcome>(of: readonly One[], isCounted: (one: One) => boolean) {
  return of.length === 0 ? "-" : `${of.filter(isCounted).length}/${of.length}`;
}

/** One paragraph for each wrong outcome. */
export function toFaults(outcomes: readonly Outcome[]): string[] {
  return outcomes
    .filter((outcome) => !isRight(outcome))
    .map(({ subject, verdict, words }) => {
      const wrong = "contract" in subject ? "missed" : "false alarm";
      const what = verdict === "unreached" ? "not reached" : wrong;
      const operation = [subject.operation].flat().join(", ");
      return [
        `${what}: ${subject.id} (${operation}): ${subject.says}; the kit said ${verdict}`,
        ...words.map((line) => `    ${line}`),
      ].join("\n");
    });
}
