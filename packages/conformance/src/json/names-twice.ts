// Duplicate names in one JSON object (RFC 8259, section 4): parsers keep one of the two, and not all keep the same one.

// Matches complete strings, since they may contain structural characters, and otherwise only structural characters.
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** The first duplicate name, with its quotes. `text` must be JSON. */
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
