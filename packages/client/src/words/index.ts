// The filter by words for a service that does not search by them (D30). An entry point of its own: others do not load it.
import { matches, parseQuery, QueryFault, toSearched } from "@call-media/words";

import type { CallRecord } from "../search/keys.ts";
import type { ChatMessage, ReadChat, WordsFilter } from "../search/words.ts";

export type { ChatReport, WordsFilter } from "../search/words.ts";

/** How many requests the filter may make. */
export interface WordsFilterOptions {
  /**
   * Most requests for chats. A call whose record does not have the words needs one, since its chat may have them. Default 0:
   * only records are compared, and the report counts the chats as skipped.
   */
  readonly chatRequests?: number | undefined;
  /** Called after each chat with the number of requests so far. */
  readonly onChat?: ((requests: number) => void) | undefined;
}

/** Requests in parallel. */
const PARALLEL = 4;

/**
 * For `filterWords` of a search: compares the records that a service returned which does not know `words`.
 *
 * @example
 * ```ts
 * const filterWords = createWordsFilter({ chatRequests: 200 });
 * const found = client.calls.search({ startDate, endDate, filter, words: "refund bill*", filterWords });
 * ```
 */
export function createWordsFilter(options: WordsFilterOptions = {}): WordsFilter {
  return (words, readChat) => {
    const query = parseWords(words);
    const chats = { read: 0, skipped: 0, refused: 0 };
    const isMatch = (record: CallRecord, messages?: readonly ChatMessage[]) =>
      matches(query, toSearched(record, messages));
    const read = createLimited(readChat, chats, options);
    return {
      chats,
      async filter(records) {
        const open = new Set(records.flatMap((record) => (isMatch(record) ? [] : toId(record))));
        const messages = await readAll([...open], read);
        return records.filter(
          (record) => isMatch(record) || isMatch(record, messages.get(toId(record)[0] ?? "")),
        );
      },
    };
  };
}

function parseWords(words: string) {
  try {
    return parseQuery(words);
  } catch (error) {
    if (!(error instanceof QueryFault)) throw error;
    throw new TypeError(`words ${error.message}`, { cause: error });
  }
}

type Chats = { -readonly [Name in "read" | "skipped" | "refused"]: number };

function createLimited(
  readChat: ReadChat,
  chats: Chats,
  { chatRequests = 0, onChat }: WordsFilterOptions,
) {
  return async (callId: string): Promise<readonly ChatMessage[]> => {
    if (chats.read >= chatRequests) {
      chats.skipped++;
      return [];
    }
    chats.read++;
    const messages = await readChat(callId);
    onChat?.(chats.read);
    if (messages !== "refused") return messages;
    chats.refused++;
    return [];
  };
}

async function readAll(
  ids: readonly string[],
  read: (callId: string) => Promise<readonly ChatMessage[]>,
): Promise<ReadonlyMap<string, readonly ChatMessage[]>> {
  const found = new Map<string, readonly ChatMessage[]>();
  const left = [...ids];
  const work = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) found.set(id, await read(id));
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return found;
}

/** Some services write identifiers as numbers. */
function toId({ call_id }: { readonly call_id?: unknown }): string[] {
  const id = typeof call_id === "number" ? String(call_id) : call_id;
  return typeof id === "string" && id !== "" ? [id] : [];
}
