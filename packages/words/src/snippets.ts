// Extracts a few passages, with marks, that show why a call was found. It does not escape text: the caller must.
import { isAt } from "./matches.ts";
import { toStoredDigits } from "./numbers.ts";
import type { Alternative, Item, NumberEnding, Phrase, Query } from "./query.ts";
import type { Source } from "./sources.ts";
import { type Token, toTokens } from "./tokens.ts";

export interface SnippetOptions {
  /** UTF-16 units of one passage; default 160. */
  readonly characters?: number;
  /** Maximum number of passages; default 3. */
  readonly snippets?: number;
}

export interface Snippet {
  readonly from: string;
  readonly message?: number;
  /** UTF-16 offset of `text` in its source. */
  readonly offset: number;
  readonly text: string;
  /** UTF-16 offsets in `text`, start and end, in order and without overlap. */
  readonly marks: readonly (readonly [number, number])[];
  /** Where an ellipsis belongs. */
  readonly cut: { readonly before: boolean; readonly after: boolean };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Hit extends Range {
  readonly source: number;
  readonly item: number;
}

/** Enough hits of a common word in one source. */
const MAX_HITS = 200;
/** More hits do not make a passage better. */
const MAX_COUNTED = 20;
/** The most UTF-16 units to cut off a passage so that it ends between words. */
const MAX_TRIM = 20;

/**
 * Returns passages that together show each item of the query at least once, if the sources have it. Passages with the most items
 * come first, then the most hits, then the earliest. Empty if no item occurs.
 */
export function toSnippets(
  sources: readonly Source[],
  query: Query,
  { characters = 160, snippets = 3 }: SnippetOptions = {},
): Snippet[] {
  let hits = sources.flatMap((source, place) =>
    findHits(source, query)
      .map((hit) => ({ ...hit, source: place, end: Math.min(hit.end, hit.start + characters) }))
      .toSorted((a, b) => a.start - b.start || a.end - b.end),
  );
  const shown = new Set<number>();
  const found: Snippet[] = [];
  while (found.length < snippets) {
    const group = findBest(hits, shown, characters);
    const [first] = group;
    const source = sources[first?.source ?? -1];
    if (first === undefined || source === undefined) break;
    const end = Math.max(...group.map((hit) => hit.end));
    const window = toWindow(source.text, { start: first.start, end }, characters);
    const isInside = (hit: Hit): boolean =>
      hit.source === first.source && hit.start >= window.start && hit.end <= window.end;
    const inside = hits.filter(isInside);
    for (const { item } of inside) shown.add(item);
    hits = hits.filter((hit) => !isInside(hit));
    found.push(toSnippet(source, window, inside));
  }
  return found;
}

function toSnippet({ from, message, text }: Source, { start, end }: Range, hits: Range[]): Snippet {
  return {
    from,
    ...(message !== undefined && { message }),
    offset: start,
    text: text.slice(start, end),
    marks: toMarks(hits.map((hit) => [hit.start - start, hit.end - start])),
    cut: { before: start > 0, after: end < text.length },
  };
}

type FoundHit = Omit<Hit, "source">;

function findHits(source: Source, query: Query): FoundHit[] {
  const wanted = query.map(listSimple);
  if (source.isNumber === true) {
    const digits = toStoredDigits(source.text);
    return wanted.flatMap((alternatives, item) =>
      alternatives.some((one) => one.kind === "number" && digits.endsWith(one.digits))
        ? [{ item, start: 0, end: source.text.length }]
        : [],
    );
  }
  const tokens = toTokens(source.text);
  const texts = tokens.map((token) => token.text);
  return wanted.flatMap((alternatives, item) => {
    const phrases = alternatives.filter((one) => one.kind === "phrase");
    const hits: FoundHit[] = [];
    for (let place = 0; place < texts.length && hits.length < MAX_HITS; place++)
      for (const phrase of phrases)
        if (isAt(texts, place, phrase)) hits.push({ item, ...toRange(tokens, place, phrase) });
    return hits;
  });
}

function listSimple(item: Item): (Phrase | NumberEnding)[] {
  return item.flatMap((alternative: Alternative) =>
    alternative.kind === "group" ? alternative.items.flatMap(listSimple) : [alternative],
  );
}

function toRange(tokens: readonly Token[], place: number, phrase: Phrase): Range {
  const last = place + phrase.tokens.length - 1;
  const start = tokens[place]?.start ?? 0;
  const end = tokens[last]?.end ?? start;
  if (!phrase.isBeginning || tokens[last]?.isUnspaced !== true) return { start, end };
  // Only the first character of the pair matched: the hit ends where the next token begins, unless both share a cluster.
  const next = tokens[last].isTail ? end : (tokens[last + 1]?.start ?? end);
  return { start, end: next > tokens[last].start ? next : end };
}

/** Hits of one source that fit into a passage; empty if every item is already shown. */
function findBest(hits: readonly Hit[], shown: ReadonlySet<number>, characters: number): Hit[] {
  let best: Hit[] = [];
  let bestScore = 0;
  for (const [place, first] of hits.entries()) {
    const group: Hit[] = [];
    for (let next = place; next < hits.length && group.length < MAX_COUNTED; next++) {
      const hit = hits[next];
      if (hit?.source !== first.source || hit.start - first.start > characters) break;
      if (hit.end - first.start <= characters) group.push(hit);
    }
    const items = new Set(group.map(({ item }) => item));
    const fresh = [...items].filter((item) => !shown.has(item)).length;
    const score = fresh === 0 ? 0 : fresh * (MAX_COUNTED + 1) + group.length;
    if (score <= bestScore) continue;
    best = group;
    bestScore = score;
  }
  return best;
}

/** As wide as allowed around the hits. Starts at a line or sentence if there is one, else between words. */
function toWindow(text: string, hits: Range, characters: number): Range {
  if (text.length <= characters) return { start: 0, end: text.length };
  const room = characters - (hits.end - hits.start);
  const earliest = Math.max(0, hits.start - Math.floor(room / 2));
  const latest = Math.min(text.length, earliest + characters);
  let start = earliest === 0 ? 0 : earliest + findOpening(text.slice(earliest, hits.start));
  let end = latest === text.length ? latest : hits.end + findClosing(text.slice(hits.end, latest));
  while (start < hits.start && /^[\s\p{M}\udc00-\udfff]/u.test(text.slice(start))) start++;
  while (end > hits.end && /\s/.test(text[end - 1] ?? "")) end--;
  if (/[\ud800-\udbff]/.test(text[end - 1] ?? "") && end > hits.end) end--;
  return { start, end };
}

function findOpening(before: string): number {
  const opening = before.search(/(?:\n|[.!?。！？]\s)(?:(?!\n|[.!?。！？]\s)[^])*$/);
  if (opening >= 0) return opening + 1;
  const blank = before.search(/\s/);
  return blank >= 0 && blank < MAX_TRIM ? blank + 1 : 0;
}

function findClosing(after: string): number {
  const blank = after.search(/\s\S*$/);
  return blank >= 0 && after.length - blank < MAX_TRIM ? blank : after.length;
}

function toMarks(ranges: readonly (readonly [number, number])[]): [number, number][] {
  const marks: [number, number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = marks.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else marks.push([start, end]);
  }
  return marks;
}
