// The language of --where: parsed once, with faults that point at their column, and asked of each record.
import { fieldsOf } from "@call-media/api";
import stringWidth from "fast-string-width";
import { toSuggestion } from "../../command-line/suggestion.ts";
import { UsageError } from "../../failures/usage-error.ts";
import { type Clock, createClock } from "../clock.ts";
import {
  type Comparison,
  COMPARISONS,
  type Field,
  type Predicate,
  toPredicate,
} from "./comparison.ts";
import { type Token, toTokens } from "./tokens.ts";
import { WhereFault } from "./where-fault.ts";

/** Nobody writes a deeper one; without a limit a hostile one would use up the stack. */
const MAX_DEPTH = 100;

/** A condition. Asked as it is, it takes datetimes as they are written. */
export interface Where extends Predicate {
  /** The same by a clock, which is known only when the service is. */
  readonly by: (clock: Clock) => Predicate;
}

/**
 * Whether a record meets a condition such as `talk_time > 600 && disposition ~ "refund"`.
 *
 * == and != are opposites. <, <=, >, >= and ~ (contains, letter case ignored) are false where the record has nothing. A
 * datetime without an offset is what the clock shows; one with an offset is a moment.
 *
 * @throws UsageError that shows the column of the fault.
 */
export function parseWhere(condition: string): Where {
  try {
    const tokens = toTokens(condition);
    const asWritten = parse(tokens, createClock());
    return Object.assign(asWritten, { by: (clock: Clock) => parse(tokens, clock) });
  } catch (error) {
    if (!(error instanceof WhereFault)) throw error;
    const line = condition.replaceAll(/\s/g, " ");
    const place = `${line}\n  ${" ".repeat(stringWidth(line.slice(0, error.at)))}^`;
    throw new UsageError(`--where, column ${error.at + 1}: ${error.message}\n  ${place}`, {
      cause: error,
    });
  }
}

/** By descent: `||` of `&&` of `!`, brackets and comparisons. */
function parse(tokens: readonly Token[], clock: Clock): Predicate {
  let next = 0;
  let depth = 0;
  const end = tokens.at(-1) ?? { kind: "end", value: "the end", at: 0 };
  const peek = () => tokens[next] ?? end;
  const take = () => tokens[next++] ?? end;
  const takeSign = (sign: string) => {
    const isNext = peek().kind === "sign" && peek().value === sign;
    if (isNext) next++;
    return isNext;
  };

  function parseAny(): Predicate {
    const parts = [parseAll()];
    while (takeSign("||")) parts.push(parseAll());
    return (record) => parts.some((part) => part(record));
  }

  function parseAll(): Predicate {
    const parts = [parseOne()];
    while (takeSign("&&")) parts.push(parseOne());
    return (record) => parts.every((part) => part(record));
  }

  function parseOne(): Predicate {
    if (++depth > MAX_DEPTH) throw new WhereFault("too deep", peek().at);
    const one = takeSign("!") ? negate(parseOne()) : parseBracketOrComparison();
    depth--;
    return one;
  }

  function parseBracketOrComparison(): Predicate {
    if (!takeSign("(")) return parseComparison();
    const inner = parseAny();
    if (!takeSign(")")) throw new WhereFault(`) is missing before ${peek().value}`, peek().at);
    return inner;
  }

  function parseComparison(): Predicate {
    const field = toField(take());
    const sign = take();
    const comparison = COMPARISONS.find((one) => sign.kind === "sign" && one === sign.value);
    if (comparison === undefined)
      throw new WhereFault(`after ${field} one of ${COMPARISONS.join(" ")} must stand`, sign.at);
    const literal = toLiteral(take(), comparison);
    return toPredicate({ field, comparison, literal }, clock);
  }

  const whole = parseAny();
  const { kind, value, at } = peek();
  if (value === ")" && kind === "sign") throw new WhereFault("no ( stands before this )", at);
  if (kind !== "end") throw new WhereFault(`&& or || must stand before ${value}`, at);
  return whole;
}

const negate =
  (inner: Predicate): Predicate =>
  (record) =>
    !inner(record);

function toField({ kind, value, at }: Token): Field {
  const field = fieldsOf("MetadataRecord").find((one) => one === value);
  if (kind === "name" && field !== undefined) return field;
  if (kind !== "name") throw new WhereFault(`a field must stand here, not ${value}`, at);
  throw new WhereFault(
    `${value} is no field of a record${toSuggestion(value, fieldsOf("MetadataRecord"))}`,
    at,
  );
}

function toLiteral(token: Token, comparison: Comparison): Token {
  const isValue = ["number", "text", "datetime"].includes(token.kind);
  if (isValue || (token.kind === "name" && token.value === "null")) return token;
  const hint = token.kind === "name" ? `: "${token.value}" in quotes?` : "";
  throw new WhereFault(
    `after ${comparison} a number, a "text", a datetime or null must stand${hint}`,
    token.at,
  );
}
