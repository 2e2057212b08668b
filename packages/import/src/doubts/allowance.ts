// Allowances: doubts that an operator passes, as the command line writes them.
import { document } from "@call-media/api";
import { ImportError } from "../import-error.ts";
import { type Doubt, type DoubtName, DOUBTS } from "./doubt.ts";

/** A doubt about columns is passed for one field: `columns:skill`. Guesses are never passed. */
export type Allowance = Exclude<DoubtName, "columns" | "guess"> | `columns:${string}`;

/** Allowances that a doubt needs to pass; empty if it cannot be passed. */
export function listAllowances({ name, fields = [] }: Doubt): readonly Allowance[] {
  if (name === "guess") return [];
  return name === "columns" ? fields.map((field) => `columns:${field}` as const) : [name];
}

export function isAllowed(doubt: Doubt, allow: readonly Allowance[]): boolean {
  const needed = listAllowances(doubt);
  return needed.length > 0 && needed.every((one) => allow.includes(one));
}

/** For people. */
export const ALLOWANCES = DOUBTS.flatMap((name) =>
  name === "guess" ? [] : [name === "columns" ? "columns:FIELD" : name],
).join(", ");

const FIELDS = new Set([
  ...Object.keys(document.components.schemas["MetadataRecord"]?.properties ?? {}),
  "session_id",
  "master_id",
]);

/** Throws `ImportError`, saying what may be allowed. */
export function parseAllowance(given: string): Allowance {
  const [name = "", field] = given.trim().split(":", 2);
  const doubt = DOUBTS.find((one) => one === name);
  if (doubt === "guess")
    throw new ImportError(
      'guesses cannot be passed: compare calls with the source, and remove the key "guess" of the mapping',
    );
  if (doubt === "columns") {
    if (field === undefined || !FIELDS.has(field))
      throw new ImportError(
        `"${given}": columns are passed for one field each, such as columns:skill`,
      );
    return `columns:${field}`;
  }
  if (doubt !== undefined && field === undefined) return doubt;
  throw new ImportError(`"${given}" is not one of ${ALLOWANCES}`);
}
