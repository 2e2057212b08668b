// Narrows a search for a condition. Services find telephone numbers by their ending, as words (D30), so words can do part of it.
import type { WordsFilter } from "@call-media/client";
import { parseQuery, QueryFault, toTypedEnding } from "@call-media/words";
import type { Condition } from "./condition.ts";
import { toKind } from "./field-kinds.ts";

/** The part of a client search that concerns words. */
interface SearchedWords {
  readonly words?: string | undefined;
  readonly filterWords?: WordsFilter | undefined;
}

/**
 * Returns a search that yields fewer records to judge. A service that does not search by words returns the same as without the
 * condition.
 */
export function narrow<Search extends SearchedWords>(
  search: Search,
  condition: Condition | undefined,
): Search & SearchedWords {
  const { words, filterWords } = search;
  const narrowing = condition === undefined ? "" : toNarrowing(condition);
  const joined = words === undefined ? narrowing : `${words} ${narrowing}`;
  if (narrowing === "" || !isQuery(joined)) return search;
  if (words === undefined) return { ...search, words: joined, filterWords: KEEP_ALL };
  const own = filterWords && ((_: string, ...rest: [ReadChat]) => filterWords(words, ...rest));
  return { ...search, words: joined, filterWords: own };
}

type ReadChat = Parameters<WordsFilter>[1];

/** False if the words exceed a limit: words close to the limits leave no room for more. */
function isQuery(words: string): boolean {
  try {
    return parseQuery(words).length > 0;
  } catch (error) {
    if (error instanceof QueryFault) return false;
    throw error;
  }
}

const KEEP_ALL: WordsFilter = () => ({
  keepsAll: true,
  chats: { read: 0, skipped: 0, refused: 0 },
  filter: async (records) => records,
});

/** Returns words that every matching call contains; empty if the condition yields none. */
export function toNarrowing(condition: Condition): string {
  if ("all" in condition) return condition.all.map(toNarrowing).filter(Boolean).join(" ");
  if (!("comparison" in condition) || condition.comparison !== "==") return "";
  const { field, value } = condition;
  const digits = toKind(field) === "telephone" ? toTypedEnding(String(value)) : undefined;
  return digits === undefined ? "" : `"${digits}"`;
}
