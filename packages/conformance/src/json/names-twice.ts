// Names that stand twice in one JSON object (RFC 8259, section 4): parsers keep one of the two, and not all the same one.

// Strings whole, since they may hold what looks like structure; of the rest only what opens, closes and parts.
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** The name with its quotes, if there is one; `text` has to be JSON. */
export function findNameTwice(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let last = "";
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      const names = open.at(-1);
      if (names?.has(last) === true) return last;
      names?.add(last);
    }
    last = token;
  }
  return undefined;
}
