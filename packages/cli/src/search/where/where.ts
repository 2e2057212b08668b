// The language of --where: parsed once, with faults that point at their column, and asked of each record.
import { fieldsOf } from "@call-media/api";
import { type Comparison, COMPARISONS, joinJudges } from "@call-media/words";
import stringWidth from "fast-string-width";
import { toSuggestion, UsageError } from "@call-media/terminal";
import { type Clock, createClock } from "../clock.ts";
import { type Field, type Judge, type Predicate, toJudge } from "./comparison.ts";
import { type Token, toTokens } from "./tokens.ts";
import { WhereFault } from "./where-fault.ts";

/** Nobody writes a deeper one; without a limit a hostile one would use up the stack. */
const MAX_DEPTH = 100;

/** A condition. Asked as it is, it looks at the record alone, and takes datetimes as they are written. */
export interface Where extends Predicate {
  /** The same by a clock, which is known only when the service is, and by what was written in the call. */
  readonly by: (clock: Clock) => Judge;
  /** The fields that it asks for. */
  readonly fields: readonly Field[];
  /** Whether it asks for what was said, so that chats are to be read. */
  readonly readsChats: boolean;
}

/**
 * Whether a record meets a condition such as `talk_time > 600 && disposition ~ "refund"`.
 *
 * == and != are opposites. <, <=, >, >= and ~ (contains) are false where the record has nothing. What equal and contained
 * texts and telephone numbers are, `words` says. A
 * datetime without an offset is what the clock shows; one with an offset is a moment.
 *
 * @throws UsageError that shows the column of the fault.
 */
export function parseWhere(condition: string): Where {
  try {
    const tokens = toTokens(condition);
    const asWritten = parse(tokens, createClock());
    const isMet: Predicate = (record) => asWritten(record, "") === true;
    return Object.assign(isMet, {
      by: (clock: Clock) => parse(tokens, clock),
      fields: tokens.flatMap(({ kind, value }) =>
        kind === "name" ? (findField(value) ?? []) : [],
      ),
      readsChats: tokens.some(
        ({ kind, value }, index) =>
          kind === "name" && value === "transcript" && tokens[index + 1]?.value === "~",
      ),
    });
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
function parse(tokens: readonly Token[], clock: Clock): Judge {
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

  function parseAny(): Judge {
    const parts = [parseAll()];
    while (takeSign("||")) parts.push(parseAll());
    return joinJudges(parts, true);
  }

  function parseAll(): Judge {
    const parts = [parseOne()];
    while (takeSign("&&")) parts.push(parseOne());
    return joinJudges(parts, false);
  }

  function parseOne(): Judge {
    if (++depth > MAX_DEPTH) throw new WhereFault("too deep", peek().at);
    const one = takeSign("!") ? negate(parseOne()) : parseBracketOrComparison();
    depth--;
    return one;
  }

  function parseBracketOrComparison(): Judge {
    if (!takeSign("(")) return parseComparison();
    const inner = parseAny();
    if (!takeSign(")")) throw new WhereFault(`) is missing before ${peek().value}`, peek().at);
    return inner;
  }

  function parseComparison(): Judge {
    const field = toField(take());
    const sign = take();
    const comparison = COMPARISONS.find((one) => sign.kind === "sign" && one === sign.value);
    if (comparison === undefined)
      throw new WhereFault(`after ${field} one of ${COMPARISONS.join(" ")} must stand`, sign.at);
    const literal = toLiteral(take(), comparison);
    return toJudge({ field, comparison, literal }, clock);
  }

  const whole = parseAny();
  const { kind, value, at } = peek();
  if (value === ")" && kind === "sign") throw new WhereFault("no ( stands before this )", at);
  if (kind !== "end") throw new WhereFault(`&& or || must stand before ${value}`, at);
  return whole;
}

const negate =
  (inner: Judge): Judge =>
  (record, chat) => {
    const isMet = inner(record, chat);
    return isMet === undefined ? undefined : !isMet;
  };

const findField = (name: string): Field | undefined =>
  fieldsOf("MetadataRecord").find((field) => field === name);

function toField({ kind, value, at }: Token): Field {
  const field = findField(value);
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
