// Splits a condition into tokens with their positions: names, numbers, texts, datetimes, durations and signs.
import { ConditionFault } from "./fault.ts";

export type TokenKind = "name" | "number" | "length" | "text" | "datetime" | "sign" | "end";

export interface Token {
  readonly kind: TokenKind;
  /** The token as written; for a text, its content. */
  readonly value: string;
  /** Index of its first character in the condition. */
  readonly at: number;
}

const PATTERNS: readonly (readonly [TokenKind | "space", RegExp])[] = [
  ["space", /\s+/y],
  // Before numbers, because a datetime starts with one.
  ["datetime", /\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?/y],
  ["length", /\d{1,5}(?::[0-5]\d){1,2}(?![\w:])|\d{1,9}[hms](?!\w)/y],
  ["number", /-?\d+(?:\.\d+)?/y],
  // No field contains . @ or -, but texts with forgotten quotes do.
  ["name", /[a-z_][\w.@-]*/iy],
  ["text", /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'/y],
  ["sign", /&&|\|\||[=!<>]=|[<>~!()]/y],
];

/** @throws ConditionFault at the first character that starts no token. */
export function toTokens(condition: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < condition.length) {
    const { kind, text } = readToken(condition, at);
    if (kind !== "space") tokens.push({ kind, value: kind === "text" ? unquote(text) : text, at });
    at += text.length;
  }
  return [...tokens, { kind: "end", value: "", at }];
}

function readToken(condition: string, at: number) {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const text = pattern.exec(condition)?.[0];
    if (text !== undefined) return { kind, text };
  }
  throw toFault(String.fromCodePoint(condition.codePointAt(at) ?? 0), at);
}

function toFault(character: string, at: number): ConditionFault {
  if (character === '"' || character === "'") return new ConditionFault("text-open", at);
  if (character === "=") return new ConditionFault("single-equals", at);
  if (character === "&" || character === "|")
    return new ConditionFault("single-sign", at, character);
  // Word processors turn quotes into these.
  if (/[“”„‟‘’‚«»]/.test(character)) return new ConditionFault("typographic-quotes", at);
  return new ConditionFault("character", at, character);
}

/** Decodes the escapes of JSON; any other escaped character stands for itself. */
const unquote = (text: string) =>
  text
    .slice(1, -1)
    .replaceAll(/\\(?:u([\da-f]{4})|([^]))/gi, (_, code: string | undefined, sign: string) =>
      code === undefined ? (ESCAPES[sign] ?? sign) : String.fromCharCode(parseInt(code, 16)),
    );

const ESCAPES: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
