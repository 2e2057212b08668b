// Defines searches by words (D30) once, for every adapter, the client and the code that shows hits.
export {
  type FoldedText,
  foldLetters,
  foldText,
  MAX_TOKEN_UNITS,
  toTokens,
  type Token,
} from "./tokens.ts";
export { foldCase } from "./case.ts";
export { MIN_ENDING, toEnding, toStoredDigits, toTypedEnding } from "./numbers.ts";
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
  isNumberField,
  listSources,
  type SearchedMessage,
  type SearchedRecord,
  type Searched,
  type Source,
  toSearched,
} from "./sources.ts";
export { findOperator, hasBeginning, listWider, toExact, type WiderForm } from "./wider.ts";
export { type Snippet, type SnippetOptions, toSnippets } from "./snippets.ts";
