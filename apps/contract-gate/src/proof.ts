// The proof of the rules on the labelled edits, counted.
import {
  ALL_RULES,
  compareDocuments,
  greatestOf,
  isGreater,
  type JsonObject,
  type Rating,
} from "@call-media/contract-diff";
import type { LabelledEdit } from "../edits/labelled-edit.ts";

/** What somebody says of an edit. */
export interface RatedEdit {
  readonly edit: LabelledEdit;
  readonly rating: Rating;
}

/** The document after an edit. Throws an Error when a step finds no place, or when all of them change nothing. */
export function applyEdit(document: JsonObject, edit: LabelledEdit): JsonObject {
  const edited = structuredClone(document);
  for (const step of edit.steps) step(edited);
  if (JSON.stringify(edited) === JSON.stringify(document))
    throw new Error(`${edit.id} changes nothing`);
  return edited;
}

/** Rates each edit alone, by our rules. */
export function rateByRules(document: JsonObject, edits: readonly LabelledEdit[]): RatedEdit[] {
  return edits.map((edit) => {
    const findings = compareDocuments(document, applyEdit(document, edit), {
      rules: ALL_RULES,
    });
    return { edit, rating: greatestOf(findings) };
  });
}

/** A sentence for each edit that was not rated as labelled. */
export function findWrong(rated: readonly RatedEdit[]): string[] {
  return rated.flatMap(({ edit: { id, expected }, rating }) =>
    rating === expected ? [] : [`${id} is ${expected}, but was rated ${rating}`],
  );
}

/** The table of the proof, for people: for each label how many were right, rated too low, and too high. */
export function toTable(rated: readonly RatedEdit[]): string {
  const rows = (["breaking", "additive", "prose"] as const).map((label) => {
    const ratings = rated.filter(({ edit }) => edit.expected === label).map(({ rating }) => rating);
    const right = ratings.filter((rating) => rating === label).length;
    const high = ratings.filter((rating) => isGreater(rating, label)).length;
    return toRow(label, [ratings.length, right, ratings.length - right - high, high]);
  });
  return [toRow("label", ["edits", "right", "too low", "too high"]), ...rows].join("\n");
}

function toRow(label: string, cells: readonly (string | number)[]): string {
  return [label.padEnd(10), ...cells.map((cell) => String(cell).padStart(8))].join(" ");
}
