// Finds numbers of payment cards in spoken text: 13 to 19 digits with a valid check digit (ISO/IEC 7812-1, annex B).

/** Digits with spaces or punctuation between them, as in transcripts. */
const DIGITS = /\d(?:[^\p{L}\d]{0,3}\d){12,}/gu;
const [FEWEST, MOST] = [13, 19];
/** The maximum number of lines that a spoken number may take. */
const MOST_LINES = 8;

/** Consecutive lines that together contain the number of a card. */
export interface CardLines {
  readonly first: number;
  readonly last: number;
}

/** Sees only digits, not words such as "four". */
export function findCardNumbers(texts: readonly string[]): readonly CardLines[] {
  const found: CardLines[] = [];
  for (let first = 0; first < texts.length; first++) {
    const last = findLast(texts, first);
    if (last === undefined) continue;
    found.push({ first, last });
    first = last;
  }
  return found;
}

/** The last of the lines from `first` on that contain a number together; others may speak in between. */
function findLast(texts: readonly string[], first: number): number | undefined {
  if (hasCardNumber(texts[first] ?? "")) return first;
  let digits = "";
  for (let at = first; at < Math.min(texts.length, first + MOST_LINES); at++) {
    const own = toDigits(texts[at] ?? "");
    if (own === "" && at === first) return undefined;
    digits += own;
    if (own !== "" && isCard(digits)) return at;
    if (digits.length > MOST) return undefined;
  }
  return undefined;
}

const toDigits = (text: string): string => text.normalize("NFKC").replaceAll(/\D/g, "");

function hasCardNumber(text: string): boolean {
  return Array.from(text.normalize("NFKC").matchAll(DIGITS), ([run]) => run.match(/\d+/g) ?? [])
    .flatMap(joinGroups)
    .some(isCard);
}

/** "1, 4111 1111 1111 1111": any consecutive groups may be the number. */
const joinGroups = (groups: readonly string[]): readonly string[] =>
  groups.flatMap((_, from) =>
    groups.slice(from).map((__, count) => groups.slice(from, from + count + 1).join("")),
  );

function isCard(digits: string): boolean {
  if (digits.length < FEWEST || digits.length > MOST) return false;
  const sum = Array.from(digits)
    .toReversed()
    .map(Number)
    .map((digit, at) => (at % 2 === 0 ? digit : 2 * digit - (digit > 4 ? 9 : 0)))
    .reduce((total, digit) => total + digit, 0);
  // Zeros pass the check too, but are not a card number.
  return sum % 10 === 0 && new Set(digits).size > 1;
}
