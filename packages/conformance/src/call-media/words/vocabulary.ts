// The words and numbers of the records of a window, and which records a query means (D30).
import {
  type Alternative,
  listSources,
  matches,
  parseQuery,
  type Query,
  type SearchedRecord,
  type Source,
  type Token,
  toSearched,
  toStoredDigits,
  toTokens,
} from "@call-media/words";
import type { JsonObject } from "@call-media/contract-diff";

/** A text of a record, split into tokens. */
export interface Text extends Source {
  readonly tokens: readonly Token[];
}

/** A record as the search by words indexes it, without its chat. */
export interface Entry {
  readonly record: JsonObject;
  readonly texts: readonly Text[];
  readonly numbers: readonly Source[];
  readonly tokens: ReadonlySet<string>;
  /** The digits of `numbers`. */
  readonly digits: readonly string[];
}

export interface Vocabulary {
  /** The records with the most texts come first. */
  readonly entries: readonly Entry[];
  /** The records with a token, by token. */
  readonly having: ReadonlyMap<string, readonly Entry[]>;
}

export function toVocabulary(records: readonly JsonObject[]): Vocabulary {
  const entries = records
    .map(toEntry)
    .toSorted((one, other) => other.texts.length - one.texts.length);
  const having = new Map<string, Entry[]>();
  for (const entry of entries)
    for (const token of entry.tokens) {
      const known = having.get(token);
      if (known === undefined) having.set(token, [entry]);
      else known.push(entry);
    }
  return { entries, having };
}

function toEntry(record: JsonObject): Entry {
  const sources = listSources(toSearchedRecord(record));
  const texts = sources
    .filter(({ isNumber }) => isNumber !== true)
    .map((source) => ({ ...source, tokens: toTokens(source.text) }));
  const numbers = sources.filter(({ isNumber }) => isNumber === true);
  const tokens = new Set(texts.flatMap((text) => text.tokens.map((token) => token.text)));
  const digits = numbers.map(({ text }) => toStoredDigits(text));
  return { record, texts, numbers, tokens, digits };
}

/** Removes values that are not text, because they are not searched. */
function toSearchedRecord(record: JsonObject): SearchedRecord {
  return Object.fromEntries(
    Object.entries(record).filter(
      (field): field is [string, string] => typeof field[1] === "string",
    ),
  );
}

/** The entries that the words match by their fields, without their chats. */
export function selectMeant(entries: readonly Entry[], words: string): readonly Entry[] {
  const query = parseQuery(words);
  return entries.filter(
    (entry) =>
      mayMatch(entry, query) &&
      matches(query, {
        texts: entry.texts.map(({ text }) => text),
        numbers: entry.numbers.map(({ text }) => text),
      }),
  );
}

/** True if the record has the words, in its fields or in these messages of its chat. */
export function isMeant(
  record: JsonObject,
  messages: readonly JsonObject[],
  words: string,
): boolean {
  const searched = toSearched(toSearchedRecord(record), messages.map(toSearchedRecord));
  return matches(parseQuery(words), searched);
}

/** Spares most entries the slower comparison of phrases. */
function mayMatch(entry: Entry, query: Query): boolean {
  return query.every((item) => item.some((alternative) => mayBeIn(entry, alternative)));
}

function mayBeIn(entry: Entry, alternative: Alternative): boolean {
  if (alternative.kind === "group") return mayMatch(entry, alternative.items);
  if (alternative.kind === "number")
    return entry.digits.some((digits) => digits.endsWith(alternative.digits));
  const { tokens, isBeginning } = alternative;
  const complete = isBeginning ? tokens.slice(0, -1) : tokens;
  return complete.every((token) => entry.tokens.has(token));
}
