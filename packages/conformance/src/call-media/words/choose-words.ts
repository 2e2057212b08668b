// Chooses probes: single words and several, from each text, in each spelling.
import type { Entry, Vocabulary } from "./vocabulary.ts";
import {
  type Choice,
  isFew,
  isPlain,
  listRareWords,
  type Probe,
  richest,
  toOwnEnding,
  type Word,
} from "./probe.ts";

const MAX_WORDS = 32;
const MAX_CHARACTERS = 1000;
const MAX_PER_TEXT = 3;

export function chooseEvery(vocabulary: Vocabulary): Choice {
  const pairs = richest(vocabulary).flatMap((entry) => listTellingPairs(entry, vocabulary));
  const [earlier, later] = pairs.find(([one, other]) => one.text !== other.text) ?? pairs[0] ?? [];
  if (earlier === undefined || later === undefined)
    return "no record has two words that other records have one of";
  const ignored = `${earlier.token} \u{1f600}${" -".repeat(MAX_CHARACTERS)}`;
  return [
    { id: "words.every", about: "two words", words: `${earlier.token} ${later.token}` },
    { id: "words.every", about: "two words turned", words: `${later.token} ${earlier.token}` },
    {
      id: "words.every",
      about: "1,000 characters, all but one word without a letter or digit",
      words: Array.from(ignored).slice(0, MAX_CHARACTERS).join(""),
    },
    ...chooseMany(vocabulary),
  ];
}

/** Pairs of words that each occur once in a record. Other records have one word of the pair without the other. */
function listTellingPairs(
  entry: Entry,
  vocabulary: Vocabulary,
): (readonly [earlier: Word, later: Word])[] {
  const all = entry.texts.flatMap(({ tokens }) => tokens.map(({ text }) => text));
  const once = listRareWords(entry, vocabulary).filter(
    ({ token }) => all.indexOf(token) === all.lastIndexOf(token),
  );
  const byText = Map.groupBy(once, ({ text }) => text);
  const words = [...byText.values()].flatMap((some) => some.slice(0, MAX_PER_TEXT));
  return words.flatMap((one, index) =>
    words
      .slice(index + 1)
      .filter((other) => lacks(vocabulary, one, other) && lacks(vocabulary, other, one))
      .map((other) => [one, other] as const),
  );
}

/** True if a record has the first word and not the second. */
function lacks({ having }: Vocabulary, has: Word, without: Word): boolean {
  return (having.get(has.token) ?? []).some(({ tokens }) => !tokens.has(without.token));
}

/** The maximum number of words in a query. */
function chooseMany(vocabulary: Vocabulary): Probe[] {
  for (const { tokens } of richest(vocabulary)) {
    const plain = [...tokens].filter(isPlain).slice(0, MAX_WORDS);
    if (plain.length === MAX_WORDS)
      return [{ id: "words.every", about: "32 words", words: plain.join(" ") }];
  }
  return [];
}

const MAX_QUERIES = 5;

/** A few queries that together cover all fields. Each word of a query occurs in exactly one field of a record. */
export function chooseFields(vocabulary: Vocabulary): Choice {
  const covers = richest(vocabulary).map(toCover);
  const left = new Set(covers.flatMap((cover) => [...cover.keys()]));
  const probes: Probe[] = [];
  while (left.size > 0 && probes.length < MAX_QUERIES) {
    const gained = covers.map((cover) => [...cover].filter(([field]) => left.has(field)));
    const [best = []] = gained.toSorted((one, other) => other.length - one.length);
    for (const [field] of best) left.delete(field);
    const fields = best.map(([field]) => field).join(", ");
    const words = best.map(([, word]) => word).join(" ");
    probes.push({ id: "words.fields", about: `words of ${fields}`, words });
  }
  return probes.length > 0 ? probes : "no record has a word in one field alone";
}

/** For each field, a word that occurs in no other field of the record. */
function toCover(entry: Entry): ReadonlyMap<string, string> {
  const texts = entry.texts.flatMap((text) => {
    const others = entry.texts.filter((other) => other !== text);
    const own = text.tokens.find(
      ({ text: token }) =>
        isPlain(token) &&
        !others.some(({ tokens }) => tokens.some((other) => other.text === token)),
    );
    return own === undefined ? [] : [[text.from, own.text] as const];
  });
  const numbers = entry.numbers.flatMap(({ from, text }) => {
    const ending = toOwnEnding(text, entry);
    return ending === undefined ? [] : [[from, ending] as const];
  });
  return new Map([...texts, ...numbers]);
}

export function chooseCase(vocabulary: Vocabulary): Choice {
  const swapped = richest(vocabulary).flatMap((entry) =>
    listRareWords(entry, vocabulary).flatMap(({ written }) => {
      const upper = written.toUpperCase();
      const words = written === upper ? written.toLowerCase() : upper;
      const isShown = !entry.texts.some(({ text }) => text.includes(words));
      return words !== written && isShown ? [words] : [];
    }),
  );
  const found = [
    swapped.find((words) => /^[a-z]+$/i.test(words)),
    swapped.find((words) => /[^\0-\x7f]/.test(words)),
  ].filter((words) => words !== undefined);
  return found.length === 0
    ? "no record has a word that letter case would change"
    : found.map((words) => ({ id: "words.case", about: "a word in other letter case", words }));
}

const MARK = /\p{M}/u;
const VOWEL = /[aeiou]/;

export function chooseAccents(vocabulary: Vocabulary): Choice {
  const rare = richest(vocabulary).flatMap((entry) =>
    listRareWords(entry, vocabulary).map((word) => ({ ...word, entry })),
  );
  const accented = rare.find(
    ({ token, written, entry }) =>
      MARK.test(written.normalize("NFD")) &&
      !MARK.test(token.normalize("NFD")) &&
      !entry.texts.some(({ text }) => text.toLowerCase().includes(token)),
  );
  if (accented === undefined) return "no record has a word with an accent";
  const bare = rare.find(
    ({ token, written }) => VOWEL.test(token) && written.toLowerCase() === token,
  );
  const withAccent = bare?.token.replace(VOWEL, (vowel) => `${vowel}\u0301`.normalize("NFC"));
  const probe = { id: "words.accents" } as const;
  return [
    { ...probe, about: "a word without its accents", words: accented.token },
    {
      ...probe,
      about: "an accent as a character of its own",
      words: accented.written.normalize("NFD"),
    },
    ...(withAccent === undefined
      ? []
      : [{ ...probe, about: "an accent that the record has not", words: withAccent }]),
  ];
}

/** Pairs of characters, well below the number of words that a search accepts. */
const MAX_UNSPACED = 20;

/** All but the first character of a text without spaces, or of the beginning of such a text. */
export function chooseUnspaced(vocabulary: Vocabulary): Choice {
  for (const { texts } of vocabulary.entries)
    for (const { text, tokens } of texts) {
      const first = tokens.findIndex(({ isUnspaced, isTail }) => isUnspaced && !isTail);
      const rest = first === -1 ? [] : tokens.slice(first + 1, first + 1 + MAX_UNSPACED);
      const [second] = rest;
      const last = rest.find(({ isTail }) => isTail) ?? rest.at(-1);
      if (second === undefined || last === undefined) continue;
      const words = text.slice(second.start, last.end);
      return [{ id: "words.unspaced", about: "all but the first character", words }];
    }
  return "no record has a text in a script without spaces";
}

const PREFIX = 3;
const MIN_WORD = 5;
const MAX_PREFIXES = 200;

/** The beginning of some words. It is not a word itself, and other words contain it. */
export function chooseParts(vocabulary: Vocabulary): Choice {
  const plain = [...vocabulary.having.keys()].filter(isPlain);
  const prefixes = plain
    .filter((token) => token.length >= MIN_WORD)
    .map((token) => token.slice(0, PREFIX))
    .filter((prefix) => !vocabulary.having.has(prefix));
  const found = [...new Set(prefixes)].slice(0, MAX_PREFIXES).find((prefix) => {
    const begin = new Set(listHaving(vocabulary, plain, (token) => token.startsWith(prefix)));
    if (!isFew([...begin])) return false;
    const inside = listHaving(vocabulary, plain, (token) => token.indexOf(prefix) > 0);
    return inside.some((entry) => !begin.has(entry));
  });
  if (found === undefined) return "no three letters begin a word and stand inside of another";
  return [
    { id: "words.whole", about: "a part of words", words: found },
    { id: "words.beginning", about: "a beginning", words: `${found}*` },
  ];
}

function listHaving(
  { having }: Vocabulary,
  tokens: readonly string[],
  fits: (token: string) => boolean,
): readonly Entry[] {
  return tokens.filter(fits).flatMap((token) => having.get(token) ?? []);
}
