// Proves the results of a search by words: hits, counts, pages, links, order, days and the headers that report it (D30).
import { findDisorder } from "../../laws/order.ts";
import { findLink } from "../../values/pages.ts";
import { parseMoment } from "../../values/moments.ts";
import { addDays } from "../archive/days.ts";
import { findMissing, toCounted, toName, toSet, toText } from "../archive/records.ts";
import { PAGE_SIZE } from "../archive/window.ts";
import { isObject, type JsonObject } from "@call-media/contract-diff";
import type { Answer } from "../../ask.ts";
import { recordsOf } from "../answer.ts";
import { findCommonFilter, selectEqual } from "../checks/filter-values.ts";
import { unless } from "../run.ts";
import { findFault, type Hits, readHits, saysApplied, type Searcher, searchWords } from "./hits.ts";
import { listRareWords, type Probe, richest } from "./probe.ts";
import type { Vocabulary } from "./vocabulary.ts";

export async function proveProbe(searcher: Searcher, probe: Probe): Promise<void> {
  const { run, entries } = searcher;
  const hits = await readHits(searcher, probe);
  const { filter } = probe;
  const fitting =
    filter === undefined
      ? entries
      : entries.filter(({ record }) => selectEqual([record], filter).length > 0);
  const fault = await findFault({ ...searcher, entries: fitting }, probe, hits);
  run.prove(probe.id, hits.answers[0], fault);
  proveEach(searcher, hits);
}

/** Responses by custom fields always have a count. All responses to `Prefer: words` report that words were applied. */
function proveEach({ run, entries }: Searcher, { answers, records, isWhole }: Hits): void {
  for (const answer of answers.filter(({ isSuccess }) => isSuccess)) {
    const fault = "the answer does not say that words were applied";
    run.prove("words.applied", answer, unless(saysApplied(answer), fault));
    const count = isObject(answer.json) ? answer.json["recordCount"] : undefined;
    if (!isWhole || count === undefined || records.length === entries.length) continue;
    const isRight = count === records.length;
    const counted = `recordCount is ${toText(count)}; the words find ${toCounted(records)}`;
    run.prove("words.count", answer, unless(isRight, counted));
  }
}

/** The pages of a common word, with their links, counts and order. */
export async function provePages(searcher: Searcher, words: string): Promise<void> {
  const { run, operation } = searcher;
  const probe: Probe = { id: "words.pages", about: "the pages of a word", words };
  const hits = await readHits(searcher, probe);
  const [first] = hits.answers;
  proveEach(searcher, hits);
  const { pair: [, late] = [] } = findDisorder(hits.records, ["-datetime"]);
  const disorder = isObject(late) ? `${toName(late)} comes after an older one` : undefined;
  run.prove("order.newest", first, disorder);
  if (operation === "searchMetadata") await proveCountHeader(searcher, words, hits);
  const fault = await findFault(searcher, probe, hits);
  if (fault === undefined && hits.records.length <= PAGE_SIZE)
    return run.skip("words.pages", "no word was found that more than a page of records has");
  run.prove("words.pages", first, fault ?? findPageFault(hits));
}

function findPageFault({ answers, isWhole }: Hits): string | undefined {
  // The last page read has an unknown successor, unless the end was reached.
  for (const [index, answer] of (isWhole ? answers : answers.slice(0, -1)).entries()) {
    const isLast = index === answers.length - 1;
    const records = recordsOf(answer);
    if (!isLast && records.length < PAGE_SIZE)
      return `a page has ${toCounted(records)} and is not the last`;
    const fault = findLinkFault(answer, !isLast);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function findLinkFault({ headers, sent }: Answer, isDue: boolean): string | undefined {
  const link = findLink(headers.get("Link") ?? "");
  if ((link !== undefined) !== isDue)
    return isDue ? "Link is missing" : "Link names a page that is not there";
  const wanted = new URL(sent.url);
  wanted.searchParams.set("pageIndex", String(Number(wanted.searchParams.get("pageIndex")) + 1));
  const toPlain = (url: URL | null) => url && [url.origin, url.pathname, toSorted(url)].join("?");
  if (link === undefined || toPlain(URL.parse(link, sent.url)) === toPlain(wanted))
    return undefined;
  return `Link leads to ${JSON.stringify(link)}, not to ${JSON.stringify(wanted.href)}`;
}

const toSorted = ({ searchParams }: URL): string =>
  [...searchParams]
    .map((pair) => pair.join("="))
    .toSorted()
    .join("&");

async function proveCountHeader(
  searcher: Searcher,
  words: string,
  { records, isWhole }: Hits,
): Promise<void> {
  const { run, entries } = searcher;
  const answer = await searchWords(searcher, { words, prefer: "count=exact, words" });
  const fault = "Prefer: count=exact, words is answered without words in Preference-Applied";
  run.prove("words.applied", answer, unless(saysApplied(answer), fault));
  if (!isWhole || records.length === entries.length) return;
  const range = answer.headers.get("Content-Range") ?? "missing";
  const isRight = range.split("/")[1] === String(records.length);
  const counted = `Content-Range is ${range}; the words find ${toCounted(records)}`;
  run.prove("words.count", answer, unless(isRight, counted));
}

/** Preference-Applied has `words` only if the request had words and preferred them. Words are applied in any case. */
export async function proveSaid(searcher: Searcher, words: string): Promise<void> {
  const { run, operation, entries } = searcher;
  const preferred = await searchWords(searcher, { words, prefer: "words" });
  const plain = await searchWords(searcher, { words });
  const isSame = toSet(recordsOf(preferred)) === toSet(recordsOf(plain));
  const unlike = `with Prefer: words ${toCounted(recordsOf(preferred))} come, without it ${toCounted(recordsOf(plain))}`;
  run.prove("words.applied", plain, unless(isSame, unlike));
  const all = entries.map(({ record }) => record);
  const filter = operation === "searchMetadata" ? (findCommonFilter(all) ?? {}) : {};
  const without = await searchWords(searcher, { filter, prefer: "words" });
  proveUnsaid(searcher, plain, "words that were not preferred");
  proveUnsaid(searcher, without, "a search without words");
  const vary = preferred.headers.get("Vary") ?? "missing";
  const isVaried = /(?:^|[,\s])(?:prefer|\*)(?:[,\s]|$)/i.test(vary);
  run.prove("words.applied", preferred, unless(isVaried, `Vary is ${vary}, without Prefer`));
}

function proveUnsaid({ run }: Searcher, answer: Answer, about: string): void {
  const fault = `${about}: Preference-Applied says that words were applied`;
  run.prove("words.applied", answer, unless(!saysApplied(answer), fault));
}

/** Days whose records all have the word, and records of later days that also have it. */
interface Days {
  readonly words: string;
  readonly endDate: string;
  readonly within: readonly JsonObject[];
}

/** Leaves a margin of one day for other time zones. */
export async function proveDays(searcher: Searcher, vocabulary: Vocabulary): Promise<void> {
  const { run, window } = searcher;
  const { startDate } = window.search;
  const chosen = chooseDays(vocabulary, addDays(startDate, 1));
  if (chosen === undefined)
    return run.skip("words.days", "no word was found that records of different days have");
  const { words, endDate, within } = chosen;
  const { answers, records } = await readHits(searcher, { words, days: { startDate, endDate } });
  const [lost] = findMissing(within, records);
  const late = records.find((record) => dayOf(record) > addDays(endDate, 1));
  const fault =
    lost === undefined
      ? late && `${toName(late)} is found, which is later than the days asked for`
      : `${toName(lost)} is not found, which is of the days asked for`;
  run.prove("words.days", answers[0], fault);
}

const dayOf = ({ datetime }: JsonObject): string => parseMoment(datetime)?.day ?? "";

function chooseDays(vocabulary: Vocabulary, start: string): Days | undefined {
  for (const entry of richest(vocabulary))
    for (const { token } of listRareWords(entry, vocabulary)) {
      const having = (vocabulary.having.get(token) ?? []).map(({ record }) => record);
      const days = having.map(dayOf).filter((day) => day >= start);
      const [first = "", last = ""] = [days.toSorted()[0], days.toSorted().at(-1)];
      if (first === "" || last <= addDays(first, 2)) continue;
      const within = having.filter((record) => dayOf(record) === first);
      return { words: token, endDate: addDays(first, 1), within };
    }
  return undefined;
}
