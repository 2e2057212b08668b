// The proof of the gate: each engine on the labelled edits, counted.
import type { LabelledEdit } from "../edits/labelled-edit.ts";
import { compareDocuments } from "./compare.ts";
import type { JsonObject } from "./json.ts";
import { greatestOf, isGreater, type Rating } from "./rating.ts";

/** What each engine says of one edit. */
export interface Trial {
  readonly edit: LabelledEdit;
  readonly redocly: Rating;
  readonly own: Rating;
  readonly together: Rating;
}

// redocly runs as a program on one core; more at once gain nothing on the smallest machine that CI has.
const AT_ONCE = 2;

/** The document after an edit. Throws an Error when a step finds no place, or when all of them change nothing. */
export function applyEdit(document: JsonObject, edit: LabelledEdit): JsonObject {
  const edited = structuredClone(document);
  for (const step of edit.steps) step(edited);
  if (JSON.stringify(edited) === JSON.stringify(document))
    throw new Error(`${edit.id} changes nothing`);
  return edited;
}

async function tryEdit(document: JsonObject, edit: LabelledEdit): Promise<Trial> {
  const { byRedocly, byOwnRules, findings } = await compareDocuments(
    document,
    applyEdit(document, edit),
  );
  return {
    edit,
    redocly: greatestOf(byRedocly),
    own: greatestOf(byOwnRules),
    together: greatestOf(findings),
  };
}

/** Tries every edit on the document, with each engine. Some 0.5 s of processor time an edit. */
export async function tryEdits(
  document: JsonObject,
  edits: readonly LabelledEdit[],
): Promise<Trial[]> {
  const trials = new Map<LabelledEdit, Trial>();
  const waiting = edits.values();
  const work = async () => {
    // Both workers take from one iterator.
    for (const edit of waiting) trials.set(edit, await tryEdit(document, edit));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return [...trials.values()];
}

/** The trials in which the two engines together did not give the label, or, with a known limit, did give it. */
export function findWrong(trials: readonly Trial[]): string[] {
  return trials.flatMap(({ edit: { id, expected, limit }, together }) => {
    const isAsKnown = limit === undefined ? together === expected : isGreater(together, expected);
    return isAsKnown ? [] : [`${id} is ${expected}, but was rated ${together}`];
  });
}

const LABELS = ["breaking", "additive", "prose"] as const;

/** The table of the proof, for people: for each engine and label how many were right, rated too low, and too high. */
export function toTable(trials: readonly Trial[]): string {
  const rows = (["redocly", "own", "together"] as const).flatMap((engine) =>
    LABELS.map((label) => {
      const labelled = trials.filter(({ edit }) => edit.expected === label);
      const right = labelled.filter((trial) => trial[engine] === label);
      const high = labelled.filter((trial) => isGreater(trial[engine], label));
      const low = labelled.length - right.length - high.length;
      const counts = [labelled.length, right.length, low, high.length];
      return [engine.padEnd(10), label.padEnd(10), ...counts.map((n) => String(n).padStart(8))];
    }),
  );
  const head = [
    "engine".padEnd(10),
    "label".padEnd(10),
    "  edits",
    "   right",
    " too low",
    "too high",
  ];
  return [head, ...rows].map((row) => row.join(" ")).join("\n");
}
