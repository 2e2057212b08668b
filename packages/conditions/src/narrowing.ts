// Words by which a service finds what meets a condition, among others: the ends of telephone numbers (D30).
import { toTypedEnding } from "@call-media/words";
import type { Condition } from "./condition.ts";
import { toKind } from "./field-kinds.ts";

/** A query; empty where the condition gives none. */
export function toNarrowing(condition: Condition): string {
  if ("all" in condition) return condition.all.map(toNarrowing).filter(Boolean).join(" ");
  if (!("comparison" in condition) || condition.comparison !== "==") return "";
  const { field, value } = condition;
  const digits = toKind(field) === "telephone" ? toTypedEnding(String(value)) : undefined;
  return digits === undefined ? "" : `"${digits}"`;
}
