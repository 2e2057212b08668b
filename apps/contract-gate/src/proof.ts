// The proof of the rules on the labelled edits, counted.
import {
  compareDocuments,
  type Finding,
  greatestOf,
  isGreater,
  type JsonObject,
} from "@call-media/contract-diff";
import type { LabelledEdit } from "../edits/labelled-edit.ts";

export interface Trial {
  readonly edit: LabelledEdit;
  readonly findings: readonly Finding[];
}

/** The document after an edit. Throws an Error when a step finds no place, or when all of them change nothing. */
export function applyEdit(document: JsonObject, edit: LabelledEdit): JsonObject {
  const edited = structuredClone(document);
  for (const step of edit.steps) step(edited);
  if (JSON.stringify(edited) === JSON.stringify(document))
    throw new Error(`${edit.id} changes nothing`);
  return edited;
}

/** Tries each edit alone. */
export function tryEdits(document: JsonObject, edits: readonly LabelledEdit[]): Trial[] {
  return edits.map((edit) => ({
    edit,
    findings: compareDocuments(document, applyEdit(document, edit)),
  }));
}

/** A sentence for each edit that was not rated as labelled, or that has a known limit and was. */
export function findWrong(trials: readonly Trial[]): string[] {
  return trials.flatMap(({ edit: { id, expected, limit }, findings }) => {
    const rating = greatestOf(findings);
    const isAsKnown = limit === undefined ? rating === expected : isGreater(rating, expected);
    return isAsKnown ? [] : [`${id} is ${expected}, but was rated ${rating}`];
  });
}

/** The table of the proof, for people: for each label how many were right, rated too low, and too high. */
export function toTable(trials: readonly Trial[]): string {
  const rows = (["breaking", "additive", "prose"] as const).map((label) => {
    const ratings = trials
      .filter(({ edit }) => edit.expected === label)
      .map(({ findings }) => greatestOf(findings));
    const right = ratings.filter((rating) => rating === label).length;
    const high = ratings.filter((rating) => isGreater(rating, label)).length;
    return toRow(label, [ratings.length, right, ratings.length - right - high, high]);
  });
  return [toRow("label", ["edits", "right", "too low", "too high"]), ...rows].join("\n");
}

function toRow(label: string, cells: readonly (string | number)[]): string {
  return [label.padEnd(10), ...cells.map((cell) => String(cell).padStart(8))].join(" ");
}
