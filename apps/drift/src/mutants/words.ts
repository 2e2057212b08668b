// Mutants that claim to apply `words` (D30), but do so differently or not at all.
import { matches, parseQuery, toSearched, toStoredDigits, toTokens } from "@call-media/words";
import {
  header,
  status,
  toErrorAnswer,
  whenAsked,
  withBody,
  withHeaders,
} from "../edits/answers.ts";
import {
  foundNothing,
  type Json,
  type JsonObject,
  omit,
  parseSuccess,
  toText,
} from "../edits/json.ts";
import { asIf, queryOf, seesAll, withAuthorization, withQuery } from "../edits/requests.ts";
import { type ByWords, searching } from "../edits/search.ts";
import type { Answer, Mutate, ProxyRequest } from "../exchange.ts";
import { SEARCHES, type Mutant, toMutants } from "./mutant.ts";

const wordsOf = (request: ProxyRequest): string => queryOf(request, "words");
const hasWords = (request: ProxyRequest): boolean => wordsOf(request) !== "";

/** Searches for the result of `edit` instead of the words; rejected words are still rejected. */
const reading = (edit: (words: string) => string): Mutate => {
  const other = asIf((request) => withQuery(request, { words: edit(wordsOf(request)) }));
  return whenAsked(hasWords, (answer, request, upstream) =>
    answer.status === 200 ? other(answer, request, upstream) : answer,
  );
};

/** Returns the records for which `finds` is true. */
const finding = (finds: (search: ByWords) => boolean): Mutate =>
  whenAsked(hasWords, searching({ finds }));

const TEXTS = /transcript|notes|name|company/;

const textsOf = (record: JsonObject): string[] =>
  Object.entries(record).flatMap(([field, value]) =>
    TEXTS.test(field) && typeof value === "string" ? [value] : [],
  );

/** True if the record has the words in its own fields. */
const isOwn = (record: JsonObject, words: string): boolean =>
  matches(parseQuery(words), toSearched(record));

/** Omits records that match the words only through these fields. */
const without = (...fields: readonly string[]): Mutate =>
  finding(
    ({ record, words, isFound }) =>
      isFound && (!isOwn(record, words) || isOwn(omit(record, fields), words)),
  );

const isWord = (words: string): boolean => /^\p{L}+$/u.test(words);

/** Finds a word of the record only if its text contains the word in the form of `toForm`. */
const writtenAs = (toForm: (text: string) => string): Mutate =>
  finding(
    ({ record, words, isFound }) =>
      isFound &&
      (!isWord(words) ||
        !isOwn(record, words) ||
        textsOf(record).some((text) => toForm(text).includes(toForm(words)))),
  );

const numbersOf = (record: JsonObject): string[] =>
  toSearched(record).numbers.map((number) => toStoredDigits(number));

/** The response with another number of records, if it has one. */
const withCount = (answer: Answer, count: Json): Answer => {
  const page = parseSuccess(answer);
  const range = answer.headers["content-range"]?.replace(/\d+$/, toText(count));
  const counted = range === undefined ? answer : withHeaders(answer, { "content-range": range });
  return page !== undefined && "recordCount" in page
    ? withBody(counted, JSON.stringify({ ...page, recordCount: count }))
    : counted;
};

const saysWords = (answer: Answer) => withHeaders(answer, { "preference-applied": "words" });

type Row = readonly [id: string, says: string, mutate: Mutate];

const rows: readonly Row[] = [
  ["words-ignored", "words are ignored", finding(() => true)],
  [
    "words-any",
    "one of the words is enough",
    finding(
      ({ record, words, isFound }) =>
        isFound ||
        (/^\p{L}+( \p{L}+)+$/u.test(words) && words.split(" ").some((word) => isOwn(record, word))),
    ),
  ],
  [
    "words-first-alone",
    "of several words the first counts",
    reading((words) => words.split(" ")[0] ?? ""),
  ],
  [
    "words-in-order",
    "words have to stand in their order",
    finding(
      ({ record, words, isFound }) =>
        isFound &&
        (!/^\p{L}+ \p{L}+$/u.test(words) ||
          !isOwn(record, words) ||
          toTokens(textsOf(record).join(" "))
            .map(({ text }) => text)
            .join(" ")
            .search(new RegExp(words.replace(" ", ".*"), "s")) !== -1),
    ),
  ],
  [
    "words-at-most-ten",
    "words after the tenth are refused",
    (answer, request) =>
      wordsOf(request).split(" ").filter(isWord).length > 10 && answer.status === 200
        ? toErrorAnswer(answer, 400, "words has more than 10 words")
        : answer,
  ],
  [
    "words-punctuation-asked-for",
    "an item without a letter or digit finds nothing",
    finding(({ words, isFound }) => isFound && !words.includes(" -")),
  ],
  ["words-not-in-transcript", "transcripts are not searched", without("transcript")],
  [
    "words-not-in-disposition-notes",
    "disposition notes are not searched",
    without("disposition_notes"),
  ],
  ["words-not-in-company", "companies are not searched", without("company")],
  [
    "words-not-in-first-name",
    "first names are not searched",
    without("customer_first_name", "customer_last_name"),
  ],
  [
    "words-not-in-phone-number2",
    "the second phone number is not searched",
    without("phone_number2"),
  ],
  [
    "words-not-in-chat",
    "chats are not searched",
    finding(({ record, words, isFound }) => isFound && isOwn(record, words)),
  ],
  [
    "words-case-matters",
    "letter case matters",
    writtenAs((text) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "")),
  ],
  ["words-accents-matter", "accents matter", writtenAs((text) => text.toLowerCase())],
  [
    "words-accents-of-the-query-matter",
    "words with an accent find nothing",
    finding(({ words, isFound }) => isFound && !/\p{M}/u.test(words.normalize("NFD"))),
  ],
  [
    "words-substring",
    "a part of a word is enough",
    finding(
      ({ record, words, isFound }) =>
        isFound ||
        (isWord(words) && textsOf(record).some((text) => text.toLowerCase().includes(words))),
    ),
  ],
  [
    "words-prefix",
    "the beginning of a word is enough",
    reading((words) => (isWord(words) && /^\w/.test(words) ? `${words}*` : words)),
  ],
  ["words-star-ignored", "a star is ignored", reading((words) => words.replaceAll("*", ""))],
  [
    "words-star-anywhere",
    "with a star a part within a word is enough",
    finding(
      ({ record, words, isFound }) =>
        isFound ||
        (words.endsWith("*") &&
          textsOf(record).some((text) => text.toLowerCase().includes(words.slice(0, -1)))),
    ),
  ],
  [
    "words-phrase-ignored",
    "quotation marks are ignored",
    reading((words) => words.replaceAll('"', " ")),
  ],
  [
    "words-phrase-any-order",
    "the words of a phrase may stand in any order next to each other",
    finding(
      ({ record, words, isFound }) =>
        isFound ||
        (words.startsWith('"') &&
          isOwn(record, `"${words.replaceAll('"', "").split(" ").toReversed().join(" ")}"`)),
    ),
  ],
  [
    "words-phrase-over-fields",
    "a phrase may begin in one field and end in the next",
    finding(
      ({ record, words, isFound }) =>
        isFound || (words.startsWith('"') && isOwn({ notes: textsOf(record).join(" ") }, words)),
    ),
  ],
  [
    "words-runs-whole",
    "a text without spaces is one word",
    finding(
      ({ record, words, isFound }) =>
        isFound &&
        (!/^\p{Script=Han}+$/u.test(words) ||
          textsOf(record).some((text) => text.split(/[^\p{Script=Han}]+/u).includes(words))),
    ),
  ],
  [
    "words-number-whole",
    "a number is found by all of its digits alone",
    finding(
      ({ record, words, isFound }) =>
        isFound && (!/^\d{4}$/.test(words) || numbersOf(record).includes(words)),
    ),
  ],
  [
    "words-number-anywhere",
    "a number is found by digits within it",
    finding(
      ({ record, words, isFound }) =>
        isFound ||
        (/^\d+$/.test(words) && numbersOf(record).some((number) => number.includes(words))),
    ),
  ],
  [
    "words-country-code-matters",
    "a number with a country code that is not stored finds nothing",
    finding(({ words, isFound }) => isFound && !words.startsWith("+")),
  ],
  [
    "words-groups-apart",
    "digits with blanks between them are not read as a number",
    finding(({ words, isFound }) => isFound && !/^0\d+ \d/.test(words)),
  ],
  [
    "words-alone-count",
    "with words the filter is ignored",
    whenAsked(hasWords, searching({ matches: () => true })),
  ],
  [
    "words-any-day",
    "with words the days are ignored",
    whenAsked(
      hasWords,
      asIf((request) => withQuery(request, { startDate: "1970-01-01", endDate: "2099-12-31" })),
    ),
  ],
  [
    "words-uncounted",
    "counts are of a search without words",
    whenAsked(hasWords, async (answer, request, { ask }) => {
      const custom = { ...request, pathname: "/metadata/by-custom-fields" };
      const all = parseSuccess(await ask(withQuery(custom, { words: undefined })));
      return withCount(answer, all?.recordCount ?? 0);
    }),
  ],
  [
    "words-count-tells-hidden",
    "counts are of hidden records too",
    whenAsked(hasWords, async (answer, request, { ask, adminKey }) => {
      const custom = { ...request, pathname: "/metadata/by-custom-fields" };
      const seen = await ask(withAuthorization(custom, `Bearer ${adminKey}`));
      return withCount(answer, parseSuccess(seen)?.recordCount ?? 0);
    }),
  ],
  ["words-for-all", "words find every record for every caller", whenAsked(hasWords, seesAll)],
  [
    "words-tell-hidden",
    "words that only hidden records have are answered 403",
    whenAsked(hasWords, async (answer, request, upstream) => {
      const seen = await seesAll(answer, request, upstream);
      return foundNothing(answer) && !foundNothing(seen)
        ? toErrorAnswer(answer, 403, "not allowed")
        : answer;
    }),
  ],
  [
    "words-on-the-first-page",
    "pages after the first are of a search without words",
    (answer, request, upstream) =>
      hasWords(request) && queryOf(request, "pageIndex") !== "0"
        ? searching({ finds: () => true })(answer, request, upstream)
        : answer,
  ],
  [
    "words-not-in-link",
    "the link to the next page has no words",
    header("link", (link) => link.replace(/&words=[^&>]*/, "")),
  ],
  [
    "words-oldest-first",
    "with words the oldest come first",
    whenAsked(hasWords, searching({ order: (records) => records.toReversed() })),
  ],
  [
    "words-only-if-preferred",
    "words are ignored without Prefer",
    (answer, request, upstream) =>
      hasWords(request) && request.headers.prefer === undefined
        ? searching({ finds: () => true })(answer, request, upstream)
        : answer,
  ],
  [
    "words-always-applied",
    "every search says that words were applied",
    (answer) => (answer.status === 200 ? saysWords(answer) : answer),
  ],
  [
    "words-not-beside-count",
    "count=exact hides words in Preference-Applied",
    header("preference-applied", (applied) => applied.replace(", words", "")),
  ],
  [
    "words-not-varied",
    "Vary does not name Prefer",
    (answer) => withHeaders(answer, { vary: "Accept-Encoding" }),
  ],
  [
    "words-unclosed-taken",
    "a quotation mark may stay open",
    (answer, request, { ask }) =>
      answer.status === 400 && wordsOf(request).startsWith('"')
        ? ask(withQuery(request, { words: wordsOf(request).replaceAll('"', "") }))
        : answer,
  ],
  [
    "words-long-taken",
    "words of any length find what their beginning finds",
    (answer, request, { ask }) =>
      answer.status === 400 && wordsOf(request).length > 1000
        ? ask(withQuery(request, { words: wordsOf(request).slice(0, 100) }))
        : answer,
  ],
  [
    "words-controls-taken",
    "control characters are ignored",
    (answer, request, { ask }) =>
      // oxlint-disable-next-line no-control-regex -- these are accepted
      answer.status === 400 && /[\0\x07]/.test(wordsOf(request))
        ? // oxlint-disable-next-line no-control-regex -- these are accepted
          ask(withQuery(request, { words: wordsOf(request).replaceAll(/[\0\x07]/g, " ") }))
        : answer,
  ],
  [
    "words-twice-taken",
    "of words that are given twice the last counts",
    (answer, request, { ask }) =>
      answer.status === 400 && /words=.*&words=/.test(request.query)
        ? ask({ ...request, query: request.query.replace(/words=[^&]*&/, "") })
        : answer,
  ],
  [
    "words-surrogates-taken",
    "half of a surrogate pair is ignored",
    (answer, request, { ask }) =>
      answer.status === 400 && request.query.includes("%ED%A0%80")
        ? ask({ ...request, query: request.query.replace("%ED%A0%80", "refund") })
        : answer,
  ],
  [
    "words-refused-without-name",
    "a refusal does not say that words are wrong",
    (answer, request) =>
      hasWords(request) && answer.status === 400
        ? toErrorAnswer(answer, 400, "The query cannot be read")
        : answer,
  ],
  [
    "words-refused-422",
    "words that cannot be read are answered 422",
    whenAsked(hasWords, status(400, 422)),
  ],
];

export const words: readonly Mutant[] = [
  ...toMutants("words", "decision", {
    "words-need-a-filter": [
      "searchMetadata",
      "an empty filter is refused with words too",
      (answer, request) =>
        hasWords(request) && request.body.toString() === "{}" && answer.status === 200
          ? toErrorAnswer(answer, 400, "a filter is needed")
          : answer,
    ],
    "words-by-custom-fields-alone": [
      "searchMetadata",
      "the search by named fields does not know words",
      whenAsked(
        hasWords,
        asIf(({ headers: { prefer: _prefer, ...headers }, ...request }) =>
          withQuery({ ...request, headers }, { words: undefined }),
        ),
      ),
    ],
  }),
  ...rows.map(([id, says, mutate]): Mutant => ({
    id,
    class: "words",
    operation: SEARCHES,
    contract: "decision",
    says,
    mutate,
  })),
];
