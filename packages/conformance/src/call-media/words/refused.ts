// Malformed words: each gets status 400, and the message names `words` (D30).
import { isObject } from "@call-media/contract-diff";
import type { Answer } from "../../ask.ts";
import { routeOf } from "../answer.ts";
import { toText } from "../archive/records.ts";
import { searchOf } from "../archive/window.ts";
import { type Searcher, searchWords } from "./hits.ts";

/** A URL of 100 KB is left out: the edge of a service may reject far shorter ones. */
const WRONG: readonly (readonly [what: string, toWords: (word: string) => string])[] = [
  ["a quotation mark that is not closed", (word) => `"${word}`],
  ["a star alone", () => "*"],
  ["nothing but stars", () => "** * ***"],
  ["a star after one letter", () => "a*"],
  ["a star inside a word", (word) => `${word}*${word}`],
  ["33 words", (word) => Array.from({ length: 33 }, () => word.slice(0, 20)).join(" ")],
  ["1,000 words", () => Array.from({ length: 1000 }, () => "word").join(" ")],
  ["1,001 characters", () => "x".repeat(1001)],
  ["NUL", (word) => `${word}\0${word}`],
  ["a control character", (word) => `${word}\u0007`],
  ["nothing but punctuation", () => " - ! "],
  ["an empty text", () => ""],
];

/** Percent-encoded. */
const WRONG_BYTES: readonly (readonly [what: string, query: string])[] = [
  ["half of a surrogate pair", "words=%ED%A0%80"],
  ["bytes that are not UTF-8", "words=%FFab"],
  ["words twice", "words=one&words=two"],
];

export async function proveRefused(searcher: Searcher, word: string): Promise<void> {
  const { run, operation, window } = searcher;
  const { query = {}, ...ask } = searchOf({ ...window.search, operation, body: {} }, window.base);
  const texts = Object.entries(query).map(([name, value]) => [name, toText(value)] as const);

  const right = new URLSearchParams(Object.fromEntries(texts)).toString();
  await Promise.all([
    ...WRONG.map(async ([what, toWords]) => {
      const answer = await searchWords(searcher, { words: toWords(word), prefer: "words" });
      prove(searcher, what, answer);
    }),
    ...WRONG_BYTES.map(async ([what, wrong]) => {
      const rawPath = `${routeOf(operation).path}?${right}&${wrong}`;
      prove(searcher, what, await run.ask({ ...ask, rewrite: () => rawPath }));
    }),
  ]);
}

function prove({ run }: Searcher, what: string, answer: Answer): void {
  const { status, json } = answer;
  const message = isObject(json) ? String(json["errorMessage"]) : "";
  const fault =
    status === 400
      ? `${what}: ${JSON.stringify(message)} does not name words`
      : `${what}: the answer is ${status}`;
  const isRight = status === 400 && /\bwords\b/.test(message);
  run.prove("words.refused", answer, isRight ? undefined : { at: what, fault });
}
