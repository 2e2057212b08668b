// The terms of a call: of its filled fields, of the words of its texts and chat, and of its phone numbers (D30).
import type { DatabaseSync } from "node:sqlite";
import { MAX_TOKEN_UNITS, toSearched, toStoredDigits, toTokens } from "@call-media/words";
import type { MetadataRecord } from "../../port/index.ts";
import {
  createPartTerms,
  createTermsOf,
  INDEXED_FIELDS,
  toNumberTerm,
} from "../../values/terms.ts";
import { createChatReader } from "../chats.ts";
import { readSetting } from "../settings.ts";
import { MIN_DIGITS, toNumberTerm as toTermOfNumber } from "./number-terms.ts";
import { hasWordCodes } from "./index-format.ts";
import { createTermSet } from "./term-set.ts";
import { isWholeCode, toWordCode } from "./word-codes.ts";

/** The field of `createTerms` that stands for words; the contract has no field of this name. */
export const WORD = "word";

/** Collects each word of the calls to write once, for the table `word`. */
export interface WordList {
  /** True for a term that is new, or was dropped from memory; its word must then be added. */
  isNew(term: number): boolean;
  add(word: string): void;
  /** Returns all collected words and clears the list. */
  take(): string[];
}

/** This number of terms takes 12 to 24 MB: most words of an import occur in its first calls. */
const MAX_KNOWN = 500_000;

export function createWordList(): WordList {
  const known = createTermSet();
  let words: string[] = [];
  return {
    isNew: (term) => known.add(term),
    add: (word) => void words.push(word),
    take: () => {
      const taken = words;
      words = [];
      if (known.size() > MAX_KNOWN) known.clear();
      return taken;
    },
  };
}

/** Throws `StoreFault` for a damaged chat, unless the chat is left out. */
export type TermLister = (
  record: MetadataRecord,
  words?: WordList,
  hasChat?: boolean,
) => Float64Array;

/** Makes the terms of records, each once; chats are read from the archive. */
export function createTermLister(database: DatabaseSync): TermLister {
  const seed = readSetting(database, "index_seed");
  const fields = INDEXED_FIELDS.map((field) => ({
    field,
    toTerm: createTermsOf(seed, field, toNumberTerm),
  }));
  const readChat = createChatReader(database);
  const toHash = createPartTerms(seed, WORD);
  const hasCodes = hasWordCodes(database);
  const known = createTermSet();
  let terms = new Float64Array(2 ** 10);
  let count = 0;
  let words: WordList | undefined;
  const add = (term: number): boolean => {
    if (!known.add(term)) return false;
    if (count === terms.length) terms = lengthen(terms);
    terms[count] = term;
    count += 1;
    return true;
  };

  /** True for a word that the dictionary may lack. */
  const addWord = (text: string, from: number, until: number): boolean => {
    if (hasCodes) {
      add(toWordCode(text, from, until));
      if (isWholeCode(text, from, until)) return false;
    }
    const hash = toHash(text, from, until);
    return add(hash) && (words?.isNew(hash) ?? false);
  };
  const addText = (text: string): void => {
    if (!ASCII.test(text)) {
      for (const { text: token } of toTokens(text))
        if (addWord(token, 0, token.length)) words?.add(token);
      return;
    }
    // The same as `toTokens`, but without making a string for each word: most are known.
    for (let at = 0; at < text.length; at += 1) {
      if (IN_WORD[text.charCodeAt(at)] === 0) continue;
      const from = at;
      while (at < text.length && IN_WORD[text.charCodeAt(at)] === 1) at += 1;
      const until = Math.min(at, from + MAX_TOKEN_UNITS);
      if (addWord(text, from, until)) words?.add(text.slice(from, until).toLowerCase());
    }
  };

  return (record, wanted, hasChat = true) => {
    known.clear();
    count = 0;
    words = wanted;
    for (const { field, toTerm } of fields) {
      const value = record[field];
      if (value !== null) add(toTerm(value));
    }
    const { texts, numbers } = toSearched(
      record,
      record.call_id === null || !hasChat ? [] : readChat(record.call_id),
    );
    for (const text of texts) addText(text);
    for (const number of numbers) {
      const digits = toStoredDigits(number);
      if (digits.length >= MIN_DIGITS) add(toTermOfNumber(digits));
    }
    return terms.slice(0, count);
  };
}

const ASCII = /^[\0-\x7f]*$/;

const IN_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[0-9A-Za-z]/.test(String.fromCharCode(code))),
);

function lengthen(terms: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(terms.length * 2);
  longer.set(terms);
  return longer;
}
