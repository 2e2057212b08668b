// The sentences about a comparison, the same in every format.
import type { Rating } from "@call-media/contract-diff";
import { toCounted } from "@call-media/terminal";
import type { JudgedDiff } from "./judged-diff.ts";

/** The verdict: the number of changes, both versions, and why the version is not right. */
export function toVerdictWords({ changes, expected, versions, refusal }: JudgedDiff): string {
  const { base, head } = versions;
  if (changes.length + expected.length === 0 && base === head && refusal === null)
    return `Nothing has changed since ${base}.`;
  const ratings: readonly Rating[] = ["breaking", "additive", "prose"];
  const parts = ratings
    .map((rating) => ({ rating, number: changes.filter((one) => one.rating === rating).length }))
    .filter(({ number }) => number > 0)
    .map(({ rating, number }) => `${toCounted(number, "change")} ${TOLD[rating]}`);
  if (expected.length > 0) parts.push(toCounted(expected.length, "expected change"));
  const words = `${base} -> ${head}: ${parts.join(", ") || "nothing has changed"}.`;
  return refusal === null ? words : `${words} Refused: ${refusal}.`;
}

const TOLD = {
  breaking: "that may break clients",
  additive: "that clients can use",
  prose: "of prose alone",
  none: "",
} as const;
