// Expresses a query by words as terms, to find the calls of a segment that may match. Terms have no positions, so a phrase is only
// narrowed down.
import type { DatabaseSync } from "node:sqlite";
import type { Alternative, Item, Phrase, Query } from "@call-media/words";
import type { ToTerm } from "../../values/terms.ts";
import { addSet, type Bitmap, createBitmap } from "./bitmap.ts";
import type { PostingList, TermEntry } from "./layout.ts";
import { MAX_EXACT_DIGITS, toEndingRange } from "./number-terms.ts";
import { intersect } from "./posting-lists.ts";
import type { Segment } from "./segment-list.ts";
import type { SegmentReader } from "./segment-reader.ts";
import { WORD } from "./term-lister.ts";
import { isWholeCode, toBeginningRange, toWordCode } from "./word-codes.ts";

/** The terms that a call must have. */
export type WordPlan =
  | { readonly term: number }
  /** One of these, which are sorted. */
  | { readonly anyTerm: Float64Array }
  /** A term from the first up to the second, without it; `isExact`: see `WordRange`. */
  | { readonly from: number; readonly until: number; readonly isExact?: boolean }
  | { readonly all: readonly WordPlan[] }
  | { readonly any: readonly WordPlan[] };

export interface PlannedWords {
  readonly plan: WordPlan;
  readonly unsure: Unsure;
}

/** The reason why calls without the words may be found, so that their texts have to be compared. */
export type Unsure = "phrase" | "number" | "beginning" | undefined;

/** Facts about the index and the caller. */
export interface Asked {
  /** See `hasWordCodes`. */
  readonly hasCodes: boolean;
  /** True if no call is hidden from the caller. */
  readonly seesAll: boolean;
}

const WORDS_OF_A_ROW = 1_000;

// A row for each word would take four times as long. The largest character ends the range of words with one prefix.
const NEXT_WORDS = `SELECT group_concat(word, ' ') AS words, max(word) AS last FROM (
  SELECT word FROM word WHERE word > ? AND word < ? || char(0x10ffff) ORDER BY word LIMIT ${WORDS_OF_A_ROW})`;

// For a prefix without an exact range of codes, up to this number of words are compared, if the caller sees all calls. Otherwise the texts
// of visible calls are compared. So hidden words decide neither which searches are rejected nor how long a search takes.
const MAX_WORDS = 10_000;

/** Makes the plans of queries. */
export function createWordPlanner(
  database: DatabaseSync,
  toTerm: ToTerm<number>,
): (query: Query, asked: Asked) => PlannedWords {
  const select = database.prepare(NEXT_WORDS);
  function* toTerms(beginning: string, most: number): Generator<number> {
    yield toTerm(WORD, beginning);
    let after = beginning;
    for (let count = 0; count < most; count += WORDS_OF_A_ROW) {
      const { words, last } = select.get(after, beginning) ?? {};
      if (typeof words !== "string" || typeof last !== "string") return;
      for (const word of words.split(" ")) yield toTerm(WORD, word);
      after = last;
    }
  }
  return (query, { hasCodes, seesAll }) => {
    let unsure: Unsure;
    const toWord = once((word: string): WordPlan => ({
      term:
        hasCodes && isWholeCode(word, 0, word.length)
          ? toWordCode(word, 0, word.length)
          : toTerm(WORD, word),
    }));
    const toBeginning = once((beginning: string): WordPlan => {
      const range = toBeginningRange(beginning);
      if (hasCodes && (range.isExact || !seesAll)) return range;
      const most = hasCodes ? MAX_WORDS : Infinity;
      const terms = Float64Array.from(toTerms(beginning, most));
      return terms.length <= most ? { anyTerm: terms.toSorted() } : range;
    });
    const toPhrase = ({ tokens, isBeginning }: Phrase): WordPlan => {
      const all = tokens.map((token, place) =>
        (isBeginning && place === tokens.length - 1 ? toBeginning : toWord)(token),
      );
      if (tokens.length > 1) unsure ??= "phrase";
      else if (all.some((plan) => "from" in plan && plan.isExact === false)) unsure = "beginning";
      return { all };
    };
    const toEnding = (digits: string): WordPlan => {
      if (digits.length > MAX_EXACT_DIGITS) unsure ??= "number";
      return toEndingRange(digits);
    };
    const toAlternative = (alternative: Alternative): WordPlan => {
      if (alternative.kind === "phrase") return toPhrase(alternative);
      if (alternative.kind === "number") return toEnding(alternative.digits);
      return { all: alternative.items.map(toItem) };
    };
    const toItem = (item: Item): WordPlan => ({ any: item.map(toAlternative) });
    const plan = { all: [...new Set(query.map(toItem).flatMap(toParts))] };
    return { plan, unsure };
  };
}

/** A word that is repeated in a query has the same plan, which is read once. */
function once(toPlan: (word: string) => WordPlan): (word: string) => WordPlan {
  const known = new Map<string, WordPlan>();
  return (word) => {
    const plan = known.get(word) ?? toPlan(word);
    known.set(word, plan);
    return plan;
  };
}

/** The plans that must all match. */
function toParts(plan: WordPlan): readonly WordPlan[] {
  if ("all" in plan) return plan.all.flatMap(toParts);
  if (!("any" in plan)) return [plan];
  const [only] = plan.any;
  return only !== undefined && plan.any.length === 1 ? toParts(only) : [plan];
}

/** The calls of a segment that match the plan, including removed ones; undefined if there are none. */
export function findWords(
  reader: SegmentReader,
  segment: Segment,
  plan: WordPlan,
): PostingList | undefined {
  if ("term" in plan) {
    const entry = reader.find(segment, plan.term);
    return entry && reader.ordinals(segment, entry);
  }
  const { calls } = segment;
  if ("anyTerm" in plan)
    return unite(calls, toLists(reader, segment, reader.findEach(segment, plan.anyTerm)));
  if ("from" in plan) return reader.uniteRange(segment, plan);
  if ("any" in plan) {
    const [only] = plan.any;
    if (only !== undefined && plan.any.length === 1) return findWords(reader, segment, only);
    return unite(
      calls,
      plan.any.flatMap((one) => {
        const found = findWords(reader, segment, one);
        return found === undefined ? [] : [found];
      }),
    );
  }
  const sets: PostingList[] = [];
  for (const one of plan.all) {
    const found = findWords(reader, segment, one);
    if (found === undefined) return undefined;
    sets.push(found);
  }
  const [first] = sets;
  return sets.length === 1 ? first : intersect(sets, { calls, removed: undefined });
}

function* toLists(
  reader: SegmentReader,
  segment: Segment,
  entries: Iterable<TermEntry>,
): Generator<PostingList> {
  for (const entry of entries) yield reader.ordinals(segment, entry);
}

function unite(calls: number, lists: Iterable<PostingList>): PostingList | undefined {
  let bitmap: Bitmap | undefined;
  for (const list of lists) {
    bitmap ??= createBitmap(calls);
    addSet(bitmap, list);
  }
  return bitmap;
}
