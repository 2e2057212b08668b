// Finds where in a stream of JSON the values at a path lie. The tokenizer checks the syntax; this module counts brackets and keys.
import { type ParsedTokenInfo, Tokenizer, TokenType } from "@streamparser/json";

/** An object or array by its offsets in the stream, in bytes; another value itself. */
export type Found =
  | { readonly start: number; readonly end: number }
  | { readonly start: number; readonly value: unknown };

export interface ElementFinder {
  /** The values that this chunk completes, and the fault of the stream, if any. */
  find(chunk: Buffer): { readonly found: readonly Found[]; readonly fault: string | undefined };
  /** True while the document is incomplete. */
  isInside(): boolean;
  /** Offset of the value that is open; bytes before it are no longer needed. */
  neededFrom(): number;
}

interface Container {
  readonly isArray: boolean;
  /** The key that is being read; undefined in an array. */
  key: string | undefined;
}

const OPENING = new Set([TokenType.LEFT_BRACE, TokenType.LEFT_BRACKET]);
const CLOSING = new Set([TokenType.RIGHT_BRACE, TokenType.RIGHT_BRACKET]);

/** `path` as keys from the document inwards, `*` for any. */
export function createElementFinder(path: readonly string[]): ElementFinder {
  const open: Container[] = []; // those above the values at the path
  let depth = 0; // of all that are open
  let start: number | undefined; // of the value that is open
  let offsetRead = 0;
  let found: Found[] = [];

  const isWanted = () =>
    depth === path.length && path.every((step, at) => step === "*" || step === open[at]?.key);

  const enter = (isArray: boolean, offset: number) => {
    if (start === undefined && isWanted()) start = offset;
    if (depth < path.length) open[depth] = { isArray, key: undefined };
    depth += 1;
  };
  const leave = (isArray: boolean, offset: number) => {
    depth -= 1;
    const container = open[depth];
    if (depth < 0 || (depth < path.length && container?.isArray !== isArray))
      throw new Error("a bracket is closed that was not opened");
    if (start === undefined || depth > path.length) return;
    found.push({ start, end: offset + 1 });
    start = undefined;
  };
  // A string is a key until a colon, a comma or a bracket says what it was.
  const takeScalar = ({ token, value, offset }: ParsedTokenInfo) => {
    const parent = open[depth - 1];
    if (start !== undefined || depth > path.length) return;
    if (parent?.isArray === false && token === TokenType.STRING) parent.key ??= String(value);
    else if (parent?.isArray !== false && isWanted()) found.push({ start: offset, value });
  };

  const tokenizer = new Tokenizer();
  tokenizer.onToken = (info) => {
    offsetRead = info.offset;
    const { token, offset } = info;
    if (OPENING.has(token)) enter(token === TokenType.LEFT_BRACKET, offset);
    else if (CLOSING.has(token)) leave(token === TokenType.RIGHT_BRACKET, offset);
    else if (token === TokenType.COMMA) forgetKey(open[depth - 1]);
    else if (token !== TokenType.COLON) takeScalar(info);
  };

  return {
    find: (chunk) => {
      found = [];
      try {
        tokenizer.write(chunk);
        return { found, fault: undefined };
      } catch (error) {
        return { found, fault: `not valid JSON: ${toFault(error)}` };
      }
    },
    isInside: () => depth > 0,
    neededFrom: () => start ?? offsetRead,
  };
}

function forgetKey(container: Container | undefined): void {
  if (container?.key !== undefined) container.key = undefined;
}

// "Unexpected "}" at chunk position "7" (absolute position "7") in state VALUE"
function toFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/ at chunk position .*$/s, "").replace(/^Unexpected/, "unexpected");
}
