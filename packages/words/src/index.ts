// What a search by words means (D30), the same for every adapter, the client and whoever shows a hit.
export { type FoldedText, foldText, MAX_TOKEN_UNITS, toTokens, type Token } from "./tokens.ts";
export { MIN_ENDING, toEnding, toStoredDigits } from "./numbers.ts";
export {
  type Alternative,
  type Group,
  type Item,
  MAX_QUERY_CHARACTERS,
  MAX_QUERY_TOKENS,
  type NumberEnding,
  parseQuery,
  type Phrase,
  type Query,
  QueryFault,
} from "./query.ts";
export { matches } from "./matches.ts";
export {
  listSources,
  type SearchedMessage,
  type SearchedRecord,
  type Searched,
  type Source,
  toSearched,
} from "./sources.ts";
export { type Snippet, type SnippetOptions, toSnippets } from "./snippets.ts";
