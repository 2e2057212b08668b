// Mutants that claim to apply `words` (D30), but do so differently or not at all.
import { matches, parseQuery, toSearched, toStoredDigits, toTokens } from "@call-media/words";
import {
  header,
  refused,
  status,
  toErrorAnswer,
  when,
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
import {
  asIf,
  asIfQuery,
  queryOf,
  seesAll,
  withAuthorization,
  withQuery,
} from "../edits/requests.ts";
import { type ByWords, searching } from "../edits/search.ts";
import type { Answer, Mutate, ProxyRequest } from "../exchange.ts";
import { type Deviation, SEARCHES, type Mutant, toMutants } from "./mutant.ts";

const wordsOf = (request: ProxyRequest): string => queryOf(request, "words");
const hasWords = (request: ProxyRequest): boolean => wordsOf(request) !== "";
const withWords = (mutate: Mutate): Mutate => whenAsked(hasWords, mutate);

/** Searches for other words; rejected words are still rejected. */
const reading = (edit: (words: string) => string): Mutate =>
  withWords(
    when(
      200,
      asIf((request) => withQuery(request, { words: edit(wordsOf(request)) })),
    ),
  );

/** Reads words that are refused as others. */
const taking = (edit: (words: string) => string): Mutate =>
  when(
    400,
    asIf((request) => {
      const words = wordsOf(request);
      return edit(words) === words ? request : withQuery(request, { words: edit(words) });
    }),
  );

/** Reads a query that is refused as another one. */
const takingQuery = (edit: (query: string) => string): Mutate =>
  when(
    400,
    asIf((request) => {
      const query = edit(request.query);
      return query === request.query ? request : { ...request, query };
    }),
  );

type Finds = (search: ByWords) => boolean;

/** Returns the records for which `finds` is true. */
const finding = (finds: Finds): Mutate => withWords(searching({ finds }));
const losing = (keeps: Finds) => finding((search) => search.isFound && keeps(search));
const adding = (finds: Finds) => finding((search) => search.isFound || finds(search));

const TEXTS = /transcript|notes|name|company/;

const textsOf = (record: JsonObject): string[] =>
  Object.entries(record).flatMap(([field, value]) =>
    TEXTS.test(field) && typeof value === "string" ? [value] : [],
  );
const hasText = (record: JsonObject, fits: (text: string) => boolean) => textsOf(record).some(fits);

/** True if the record has the words in its own fields. */
const isOwn = (record: JsonObject, words: string): boolean =>
  matches(parseQuery(words), toSearched(record));

/** Omits records that match the words only through these fields. */
const without = (...fields: readonly string[]): Mutate =>
  losing(({ record, words }) => !isOwn(record, words) || isOwn(omit(record, fields), words));

const isWord = (words: string): boolean => /^\p{L}+$/u.test(words);

/** Finds a word of the record only if its text contains the word in the form of `toForm`. */
const writtenAs = (toForm: (text: string) => string): Mutate =>
  losing(
    ({ record, words }) =>
      !isWord(words) ||
      !isOwn(record, words) ||
      hasText(record, (text) => toForm(text).includes(toForm(words))),
  );

const hasInOrder = (record: JsonObject, words: string): boolean =>
  toTokens(textsOf(record).join(" "))
    .map(({ text }) => text)
    .join(" ")
    .search(new RegExp(words.replace(" ", ".*"), "s")) !== -1;

const toReversed = (phrase: string) =>
  `"${phrase.replaceAll('"', "").split(" ").toReversed().join(" ")}"`;

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

/** Returns the counts of another search. */
const counting = (toOther: (request: ProxyRequest, adminKey: string) => ProxyRequest): Mutate =>
  withWords(async (answer, request, { ask, adminKey }) => {
    const custom = { ...request, pathname: "/metadata/by-custom-fields" };
    const other = await ask(toOther(custom, adminKey));
    return withCount(answer, parseSuccess(other)?.recordCount ?? 0);
  });

const unsearched = searching({ finds: () => true });

const tellsHidden = withWords(async (answer, request, upstream) => {
  const seen = await seesAll(answer, request, upstream);
  return foundNothing(answer) && !foundNothing(seen)
    ? toErrorAnswer(answer, 403, "not allowed")
    : answer;
});

// oxlint-disable-next-line no-control-regex -- these are accepted
const CONTROLS = /[\0\x07]/g;

const ofSearches: Readonly<Record<string, Deviation | Mutate>> = {
  "words-ignored": finding(() => true),
  "words-any": [
    "one of the words is enough",
    adding(
      ({ record, words }) =>
        /^\p{L}+( \p{L}+)+$/u.test(words) && words.split(" ").some((word) => isOwn(record, word)),
    ),
  ],
  "words-first-alone": reading((words) => words.split(" ")[0] ?? ""),
  "words-in-order": losing(
    ({ record, words }) =>
      !/^\p{L}+ \p{L}+$/u.test(words) || !isOwn(record, words) || hasInOrder(record, words),
  ),
  "words-at-most-ten": whenAsked(
    (request) => wordsOf(request).split(" ").filter(isWord).length > 10,
    when(200, refused(400, "words has more than 10 words")),
  ),
  "words-punctuation-asked-for": [
    "an item without a letter or digit finds nothing",
    losing(({ words }) => !words.includes(" -")),
  ],
  "words-not-in-transcript": without("transcript"),
  "words-not-in-disposition-notes": without("disposition_notes"),
  "words-not-in-company": without("company"),
  "words-not-in-first-name": without("customer_first_name", "customer_last_name"),
  "words-not-in-phone-number2": without("phone_number2"),
  "words-not-in-chat": losing(({ record, words }) => isOwn(record, words)),
  "words-case-matters": writtenAs((text) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "")),
  "words-accents-matter": writtenAs((text) => text.toLowerCase()),
  "words-accents-of-the-query-matter": losing(
    ({ words }) => !/\p{M}/u.test(words.normalize("NFD")),
  ),
  "words-substring": adding(
    ({ record, words }) =>
      isWord(words) && hasText(record, (text) => text.toLowerCase().includes(words)),
  ),
  "words-prefix": reading((words) => (isWord(words) && /^\w/.test(words) ? `${words}*` : words)),
  "words-star-ignored": reading((words) => words.replaceAll("*", "")),
  "words-star-anywhere": [
    "with a star a part within a word is enough",
    adding(
      ({ record, words }) =>
        words.endsWith("*") &&
        hasText(record, (text) => text.toLowerCase().includes(words.slice(0, -1))),
    ),
  ],
  "words-phrase-ignored": reading((words) => words.replaceAll('"', " ")),
  "words-phrase-any-order": adding(
    ({ record, words }) => words.startsWith('"') && isOwn(record, toReversed(words)),
  ),
  "words-phrase-over-fields": adding(
    ({ record, words }) =>
      words.startsWith('"') && isOwn({ notes: textsOf(record).join(" ") }, words),
  ),
  "words-runs-whole": [
    "a text without spaces is one word",
    losing(
      ({ record, words }) =>
        !/^\p{Script=Han}+$/u.test(words) ||
        hasText(record, (text) => text.split(/[^\p{Script=Han}]+/u).includes(words)),
    ),
  ],
  "words-number-whole": [
    "a number is found by all of its digits alone",
    losing(({ record, words }) => !/^\d{4}$/.test(words) || numbersOf(record).includes(words)),
  ],
  "words-number-anywhere": [
    "a number is found by digits within it",
    adding(
      ({ record, words }) =>
        /^\d+$/.test(words) && numbersOf(record).some((number) => number.includes(words)),
    ),
  ],
  "words-country-code-matters": [
    "a number with a country code that is not stored finds nothing",
    losing(({ words }) => !words.startsWith("+")),
  ],
  "words-groups-apart": [
    "digits with blanks between them are not read as a number",
    losing(({ words }) => !/^0\d+ \d/.test(words)),
  ],
  "words-alone-count": [
    "with words the filter is ignored",
    withWords(searching({ matches: () => true })),
  ],
  "words-any-day": withWords(asIfQuery({ startDate: "1970-01-01", endDate: "2099-12-31" })),
  "words-uncounted": [
    "counts are of a search without words",
    counting((request) => withQuery(request, { words: undefined })),
  ],
  "words-count-tells-hidden": counting((request, adminKey) =>
    withAuthorization(request, `Bearer ${adminKey}`),
  ),
  "words-for-all": withWords(seesAll),
  "words-tell-hidden": ["words that only hidden records have are answered 403", tellsHidden],
  "words-on-the-first-page": [
    "pages after the first are of a search without words",
    whenAsked((request) => hasWords(request) && queryOf(request, "pageIndex") !== "0", unsearched),
  ],
  "words-not-in-link": header("link", (link) => link.replace(/&words=[^&>]*/, "")),
  "words-oldest-first": withWords(searching({ order: (records) => records.toReversed() })),
  "words-only-if-preferred": whenAsked(
    (request) => hasWords(request) && !("prefer" in request.headers),
    unsearched,
  ),
  "words-always-applied": when(200, (answer) =>
    withHeaders(answer, { "preference-applied": "words" }),
  ),
  "words-not-beside-count": [
    "count=exact hides words in Preference-Applied",
    header("preference-applied", (applied) => applied.replace(", words", "")),
  ],
  "words-not-varied": (answer) => withHeaders(answer, { vary: "Accept-Encoding" }),
  "words-unclosed-taken": taking((words) =>
    words.startsWith('"') ? words.replaceAll('"', "") : words,
  ),
  "words-long-taken": taking((words) => (words.length > 1000 ? words.slice(0, 100) : words)),
  "words-controls-taken": taking((words) => words.replaceAll(CONTROLS, " ")),
  "words-twice-taken": takingQuery((query) => query.replace(/words=[^&]*&(?=.*words=)/, "")),
  "words-surrogates-taken": takingQuery((query) => query.replace("%ED%A0%80", "refund")),
  "words-refused-without-name": withWords(when(400, refused(400, "The query cannot be read"))),
  "words-refused-422": withWords(status(400, 422)),
};

export const words: readonly Mutant[] = toMutants("words", "decision", {
  "words-need-a-filter": [
    "searchMetadata",
    "an empty filter is refused with words too",
    whenAsked(
      (request) => hasWords(request) && request.body.toString() === "{}",
      when(200, refused(400, "a filter is needed")),
    ),
  ],
  "words-by-custom-fields-alone": [
    "searchMetadata",
    "the search by named fields does not know words",
    withWords(
      asIf((request) =>
        withQuery(withHeaders(request, { prefer: undefined }), { words: undefined }),
      ),
    ),
  ],
  ...Object.fromEntries(
    Object.entries(ofSearches).map(([id, one]) => [
      id,
      [SEARCHES, ...(typeof one === "function" ? ([one] as const) : one)],
    ]),
  ),
});
