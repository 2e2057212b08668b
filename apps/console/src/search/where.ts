// Conditions that the service does not know and the page checks by itself, in the words of `call-media export --where`.
import type { Comparison, Condition as ConditionOf } from "@call-media/words";
import { type Field, isField, NUMBERS } from "../fields.ts";

export type Condition = ConditionOf<Field>;

const WRITTEN = /^(\w+) ?(==|!=|<=|>=|<|>|~) ?(null|\d{1,15}|"(?:[^"\\]|\\.)*")$/s;

/** `talk_time > 600`, `transcript ~ "refund"`, `notes == null`; undefined for what is none. */
export function parseCondition(text: string): Condition | undefined {
  const [, field = "", comparison, literal = ""] = WRITTEN.exec(text.trim()) ?? [];
  if (!isField(field)) return undefined;
  try {
    const value: unknown = JSON.parse(literal);
    const condition = {
      field,
      // The pattern has no others.
      comparison: comparison as Comparison,
      value: typeof value === "string" || typeof value === "number" ? value : null,
    };
    return isSensible(condition) ? condition : undefined;
  } catch {
    return undefined;
  }
}

// Seconds are compared with numbers, text with text, nothing is only there or not, and datetimes have the days.
function isSensible({ field, comparison, value }: Condition): boolean {
  if (value === null) return comparison === "==" || comparison === "!=";
  if (field === "datetime") return comparison === "~";
  return (
    NUMBERS.has(field) === (typeof value === "number") &&
    !(NUMBERS.has(field) && comparison === "~")
  );
}

export const writeCondition = ({ field, comparison, value }: Condition): string =>
  `${field} ${comparison} ${JSON.stringify(value)}`;
