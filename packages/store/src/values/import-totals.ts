// The total of an archive that an outcome counts towards.
import type { ImportedRows, Outcome } from "../port/index.ts";

export function toTotal(outcome: Outcome): keyof ImportedRows {
  if (typeof outcome === "object") return "rejected";
  return outcome === "due" ? "erased" : outcome;
}
