// Conditions that the service does not know and the page checks by itself, in the words of `call-media export --where`.
import type { CallRecord } from "@call-media/client";
import { type Field, isField, NUMBERS, valueOf } from "../fields.ts";

export const COMPARISONS = ["~", "==", "!=", ">", "<", ">=", "<="] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** A value of null asks whether the record has none. */
export interface Condition {
  readonly field: Field;
  readonly comparison: Comparison;
  readonly value: string | number | null;
}

const WRITTEN = /^(\w+) ?(==|!=|<=|>=|<|>|~) ?(null|-?\d{1,15}|"(?:[^"\\]|\\.)*")$/s;

/** `talk_time > 600`, `transcript ~ "refund"`, `notes == null`; undefined for what is none. */
export function parseCondition(text: string): Condition | undefined {
  const [, field = "", comparison, literal = ""] = WRITTEN.exec(text.trim()) ?? [];
  if (!isField(field)) return undefined;
  try {
    const value: unknown = JSON.parse(literal);
    const condition = {
      field,
      comparison: COMPARISONS.find((one) => one === comparison) ?? "==",
      value: typeof value === "string" || typeof value === "number" ? value : null,
    };
    return isSensible(condition) ? condition : undefined;
  } catch {
    return undefined;
  }
}

// Seconds are compared with numbers, text with text, and nothing is only there or not.
function isSensible({ field, comparison, value }: Condition): boolean {
  if (value === null) return comparison === "==" || comparison === "!=";
  return (
    NUMBERS.has(field) === (typeof value === "number") &&
    !(NUMBERS.has(field) && comparison === "~")
  );
}

export const writeCondition = ({ field, comparison, value }: Condition): string =>
  `${field} ${comparison} ${JSON.stringify(value)}`;

/** Neither letter case nor accents count. */
export const fold = (text: string): string =>
  text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** True if a record meets one condition of each group. */
export function toTest(groups: readonly (readonly Condition[])[]): (record: CallRecord) => boolean {
  const tests = groups.map((group) => group.map(toOneTest));
  return (record) => tests.every((some) => some.some((test) => test(record)));
}

function toOneTest({ field, comparison, value }: Condition): (record: CallRecord) => boolean {
  if (value === null) return (record) => (valueOf(record, field) === "") === (comparison === "==");
  if (typeof value === "number")
    return (record) => {
      const text = valueOf(record, field);
      return text === "" ? comparison === "!=" : compare(Number(text) - value, comparison);
    };
  if (comparison === "==" || comparison === "!=") {
    const key = toMatchKey(field, value);
    return (record) => {
      const text = valueOf(record, field);
      const isSame = text !== "" && toMatchKey(field, text) === key;
      return isSame === (comparison === "==");
    };
  }
  const wanted = fold(value);
  if (comparison === "~") return (record) => fold(valueOf(record, field)).includes(wanted);
  return (record) => {
    const text = fold(valueOf(record, field));
    return text !== "" && compare(text < wanted ? -1 : Number(text > wanted), comparison);
  };
}

/** Two values are equal as in the service (D08): for phone numbers only the digits count, elsewhere accents do. */
function toMatchKey(field: Field, value: string): string {
  const digits = field.startsWith("phone_number") ? value.replaceAll(/\D/g, "") : "";
  return digits || value.trim().normalize("NFC").toLowerCase();
}

const compare = (difference: number, comparison: Comparison): boolean =>
  ORDERS[comparison](difference);

const ORDERS: Readonly<Record<Comparison, (difference: number) => boolean>> = {
  "~": (difference) => difference === 0,
  "==": (difference) => difference === 0,
  "!=": (difference) => difference !== 0,
  ">": (difference) => difference > 0,
  "<": (difference) => difference < 0,
  ">=": (difference) => difference >= 0,
  "<=": (difference) => difference <= 0,
};
