// Searching by words (D30), for services that say they apply them. Other services get no such request.
import { PAGE_SIZE } from "../archive/window.ts";
import type { Check, Context } from "../checks/check.ts";
import { findCommonFilter } from "../checks/filter-values.ts";
import { manifest } from "../requirements/manifest.ts";
import { type Run, unless } from "../run.ts";
import { chooseChat, chooseFiltered, chooseNumber, choosePhrase } from "./choose-phrases.ts";
import {
  chooseAccents,
  chooseCase,
  chooseEvery,
  chooseFields,
  chooseParts,
  chooseUnspaced,
} from "./choose-words.ts";
import { saysApplied, type Searcher, searchWords } from "./hits.ts";
import { type Choice, isPlain } from "./probe.ts";
import { proveDays, provePages, proveProbe, proveSaid } from "./prove.ts";
import { proveRefused } from "./refused.ts";
import { proveRights } from "./rights.ts";
import { toVocabulary, type Vocabulary } from "./vocabulary.ts";

const listIds = () => [...manifest().keys()].filter((id) => id.startsWith("words."));

const OPERATIONS = ["searchMetadataByCustomFields", "searchMetadata"] as const;

export const searchByWords: Check = {
  about: "searches by words",
  // The check reads nothing before it begins.
  get proves() {
    return [...listIds(), "order.newest"];
  },
  cost: 180,
  run: async (context) => {
    const { run, sample, isAsked } = context;
    const { window } = sample;
    const operations = OPERATIONS.filter(isAsked);
    if (operations.length === 0) return;
    const vocabulary = toVocabulary(window?.records ?? []);
    const word = findCommonWord(vocabulary);
    if (window === undefined || word === undefined)
      return skipAll(run, "no record with a word was found");
    const { entries } = vocabulary;
    const searchers = operations.map((operation) => ({ run, window, operation, entries }));
    const applying = await findApplying(searchers, word);
    if (applying.length === 0)
      return skipAll(run, "the service does not say that it applies words");
    if (!window.isWhole) return skipAll(run, "the records of its days could not all be read");
    const choices = listChoices(vocabulary, sample.chats);
    await Promise.all(
      applying.flatMap((searcher) => [
        ...choices.map((chosen) => proveChosen(searcher, chosen)),
        proveChosen(searcher, [["words.filter"], chooseFiltered(vocabulary, searcher.operation)]),
        proveDays(searcher, vocabulary),
        provePages(searcher, word),
        proveSaid(searcher, word),
        proveRefused(searcher, word),
      ]),
    );
    await proveRights(context, applying, vocabulary);
  },
};

function skipAll(run: Run, why: string): void {
  for (const id of listIds()) run.skip(id, why);
}

/** Records of two or three pages. */
const MOST_HITS = 2.5 * PAGE_SIZE;

/** The most frequent word that some record lacks and at most MOST_HITS records have; any plain word if there is none. */
function findCommonWord({ entries, having }: Vocabulary): string | undefined {
  const plain = [...having].filter(([token]) => isPlain(token));
  const telling = plain.filter(([, { length }]) => length <= MOST_HITS && length < entries.length);
  const [common = plain[0]] = telling.toSorted(([, one], [, other]) => other.length - one.length);
  return common?.[0];
}

/** The searches that say they apply words without a filter. */
async function findApplying(searchers: readonly Searcher[], words: string): Promise<Searcher[]> {
  const all = await Promise.all(searchers.map((searcher) => askAlone(searcher, words)));
  if (!all.some(({ answer }) => saysApplied(answer))) return [];
  for (const { searcher, alone, answer } of all) {
    const silent = "this search does not say that it applies words; the other one does";
    searcher.run.prove("words.applied", answer, unless(saysApplied(answer), silent));
    const refused = `words without a filter are answered ${alone.status}`;
    if (saysApplied(answer))
      searcher.run.prove("words.alone", alone, unless(alone.isSuccess, refused));
  }
  return all.filter(({ alone }) => saysApplied(alone)).map(({ searcher }) => searcher);
}

/** Searches by words without a filter; if that is refused, also with one. */
async function askAlone(searcher: Searcher, words: string) {
  const alone = await searchWords(searcher, { words, prefer: "words" });
  const filter = findCommonFilter(searcher.entries.map(({ record }) => record));
  if (alone.isSuccess || filter === undefined || searcher.operation !== "searchMetadata")
    return { searcher, alone, answer: alone };
  const answer = await searchWords(searcher, { words, filter, prefer: "words" });
  return { searcher, alone, answer };
}

/** The probes of each search, and the requirements that they prove. */
function listChoices(vocabulary: Vocabulary, chats: Context["sample"]["chats"]): readonly Chosen[] {
  return [
    [["words.every"], chooseEvery(vocabulary)],
    [["words.fields"], chooseFields(vocabulary)],
    [["words.chat"], chooseChat(vocabulary, chats)],
    [["words.case"], chooseCase(vocabulary)],
    [["words.accents"], chooseAccents(vocabulary)],
    [["words.unspaced"], chooseUnspaced(vocabulary)],
    [["words.whole", "words.beginning"], chooseParts(vocabulary)],
    [["words.phrase"], choosePhrase(vocabulary)],
    [["words.number"], chooseNumber(vocabulary)],
  ];
}

type Chosen = readonly [ids: readonly string[], choice: Choice];

async function proveChosen(searcher: Searcher, [ids, choice]: Chosen): Promise<void> {
  if (typeof choice !== "string")
    await Promise.all(choice.map((probe) => proveProbe(searcher, probe)));
  else for (const id of ids) searcher.run.skip(id, choice);
}
