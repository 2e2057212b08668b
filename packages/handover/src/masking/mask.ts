// Masks values wherever they are repeated, in every spelling that a search by words finds (D30), and in some others.
import { foldText, MIN_ENDING, toEnding } from "@call-media/words";
import { toAddressPattern, toDatePattern, toSpelt } from "./spellings.ts";

/** Always the same length, so that it reveals nothing. */
export const MASK = "[redacted]";

/** A shorter value is masked only as a separate word: names such as Li. */
const MIN_PART = 4;
/** People do not leave out the beginning of numbers with fewer digits. */
const MIN_PARTED = 6;
/** A text with more words is not a name. */
const MAX_NAME = 4;

/** Masks in every text of a value; a number that repeats a masked value becomes null. */
export type Mask = <Value>(value: Value) => Value;

/**
 * Values of one character, and numbers of fewer than four digits, are not masked: they occur everywhere. `words` are masked
 * only as separate words.
 */
export function createMask(values: Iterable<string>, words: Iterable<string> = []): Mask {
  const patterns = [
    ...[...new Set(values)].map((value) => toPatterns(value)),
    ...[...new Set(words)].map((word) => toPatterns(word, true)),
  ];
  const maskText = (text: string) => {
    // A letter may have two Unicode forms. Text without masked values stays unchanged.
    const normal = text.normalize("NFC");
    const ranges = findRanges(normal, patterns);
    return ranges.length === 0 ? text : replaceRanges(normal, ranges);
  };
  const mask = (value: unknown): unknown => {
    if (typeof value === "string") return maskText(value);
    if (typeof value === "number") return maskText(String(value)) === String(value) ? value : null;
    if (Array.isArray(value)) return value.map(mask);
    return typeof value === "object" && value !== null ? maskFields(value) : value;
  };
  // Days are directory names, so masking must not change a datetime.
  const maskFields = (value: object) =>
    Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, name === "datetime" ? one : mask(one)]),
    );
  return <Value>(value: Value) => mask(value) as Value; // the same fields
}

/**
 * True if a text still has one of the values as separate words, because the value occurs everywhere or the text is a datetime. `parts`
 * may also be within a word.
 */
export function isLeft(values: readonly string[], parts: readonly string[], text: string): boolean {
  const words = ` ${fold(text).text} `;
  return (
    parts.some((part) => words.includes(fold(part).text)) ||
    values.some((value) => {
      const { text: own } = fold(value);
      const date = toDatePattern(own);
      const isDate = date !== undefined && new RegExp(date, "u").test(words);
      return own !== "" && (isDate || words.includes(` ${own} `));
    })
  );
}

type Range = readonly [start: number, end: number];

interface Patterns {
  /** The value verbatim, including leading and trailing punctuation. */
  readonly written: RegExp | undefined;
  /** In folded text. */
  readonly folded: readonly RegExp[];
}

/** Here invisible characters join words, even a zero-width space, which separates them in a search. */
const fold = (text: string) =>
  foldText(
    text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, (hidden) =>
      hidden.replaceAll(/[^]/g, "\u200c"),
    ),
  );

function toPatterns(value: string, isWord = false): Patterns {
  const normal = value.normalize("NFC");
  const { text: folded } = fold(normal);
  const bare = folded.replaceAll(" ", "");
  // Numbers are written with spaces and punctuation, and longer ones without their beginning.
  const isNumber = bare.length >= MIN_ENDING && /^[0-9]+$/.test(bare);
  const patterns = [
    isNumber ? toNumberPattern(bare, value) : toWordsPattern(normal, isWord),
    toDatePattern(folded),
    toAddressPattern(normal),
  ].filter((pattern) => pattern !== undefined);
  return {
    written:
      isNumber || isWord || normal.length < MIN_PART
        ? undefined
        : new RegExp(escape(normal), "giu"),
    folded: patterns.map((pattern) => new RegExp(pattern, "gu")),
  };
}

const toNotation = (digits: string): string => digits.split("").join(" ?");

/** Matches all digits; the ending that a search would use, within any number; or a shorter ending on its own. */
function toNumberPattern(digits: string, value: string): string {
  const ending = toEnding(value) ?? digits;
  const shorter = digits.length < MIN_PARTED ? 0 : ending.length - MIN_ENDING;
  const parts = Array.from({ length: shorter }, (_, at) => ending.slice(at + 1));
  return [
    toNotation(ending),
    ...parts.map((part) => String.raw`(?<!\d)${toNotation(part)}(?!\d)`),
    toNotation(digits),
  ].join("|");
}

/** For a value that is not a number. `isWord`: masked only as a separate word. */
function toWordsPattern(value: string, isWord: boolean): string | undefined {
  const { text: folded } = fold(value);
  const letters = Array.from(folded.replaceAll(" ", ""));
  const isShort = letters.join("").length < MIN_PART;
  if (letters.length < 2 || (isShort && letters.every((one) => /[0-9]/.test(one))))
    return undefined;
  const own = listOrders(folded).map(toSpaced);
  const spelt = listOrders(fold(toSpelt(value)).text)
    .map(toSpaced)
    .map(toLoose);
  const words = [...new Set(isShort ? own : [...own, ...spelt])].join("|");
  // Matches it spelled out too: S-A-N-T-O-S.
  if (!isWord && !isShort) return `${words}|${letters.join(" ")}`;
  // The genitive of a name ends in s.
  return IS_SPACED.test(folded) ? `(?<!${SPACED})(?:${words})s?(?!${SPACED})` : words;
}

const toSpaced = (text: string) => text.replaceAll(" ", " ?").replaceAll(UNSPACED, "$& ?");

/** Matches two letters that may stand for one letter with a diaeresis or a ring. */
const toLoose = (pattern: string) => pattern.replaceAll(/(?<=[aou])e|(?<=a)a/g, "$&?");

/** The words of a name, and "santos grace" for "grace santos", as in lists and forms. */
function listOrders(folded: string): readonly string[] {
  const words = folded.split(" ");
  const last = words.pop() ?? "";
  const isName = words.length > 0 && words.length < MAX_NAME;
  return isName ? [folded, [last, ...words].join(" ")] : [folded];
}

const SCRIPTS = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}`;
/** Characters of scripts that separate words. */
const SPACED = `[${SCRIPTS}]`;
const IS_SPACED = new RegExp(`^[${SCRIPTS} ]+$`, "u");
/** Characters between which a search sees either no word boundary or always one, so that a space makes no difference. */
const UNSPACED = new RegExp(`[^${SCRIPTS} ?](?=[^ ])|${SPACED}(?=[^${SCRIPTS} ?])`, "gu");

/** Sorted, and without overlaps. */
function findRanges(text: string, patterns: readonly Patterns[]): readonly Range[] {
  const { text: folded, starts, ends } = fold(text);
  const found = patterns.flatMap((pattern): Range[] => [
    ...findAll(text, pattern.written),
    ...pattern.folded
      .flatMap((one) => findAll(folded, one))
      .map(([start, end]): Range => [starts[start] ?? 0, ends[end - 1] ?? 0]),
  ]);
  const ranges: Range[] = [];
  for (const [start, end] of found.toSorted(([one], [other]) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && start < last[1])
      ranges[ranges.length - 1] = [last[0], Math.max(last[1], end)];
    else ranges.push([start, end]);
  }
  return ranges;
}

const findAll = (text: string, pattern: RegExp | undefined): readonly Range[] =>
  pattern === undefined
    ? []
    : Array.from(text.matchAll(pattern), ({ 0: hit, index }) => [index, index + hit.length]);

function replaceRanges(text: string, ranges: readonly Range[]): string {
  const kept = ranges.map(([start], at) => text.slice(ranges[at - 1]?.[1] ?? 0, start));
  return [...kept, text.slice(ranges.at(-1)?.[1])].join(MASK);
}

const escape = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
