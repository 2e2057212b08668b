// Words, names and numbers on the command line: one query for the service (D30), and the tests made here.
import type { CallRecord } from "@call-media/client";
import { createWordsFilter } from "@call-media/client/words";
import { matches, parseQuery, type Query, QueryFault, toSearched } from "@call-media/words";
import type { Command } from "commander";
import { toWholeNumber, UsageError } from "@call-media/terminal";
import type { Wanted } from "./wanted.ts";

export interface WordsFlags {
  readonly words?: string;
  readonly who?: string;
  readonly phone?: string;
  readonly chatRequests?: number;
}

/** The query, in addition to values of fields. */
export interface WantedWords {
  /** For a search of the client. */
  readonly search: Pick<Wanted, "words" | "filterWords">;
  /** For snippets. */
  readonly query: Query;
  /** Tests that names and numbers are in the right fields, because the service also searches in texts. */
  readonly isMet: (record: CallRecord) => boolean;
  /** True if every record that the service finds meets it. */
  readonly isByWords: boolean;
}

interface Events {
  /** Called once, before the first chat is read, if the service does not search by words. */
  readonly onFilteredHere: (chatRequests: number) => void;
  readonly onChat: (requests: number) => void;
}

/** Maximum number of chats to read if the service does not search by words. */
const CHAT_REQUESTS = 1000;

export const WORDS_HELP = `
--words finds calls in whose transcript, chat, notes, names or numbers all the words occur, whatever their letter case
and accents: "..." is a phrase, refund* a beginning, four digits or more the end of a number. --who finds a name of an
agent, the customer or the company, --phone a number of the call with any separators or country code. If the service
does not search by words, all that the other options find is read and compared here, with at most --chat-requests chats.`;

export function addWordsOptions(command: Command): Command {
  return command
    .option("--words <words>", "calls in which these words were said or written")
    .option("--who <name>", "calls of an agent, a customer or a company of this name")
    .option("--phone <number>", "calls from or to this number")
    .option(
      "--chat-requests <n>",
      `chats to read if the service does not search by words (default ${CHAT_REQUESTS})`,
      toWholeNumber(0),
    );
}

/**
 * Undefined if no option is given.
 *
 * @throws UsageError that names the option.
 */
export function readWords(flags: WordsFlags, events: Events): WantedWords | undefined {
  const { words, who, phone } = flags;
  const names = who === undefined ? undefined : readName(who);
  const numbers = phone === undefined ? undefined : readPhone(phone);
  if (words !== undefined) parseWords("--words", words);
  const text = [words, names?.text, numbers?.text].filter((part) => part !== undefined).join(" ");
  if (text === "") return undefined;
  // Names and numbers are in the record, so chats are only read for words.
  const { chatRequests = CHAT_REQUESTS } = flags;
  const most = words === undefined ? 0 : chatRequests;
  const open = createWordsFilter({ chatRequests: most, onChat: events.onChat });
  return {
    search: {
      words: text,
      filterWords: (given, readChat) => {
        const filter = open(given, readChat);
        let isTold = false;
        return {
          chats: filter.chats,
          filter: (records) => {
            if (!isTold) events.onFilteredHere(most);
            isTold = true;
            return filter.filter(records);
          },
        };
      },
    },
    query: parseWords("--words", text),
    isByWords: who === undefined && phone === undefined,
    isMet: (record) => (names?.isMet(record) ?? true) && (numbers?.isMet(record) ?? true),
  };
}

function readName(who: string) {
  if (/["*]/.test(who)) throw new UsageError('--who is a name, without " and *');
  const text = `"${who.trim()}"`;
  const query = parseWords("--who", text);
  const isMet = ({ transcript: _1, notes: _2, disposition_notes: _3, ...record }: CallRecord) =>
    matches(query, { ...toSearched(record), numbers: [] });
  return { text, isMet };
}

/** Unchanged: the comparison ignores separators and the country code. */
function readPhone(phone: string) {
  const digits = phone.replaceAll(/\D/g, "").length;
  if (!/^[\d\s+().\-/]+$/.test(phone) || digits < 4)
    throw new UsageError(
      `--phone is a number or its last digits, four at least, not ${JSON.stringify(phone)}`,
    );
  const text = `"${phone.trim()}"`;
  const query = parseWords("--phone", text);
  const isMet = (record: CallRecord) => matches(query, { ...toSearched(record), texts: [] });
  return { text, isMet };
}

/** @throws UsageError that names the option. */
export function parseWords(option: string, text: string): Query {
  try {
    return parseQuery(text);
  } catch (error) {
    if (!(error instanceof QueryFault)) throw error;
    throw new UsageError(`${option} ${error.message}`, { cause: error });
  }
}
