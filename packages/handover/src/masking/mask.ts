// Values found wherever they are repeated, in every spelling that a search by words finds them by (D30), and some more.
import { foldText, MIN_ENDING, toEnding } from "@call-media/words";
import { toAddressPattern, toDatePattern, toSpelt } from "./spellings.ts";

/** Always of the same length, so that it reveals nothing. */
export const MASK = "[redacted]";

/** A shorter value is masked only where it is a word of its own: names such as Li. */
const MIN_PART = 4;
/** Of a number of fewer digits, people leave no beginning out. */
const MIN_PARTED = 6;
/** A longer text is no name. */
const MAX_NAME = 4;

/** Masks in every text of a value; a number that repeats one becomes null. */
export type Mask = <Value>(value: Value) => Value;

/**
 * Values of one character, and numbers of fewer than four digits, are not masked: they stand everywhere. `words` are masked
 * where they are words of their own.
 */
export function createMask(values: Iterable<string>, words: Iterable<string> = []): Mask {
  const patterns = [
    ...[...new Set(values)].map((value) => toPatterns(value)),
    ...[...new Set(words)].map((word) => toPatterns(word, true)),
  ];
  const maskText = (text: string) => {
    // One letter may be written in two ways. Text without masked values stays unchanged.
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
  // The days are folders, so that no value may take a datetime away.
  const maskFields = (value: object) =>
    Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, name === "datetime" ? one : mask(one)]),
    );
  return <Value>(value: Value) => mask(value) as Value; // the same fields
}

/**
 * True if a text has one of the values as words of its own: it stands everywhere, or the text is a datetime. `parts` may stand
 * within a word.
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
  /** The value verbatim, with signs before and after it. */
  readonly written: RegExp | undefined;
  /** In a folded text. */
  readonly folded: readonly RegExp[];
}

/** Invisible characters join words here, also a zero-width space, which separates them in a search. */
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
  // Numbers are written with spaces and signs, and longer ones without their beginning.
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

/** All digits, or the ending of a search within any number, or what is left of that by itself. */
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

/** Of a value that is no number. `isWord`: masked only as a word of its own. */
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
  // Spelled out as well: S-A-N-T-O-S.
  if (!isWord && !isShort) return `${words}|${letters.join(" ")}`;
  // The genitive of a name has an s.
  return IS_SPACED.test(folded) ? `(?<!${SPACED})(?:${words})s?(?!${SPACED})` : words;
}

const toSpaced = (text: string) => text.replaceAll(" ", " ?").replaceAll(UNSPACED, "$& ?");

/** Where two letters may stand for one with two dots or a ring. */
const toLoose = (pattern: string) => pattern.replaceAll(/(?<=[aou])e|(?<=a)a/g, "$&?");

/** The words of a name, and "santos grace" of "grace santos", as lists and forms have it. */
function listOrders(folded: string): readonly string[] {
  const words = folded.split(" ");
  const last = words.pop() ?? "";
  const isName = words.length > 0 && words.length < MAX_NAME;
  return isName ? [folded, [last, ...words].join(" ")] : [folded];
}

const SCRIPTS = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}`;
/** Characters of scripts that part their words. */
const SPACED = `[${SCRIPTS}]`;
const IS_SPACED = new RegExp(`^[${SCRIPTS} ]+$`, "u");
/** Between two of which a search sees no word end, or always one: a blank there makes no difference. */
const UNSPACED = new RegExp(`[^${SCRIPTS} ?](?=[^ ])|${SPACED}(?=[^${SCRIPTS} ?])`, "gu");

/** In their order, and apart from each other. */
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
