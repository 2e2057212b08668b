// The folding of D30: text becomes tokens, without case, accents or variant forms. It uses no locale and no dictionary.

/** Longer tokens are truncated, in texts and queries alike. */
export const MAX_TOKEN_UNITS = 64;

export interface Token {
  /** Folded. In an unspaced run: two neighbouring characters, or only the last one. */
  readonly text: string;
  /** UTF-16 offsets in the original text. */
  readonly start: number;
  readonly end: number;
  /** True for a script written without spaces between words. */
  readonly isUnspaced: boolean;
  /** True for the last character of an unspaced run. A query omits it, so that it also matches within longer runs. */
  readonly isTail: boolean;
}

/** Marks that do not change a word: of Latin, Greek, Cyrillic; Hebrew points; Arabic vowels and tatweel. */
const MARKS =
  "\\u0300-\\u036f\\u0483-\\u0487\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f" +
  "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7" +
  "\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed\\u08d3-\\u08ff";
/** Soft hyphens, joiners, bidi marks and variation selectors: they occur within a word and do not separate. */
const JOINERS =
  "\\u00ad\\u034f\\u200c-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u2069\\ufe00-\\ufe0f\\ufeff";
/** Unicode classifies these apostrophes as letters. */
const APOSTROPHES = "[\\u02bb-\\u02bd]";
const UNSPACED_SCRIPTS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30fc\\uff70";

const RUN = new RegExp(
  `[[\\p{L}\\p{N}]--${APOSTROPHES}][[\\p{L}\\p{M}\\p{N}${JOINERS}]--${APOSTROPHES}]*`,
  "gv",
);
const DROPPED = new RegExp(`[${MARKS}${JOINERS}]`, "gu");
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, "u");
/** A character with its marks. Unicode classifies half-width voice marks as letters. */
const CLUSTER = new RegExp(`[^][\\p{M}\\uff9e\\uff9f${JOINERS}]*`, "gu");
const FOLDED_WORD = new RegExp(
  `[[\\p{L}\\p{N}]--${APOSTROPHES}][[\\p{L}\\p{M}\\p{N}]--${APOSTROPHES}]*`,
  "gv",
);
const IN_WORD = new RegExp(`[[\\p{L}\\p{N}]--${APOSTROPHES}]`, "v");
const MARK = /\p{M}/u;
const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORD = /[0-9A-Za-z]+/g;
const DECIMAL = /\p{Nd}/u;
const DECIMALS = /\p{Nd}/gu;

/** Letters that Unicode does not decompose. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ß: "ss",
    æ: "ae",
    œ: "oe",
    þ: "th",
    ø: "o",
    ł: "l",
    đ: "d",
    ð: "d",
    ħ: "h",
    ŧ: "t",
    ŋ: "n",
    ĸ: "k",
    ı: "i",
    ς: "σ",
    "\u0671": "\u0627",
    "\u0649": "\u064a",
    "\u0629": "\u0647",
    "\u06a9": "\u0643",
    "\u06cc": "\u064a",
    "\u06c1": "\u0647",
  }),
);
const MAPPED = new RegExp(`[${[...LETTERS.keys()].join("")}]`, "gu");

/** The tokens of a text in order (D30). A run of n unspaced characters yields n tokens: each character with the next one. */
export function toTokens(text: string): Token[] {
  const isAscii = ASCII.test(text);
  const tokens: Token[] = [];
  for (const { 0: run, index } of text.matchAll(isAscii ? ASCII_WORD : RUN)) {
    const end = index + run.length;
    if (isAscii || ASCII.test(run)) tokens.push(toWord(run.toLowerCase(), index, end));
    else addFoldedRun(tokens, run, index);
  }
  return tokens;
}

/** A text in its comparable form, with the offset in the original text for each UTF-16 unit. */
export interface FoldedText {
  /** Folded words, separated by one space whatever the text has between them. */
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Folds as `toTokens` does, but keeps the text in one piece. Text that is not in NFC may fold its letters differently. */
export function foldText(text: string): FoldedText {
  const units: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let isParted = false;
  const push = (folded: string, start: number, end: number): void => {
    for (let at = 0; at < folded.length; at++) {
      units.push(folded.charAt(at));
      starts.push(start);
      ends.push(end);
    }
  };
  const add = (folded: string, start: number, end: number): void => {
    if (isParted && units.length > 0) push(" ", start, start);
    isParted = false;
    push(folded, start, end);
  };
  for (const { 0: run, index } of text.matchAll(ASCII.test(text) ? ASCII_WORD : RUN)) {
    isParted = true;
    if (ASCII.test(run))
      for (let at = index; at < index + run.length; at++)
        add(text.charAt(at).toLowerCase(), at, at + 1);
    else
      for (const { 0: cluster, index: at } of run.matchAll(CLUSTER))
        for (const character of foldLetters(cluster))
          if (IN_WORD.test(character) || (MARK.test(character) && !isParted))
            add(character, index + at, index + at + cluster.length);
          else isParted = true;
  }
  return { text: units.join(""), starts, ends };
}

/** Converts digits of any script to 0 to 9, and other characters to their compatibility form. */
export function toAsciiDigits(text: string): string {
  return ASCII.test(text) ? text : text.normalize("NFKD").replace(DECIMALS, toDigit);
}

function toWord(text: string, start: number, end: number): Token {
  return { text: cut(text), start, end, isUnspaced: false, isTail: false };
}

function addFoldedRun(tokens: Token[], run: string, start: number): void {
  const folded = foldLetters(run);
  if (UNSPACED.test(folded)) {
    addUnspacedRun(tokens, run, start);
    return;
  }
  const end = start + run.length;
  for (const [word] of folded.matchAll(FOLDED_WORD)) tokens.push(toWord(word, start, end));
}

interface Character {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Splits a run with some unspaced characters where the kind of character changes. */
function addUnspacedRun(tokens: Token[], run: string, start: number): void {
  let part: Character[] = [];
  let isUnspaced = false;
  const close = (): void => {
    if (part.length > 0) tokens.push(...(isUnspaced ? toPairs(part) : toJoined(part)));
    part = [];
  };
  for (const { 0: cluster, index } of run.matchAll(CLUSTER)) {
    const place = { start: start + index, end: start + index + cluster.length };
    for (const text of foldLetters(cluster)) {
      const isMark = MARK.test(text);
      const isInWord = isMark ? part.length > 0 : IN_WORD.test(text);
      const isOtherKind = isInWord && !isMark && UNSPACED.test(text) !== isUnspaced;
      if (isOtherKind || !isInWord) close();
      if (isOtherKind) isUnspaced = !isUnspaced;
      if (isInWord) part.push({ text, ...place });
    }
  }
  close();
}

function toPairs(characters: readonly Character[]): Token[] {
  return characters.map((first, place) => {
    const second = characters[place + 1];
    return {
      text: first.text + (second?.text ?? ""),
      start: first.start,
      end: (second ?? first).end,
      isUnspaced: true,
      isTail: second === undefined,
    };
  });
}

function toJoined(characters: readonly Character[]): Token[] {
  const text = characters
    .map((character) => character.text)
    .join("")
    .normalize("NFC");
  return [toWord(text, characters[0]?.start ?? 0, characters.at(-1)?.end ?? 0)];
}

/** Folds letters and digits. Separators stay, and folding may add some: ½ becomes 1⁄2. */
export function foldLetters(text: string): string {
  return text
    .normalize("NFKD")
    .replace(DROPPED, "")
    .toLowerCase() // never by locale: Turkish rules would separate İ from i
    .replace(DROPPED, "")
    .replace(MAPPED, (letter) => LETTERS.get(letter) ?? letter)
    .replace(DECIMALS, toDigit)
    .normalize("NFC");
}

/** Unicode lists the decimal digits of each script in order, in blocks of ten. */
function toDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let zero = point;
  while (point - zero < 9 && DECIMAL.test(String.fromCodePoint(zero - 1))) zero--;
  return String(point - zero);
}

function cut(word: string): string {
  if (word.length <= MAX_TOKEN_UNITS) return word;
  const isWithinPair = /[\ud800-\udbff]$/.test(word.slice(0, MAX_TOKEN_UNITS));
  return word.slice(0, isWithinPair ? MAX_TOKEN_UNITS - 1 : MAX_TOKEN_UNITS);
}
