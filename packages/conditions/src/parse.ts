// Parses the condition language: text becomes a tree, or a fault with its position.
import { isDay, toSeconds } from "@call-media/client";
import { toInstant } from "./instant.ts";
import {
  type Comparison,
  COMPARISONS,
  type Condition,
  joinAll,
  joinAny,
  type Test,
} from "./condition.ts";
import { ConditionFault } from "./fault.ts";
import { toKind } from "./field-kinds.ts";
import { type Token, toTokens } from "./tokens.ts";

/** Deeper than any real condition; without a limit, hostile input could exhaust the stack. */
const MAX_DEPTH = 100;

/**
 * Recursive descent: `||` of `&&` of `!`, brackets and comparisons.
 *
 * @throws ConditionFault
 */
export function parseCondition<Field extends string>(
  text: string,
  fields: readonly Field[],
): Condition<Field> {
  const tokens = toTokens(text);
  let next = 0;
  let depth = 0;
  const end = tokens.at(-1) ?? { kind: "end", value: "", at: 0 };
  const peek = () => tokens[next] ?? end;
  const take = () => tokens[next++] ?? end;
  const takeSign = (sign: string) => {
    const isNext = peek().kind === "sign" && peek().value === sign;
    if (isNext) next++;
    return isNext;
  };

  function parseAny(): Condition<Field> {
    const first = parseAll();
    const others: Condition<Field>[] = [];
    while (takeSign("||")) others.push(parseAll());
    return joinAny([first, ...others]);
  }

  function parseAll(): Condition<Field> {
    const first = parseOne();
    const others: Condition<Field>[] = [];
    while (takeSign("&&")) others.push(parseOne());
    return joinAll([first, ...others]);
  }

  function parseOne(): Condition<Field> {
    if (++depth > MAX_DEPTH) throw new ConditionFault("too-deep", peek().at);
    const one = takeSign("!") ? { not: parseOne() } : parseBracketOrTest();
    depth--;
    return one;
  }

  function parseBracketOrTest(): Condition<Field> {
    if (!takeSign("(")) return parseTest();
    const inner = parseAny();
    if (!takeSign(")")) throw new ConditionFault("bracket-open", peek().at, peek().value);
    return inner;
  }

  function parseTest(): Test<Field> {
    const field = toField(take(), fields);
    const sign = take();
    const comparison = COMPARISONS.find((one) => sign.kind === "sign" && one === sign.value);
    if (comparison === undefined) throw new ConditionFault("no-comparison", sign.at, field);
    return { field, comparison, value: toValue(field, comparison, take()) };
  }

  const whole = parseAny();
  const { kind, value, at } = peek();
  if (value === ")" && kind === "sign") throw new ConditionFault("bracket-closed", at);
  if (kind !== "end") throw new ConditionFault("no-joint", at, value);
  return whole;
}

function toField<Field extends string>(
  { kind, value, at }: Token,
  fields: readonly Field[],
): Field {
  const field = fields.find((one) => kind === "name" && one === value);
  if (field !== undefined) return field;
  throw new ConditionFault(kind === "name" ? "unknown-field" : "no-field", at, value);
}

/** @throws ConditionFault if the field can never have the value. */
function toValue(field: string, comparison: Comparison, token: Token): Test["value"] {
  const { kind, value, at } = token;
  if (kind === "name" && value === "null") return toNull(comparison, at);
  if (kind === "name") throw new ConditionFault("unquoted", at, value);
  if (kind === "sign" || kind === "end") throw new ConditionFault("no-value", at, comparison);
  if (comparison === "~") return value;
  const fieldKind = toKind(field);
  if (fieldKind === "seconds") return checkSeconds(field, token);
  if (fieldKind === "datetime") return checkDatetime(token);
  if (kind === "length") throw new ConditionFault("unquoted-value", at, value);
  // In a text field a number is compared as a number, so that 90 is before 1000.
  if (kind !== "number" || fieldKind === "telephone") return value;
  if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(value)) return Number(value) + 0; // no -0
  throw new ConditionFault("unquoted-value", at, value);
}

function toNull(comparison: Comparison, at: number): null {
  if (comparison === "==" || comparison === "!=") return null;
  throw new ConditionFault(comparison === "~" ? "contains-null" : "order-of-null", at);
}

/** Reads `90`, `1:30`, `1:00:00`, `90s`, `10m`, `1h`; undefined for other texts. */
export function readSeconds(text: string): number | undefined {
  const written = text.trim();
  const [, count, unit = ""] = /^(\d{1,9})([hms])$/.exec(written) ?? [];
  if (count !== undefined) return Number(count) * (UNITS[unit] ?? 1);
  if (!/^\d{1,5}(?::[0-5]\d){1,2}$/.test(written)) return toSeconds(written);
  return written.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}

const UNITS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };

function checkSeconds(field: string, { value, at }: Token): number {
  const seconds = readSeconds(value);
  if (seconds === undefined) throw new ConditionFault("no-seconds", at, field);
  return seconds;
}

function checkDatetime({ value, at }: Token): string {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(value) ?? [];
  if (day !== undefined && !isDay(day)) throw new ConditionFault("no-day", at, day);
  if (toInstant(value) === undefined) throw new ConditionFault("no-datetime", at);
  return value;
}
