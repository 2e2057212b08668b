// What a run of the benchmark says: caught of seeded by class, what was missed and which variants were taken for drift.
import type { Mutant } from "./mutants/mutant.ts";
import type { Outcome } from "./run.ts";
import { type Line, toTable } from "./table.ts";
import type { Variant } from "./variants/variant.ts";

export function isCaught(outcome: Outcome<Mutant>): boolean {
  return outcome.verdict === "drift";
}

/** `unable` is no alarm: the kit says that it could not find enough to check. */
export function isQuiet({ verdict }: Outcome<Variant>): boolean {
  return verdict === "kept" || verdict === "unable";
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const toSeconds = (outcomes: readonly Outcome<unknown>[]) =>
  sum(outcomes.map(({ seconds }) => seconds)).toFixed(1);

export function toMutantTable(outcomes: readonly Outcome<Mutant>[]): string {
  const classes = Map.groupBy(outcomes, ({ subject }) => subject.class);
  const toLine = (name: string, of: readonly Outcome<Mutant>[]): Line => [
    name,
    String(of.filter(isCaught).length),
    String(of.length),
    toSeconds(of),
  ];
  const lines = [...classes].map(([name, of]) => toLine(name, of));
  return toTable("Mutants: services that drift", [
    ["class", "caught", "seeded", "seconds"],
    ...lines,
    toLine("all", outcomes),
  ]);
}

export function toVariantTable(outcomes: readonly Outcome<Variant>[]): string {
  const decisions = Map.groupBy(outcomes, ({ subject }) => subject.decision);
  const toLine = (name: string, of: readonly Outcome<Variant>[]): Line => [
    name,
    String(of.filter((outcome) => !isQuiet(outcome)).length),
    String(of.length),
    toSeconds(of),
  ];
  const lines = [...decisions]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, of]) => toLine(name, of));
  return toTable("Lawful variants: services that answer otherwise where the interface is silent", [
    ["open question", "false alarms", "variants", "seconds"],
    ...lines,
    toLine("all", outcomes),
  ]);
}

/** One paragraph for each outcome that should not be. */
export function toFaults(
  mutants: readonly Outcome<Mutant>[],
  variants: readonly Outcome<Variant>[],
): string[] {
  const missed = mutants
    .filter((outcome) => !isCaught(outcome))
    .map((outcome) =>
      toParagraph(outcome.verdict === "unreached" ? "not reached" : "missed", outcome),
    );
  const alarms = variants
    .filter((outcome) => !isQuiet(outcome))
    .map((outcome) =>
      toParagraph(outcome.verdict === "unreached" ? "not reached" : "false alarm", outcome),
    );
  return [...missed, ...alarms];
}

function toParagraph(what: string, { subject, verdict, words }: Outcome<Mutant | Variant>): string {
  const operation = [subject.operation].flat().join(", ");
  return [
    `${what}: ${subject.id} (${operation}): ${subject.says}; the kit said ${verdict}`,
    ...words.map((line) => `    ${line}`),
  ].join("\n");
}
