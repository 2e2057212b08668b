// Searches by words and compares the hits with the meaning of the words (D30).
import type { Fault } from "../../fingerprint.ts";
import { findMissing, toName } from "../archive/records.ts";
import { callIdOf } from "../archive/sample.ts";
import type { SearchOperation } from "../archive/searches.ts";
import { PAGE_SIZE, searchOf, type Window } from "../archive/window.ts";
import type { JsonObject } from "@call-media/contract-diff";
import type { Answer, Caller } from "../../ask.ts";
import { recordsOf } from "../answer.ts";
import type { Run } from "../run.ts";
import type { Probe } from "./probe.ts";
import { type Entry, isMeant, selectMeant } from "./vocabulary.ts";

export interface Searcher {
  readonly run: Run;
  readonly window: Window;
  readonly operation: SearchOperation;
  /** The records of the window that the caller may see. */
  readonly entries: readonly Entry[];
  /** Default: the first caller. */
  readonly caller?: Caller;
}

export interface WordSearch {
  /** Default: none. */
  readonly words?: string;
  readonly filter?: JsonObject;
  readonly pageIndex?: number;
  /** Default: `words`; undefined for none. */
  readonly prefer?: string | undefined;
  readonly days?: Pick<Window["search"], "startDate" | "endDate">;
}

export async function searchWords(
  { run, window: { base, search }, operation, caller }: Searcher,
  { words, filter = {}, pageIndex = base, days = search, prefer }: WordSearch,
): Promise<Answer> {
  const { startDate, endDate } = days;
  const ask = searchOf({ operation, body: filter, startDate, endDate }, pageIndex);
  return run.recall({
    ...ask,
    query: { ...ask.query, ...(words !== undefined && { words }) },
    ...(prefer !== undefined && { headers: { Prefer: prefer } }),
    ...(caller !== undefined && { caller }),
  });
}

export interface Hits {
  /** The pages with records, or the first. */
  readonly answers: readonly [Answer, ...Answer[]];
  readonly records: readonly JsonObject[];
  /** True if the last page was read. */
  readonly isWhole: boolean;
}

const MAX_PAGES = 4;

export async function readHits(searcher: Searcher, search: WordSearch): Promise<Hits> {
  const { base } = searcher.window;
  const preferred = { prefer: "words", ...search };
  const first = await searchWords(searcher, preferred);
  const answers: [Answer, ...Answer[]] = [first];
  let page = recordsOf(first);
  const records = [...page];
  while (page.length >= PAGE_SIZE && answers.length < MAX_PAGES) {
    const answer = await searchWords(searcher, {
      ...preferred,
      pageIndex: base + answers.length,
    });
    page = recordsOf(answer);
    if (page.length > 0) answers.push(answer);
    records.push(...page);
  }
  return { answers, records, isWhole: page.length < PAGE_SIZE };
}

/** True for a success with `words` in Preference-Applied (RFC 7240, section 3). */
export function saysApplied(answer: Answer): boolean {
  const applied = answer.headers.get("Preference-Applied") ?? "";
  const names = applied.split(",").map((one) => one.split(/[;=]/, 1)[0]?.trim().toLowerCase());
  return answer.isSuccess && names.includes("words");
}

const show = (words: string): string => JSON.stringify(words);

/** A refusal, a missing record or a record without the words. Undefined if the hits are correct. */
export async function findFault(
  searcher: Searcher,
  probe: Omit<Probe, "id">,
  { answers: [first], records, isWhole }: Hits,
): Promise<Fault | undefined> {
  const { about, words, also = [] } = probe;
  const at = (fault: string): Fault => ({ at: about, fault: `${about}: ${fault}` });
  if (!first.isSuccess) return at(`${show(words)} is answered ${first.status}`);
  const meant = [...selectMeant(searcher.entries, words).map(({ record }) => record), ...also];
  const [lost] = findMissing(meant, records);
  if (lost !== undefined && isWhole) return at(`${show(words)} does not find ${toName(lost)}`);
  const extra = findMissing(records, meant);
  const all = searcher.entries.map(({ record }) => record);
  const [foreign] = findMissing(extra, all);
  if (foreign !== undefined)
    return at(
      `${show(words)} finds ${toName(foreign)}, which is not among those that were searched`,
    );
  const wrong = await findWrong(searcher, words, extra);
  return wrong && at(`${show(words)} finds ${toName(wrong)}, which does not have that`);
}

const MAX_CHATS_READ = 3;

/** A record that lacks the words in its fields and in its chat. */
async function findWrong(
  { run, caller }: Searcher,
  words: string,
  extra: readonly JsonObject[],
): Promise<JsonObject | undefined> {
  for (const record of extra.slice(0, MAX_CHATS_READ)) {
    const callId = callIdOf(record);
    if (callId === undefined) return record;
    const chat = await run.recall({
      operation: "getChatByCallId",
      path: { call_id: callId },
      ...(caller !== undefined && { caller }),
    });
    // A chat that the caller may not read may contain the words.
    if (chat.isSuccess && !isMeant(record, recordsOf(chat), words)) return record;
  }
  return undefined;
}
