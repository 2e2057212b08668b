// The gate: what a change of the document requires, and what is missing.
import {
  ALL_RULES,
  compareDocuments,
  type Finding,
  findUnfitVersion,
  greatestOf,
  type JsonObject,
  type Rating,
  versionOf,
} from "@call-media/contract-diff";
import { findStrangers, findUntold, readChangesets } from "./changesets.ts";
import { applyCorrections, type Correction } from "./corrections.ts";

export interface GateInput {
  /** The document last released; undefined before the first release. */
  readonly released: JsonObject | undefined;
  readonly working: JsonObject;
  readonly corrections: readonly Correction[];
  readonly changesetFolder: string;
  /** Names of the released packages, which a changeset may name. */
  readonly packageNames: readonly string[];
}

export interface Verdict {
  /** The highest rating of the findings, after corrections; undefined before the first release. */
  readonly least: Rating | undefined;
  /** The most severe come last, next to the verdict: a break after fifty additions would be overlooked. */
  readonly findings: readonly Finding[];
  /** Why the change may not pass, as sentences; empty if it may. */
  readonly faults: readonly string[];
}

/** Compares and judges. Throws an Error if a document, a version or a changeset cannot be read. */
export async function checkGate(input: GateInput): Promise<Verdict> {
  const { released, working, corrections } = input;
  const found = released && compareDocuments(released, working, { rules: ALL_RULES });
  const { findings: corrected, stale } = applyCorrections(found ?? [], corrections);
  const findings = corrected.toSorted((one, other) => toRank(one) - toRank(other));
  const changesets = await readChangesets(input.changesetFolder);
  const faults = [
    ...stale.map(
      ({ pointer }) =>
        `corrections.json: nothing beyond prose has changed at ${pointer}; take the entry out`,
    ),
    ...findStrangers(changesets, input.packageNames),
  ];
  if (released === undefined) return { least: undefined, findings, faults };
  const least = greatestOf(findings);
  const untold = findUntold(changesets, least);
  const unfit = findUnfitVersion(versionOf(released), versionOf(working), least);
  return {
    least,
    findings,
    faults: [...faults, unfit, untold].filter((fault) => fault !== undefined),
  };
}

const toRank = ({ rating }: Finding): number => ["prose", "additive", "breaking"].indexOf(rating);
