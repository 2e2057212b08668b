// A condition as its parts: names, numbers, texts, datetimes, operators, each with its column.
import { WhereFault } from "./where-fault.ts";

export type TokenKind = "name" | "number" | "text" | "datetime" | "sign" | "end";

export interface Token {
  readonly kind: TokenKind;
  /** As it is written; of a text, what it says. */
  readonly value: string;
  /** Index of its first character in the condition. */
  readonly at: number;
}

const PATTERNS: readonly (readonly [TokenKind | "space", RegExp])[] = [
  ["space", /\s+/y],
  // Before numbers, which they begin with.
  ["datetime", /\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?/y],
  ["number", /-?\d+(?:\.\d+)?/y],
  // No field has . @ or - in it, but texts whose quotes were forgotten do.
  ["name", /[a-z_][\w.@-]*/iy],
  ["text", /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/y],
  ["sign", /&&|\|\||[=!<>]=|[<>~!()]/y],
];

/** @throws WhereFault at the first character that begins nothing. */
export function toTokens(condition: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < condition.length) {
    const { kind, text } = readToken(condition, at);
    if (kind !== "space") tokens.push({ kind, value: kind === "text" ? unquote(text) : text, at });
    at += text.length;
  }
  return [...tokens, { kind: "end", value: "the end", at }];
}

function readToken(condition: string, at: number) {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const text = pattern.exec(condition)?.[0];
    if (text !== undefined) return { kind, text };
  }
  throw new WhereFault(toHint(String.fromCodePoint(condition.codePointAt(at) ?? 0)), at);
}

function toHint(character: string): string {
  if (character === '"' || character === "'") return "this text has no end";
  if (character === "=") return "write == to compare";
  if (character === "&" || character === "|") return `write ${character}${character}`;
  // What a text processor makes of quotes.
  if (/[“”„‟‘’‚«»]/.test(character)) return `write " or ' around a text`;
  return `${character} means nothing here`;
}

/** The escapes of JSON, and any other character as it is. */
const unquote = (text: string) =>
  text
    .slice(1, -1)
    .replaceAll(/\\(?:u([\da-f]{4})|(.))/gi, (_, code: string | undefined, sign: string) =>
      code === undefined ? (ESCAPES[sign] ?? sign) : String.fromCharCode(parseInt(code, 16)),
    );

const ESCAPES: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
