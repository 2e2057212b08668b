// Line numbers of the values in a JSON text, without a second parser: scans only the objects along the path.

/** A string or a structural character. Other values and whitespace are between them. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]/g;

/**
 * Returns a function from a path of keys to the line, counted from 1. For a missing value, it is the line of the enclosing value.
 *
 * @param text JSON that JSON.parse accepts.
 */
export function createJsonLines(text: string): (keys: readonly (string | number)[]) => number {
  const known = new Map<number, ReadonlyMap<string, number>>();
  const lineAt = createLines(text);
  return (keys) => {
    let at = 0;
    for (const key of keys) {
      const children = known.get(at) ?? findChildren(text, at);
      known.set(at, children);
      const child = children.get(String(key));
      if (child === undefined) break;
      at = child;
    }
    return lineAt(at);
  };
}

/** Returns a function from a position in the text to its line, counted from 1. */
export function createLines(text: string): (position: number) => number {
  const newlines: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) newlines.push(at);
  return (position) => countBelow(newlines, position) + 1;
}

/** The offsets of the values in an object or array, by key or number. Empty for any other value. */
function findChildren(text: string, start: number): ReadonlyMap<string, number> {
  const children = new Map<string, number>();
  const isArray = text[start] === "[";
  if (!isArray && text[start] !== "{") return children;
  const tokens = new RegExp(TOKEN);
  tokens.lastIndex = start;
  let depth = 0;
  let key = "";
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === "}" || token === "]") depth -= 1;
    if (token === "{" || token === "[") depth += 1;
    if (depth === 0) break;
    if (depth > 1) continue;
    if (token.startsWith('"')) key = token;
    else if (token === ":") children.set(String(JSON.parse(key)), skipSpace(text, index + 1));
    else if (isArray && (index === start || token === ","))
      children.set(String(children.size), skipSpace(text, index + 1));
  }
  return children;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (/\s/.test(text.charAt(at))) at += 1;
  return at;
}

/** Counts the numbers below `limit` in an ascending list. */
function countBelow(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((numbers[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
