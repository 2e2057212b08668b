// What the search finds, and how the index of it is read: the same where it is made and where it is looked through.
import type { Options } from "minisearch";

/** One place that can be found. */
export interface Passage {
  readonly id: string;
  /** Address, relative to the first page. */
  readonly href: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

/** call_id and --call-id are found by their words as well as whole. */
export function tokenize(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? [];
  return words.flatMap((word) => (/[_-]/.test(word) ? [word, ...word.split(/[_-]+/)] : word));
}

export const SEARCH_OPTIONS: Options<Passage> = {
  fields: ["title", "text"],
  storeFields: ["href", "page", "title"],
  tokenize,
  searchOptions: {
    boost: { title: 4 },
    // What has changed is rarely what somebody seeks.
    boostDocument: (id) => (String(id).startsWith("changes#") ? 0.2 : 1),
    prefix: true,
    fuzzy: 0.15,
    // Else a title like the word, React for redact, goes before every text that has it.
    weights: { fuzzy: 0.01, prefix: 0.375 },
    combineWith: "AND",
  },
};
