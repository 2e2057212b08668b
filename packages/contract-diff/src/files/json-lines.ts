// The lines of a JSON text on which its values stand, without a second parser: only the objects on the way are gone through.

/** A string, or one of the marks; what is between them are other values and white space. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]/g;

/**
 * Tells the line, from 1, of what stands at a path of keys; of what encloses it where nothing stands there.
 *
 * @param text JSON that JSON.parse takes.
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

/** Tells the line, from 1, of a position in the text. */
export function createLines(text: string): (position: number) => number {
  const newlines: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) newlines.push(at);
  return (position) => countBelow(newlines, position) + 1;
}

/** The offsets of the values in an object or array, by key or number; none in any other value. */
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

/** How many of the ascending numbers are below another. */
function countBelow(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((numbers[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
