// Words of records that the second caller may not see: they find nothing and count nothing (D21, D30).
import { findMissing, impossible, toCounted, toName, toText } from "../archive/records.ts";
import { isObject, type JsonObject } from "@call-media/contract-diff";
import { recordsOf } from "../answer.ts";
import { readPages, searchOf } from "../archive/window.ts";
import type { Caller } from "../../ask.ts";
import type { Context } from "../checks/check.ts";
import { unless } from "../run.ts";
import { findFault, readHits, type Searcher, searchWords } from "./hits.ts";
import { listRareWords, type Probe, richest } from "./probe.ts";
import { selectMeant, type Vocabulary } from "./vocabulary.ts";

export async function proveRights(
  context: Context,
  searchers: readonly Searcher[],
  vocabulary: Vocabulary,
): Promise<void> {
  const { run, restricted } = context;
  if (restricted === undefined) return run.skip("words.rights", "no second caller was given");
  const hidden = new Set(await listHidden(context, restricted));
  const seen = vocabulary.entries.filter(({ record }) => !hidden.has(record));
  const probes = chooseHidden(vocabulary, new Set(seen));
  if (probes.length === 0)
    return run.skip(
      "words.rights",
      "no word was found in a record that the second caller may not see",
    );
  await Promise.all(
    searchers.flatMap((searcher) =>
      probes.map((probe) => proveHidden({ ...searcher, entries: seen, caller: restricted }, probe)),
    ),
  );
}

/** The records of the window that the second caller does not list. Another check proves that list, without words. */
async function listHidden(
  { run, sample: { window } }: Context,
  caller: Caller,
): Promise<readonly JsonObject[]> {
  if (window === undefined) return [];
  const read = async (pageIndex: number) => {
    const answer = await run.recall({ ...searchOf(window.search, pageIndex), caller });
    return { answer, records: recordsOf(answer) };
  };
  const { pages } = await readPages(read, window.base, window.pages.length + 1);
  const listed = pages.flatMap(({ records }) => records);
  return findMissing(window.records, listed);
}

type Hidden = Pick<Probe, "about" | "words">;

/** Words of hidden records: words that visible records share, and words that none does. */
function chooseHidden(vocabulary: Vocabulary, seen: ReadonlySet<unknown>): Hidden[] {
  const { entries, having } = vocabulary;
  const hidden = { entries: entries.filter((entry) => !seen.has(entry)), having };
  const rare = richest(hidden).flatMap((entry) => listRareWords(entry, vocabulary));
  const tokens = rare.map(({ token }) => token);
  const isSeen = (token: string) => (having.get(token) ?? []).some((entry) => seen.has(entry));
  const shared = tokens.find(isSeen);
  const alone = tokens.find((token) => !isSeen(token) && token.length > MIN_BEGINNING);
  return [
    ...(shared === undefined
      ? []
      : [{ about: "a word of hidden and other records", words: shared }]),
    ...(alone === undefined
      ? []
      : [
          { about: "a word of hidden records alone", words: alone },
          { about: "the beginning of such a word", words: `${alone.slice(0, -1)}*` },
        ]),
  ];
}

const MIN_BEGINNING = 3;

async function proveHidden(searcher: Searcher, probe: Hidden): Promise<void> {
  const { run, window, entries } = searcher;
  const { about, words } = probe;
  const hits = await readHits(searcher, { words });
  const [answer] = hits.answers;
  const seen = entries.map(({ record }) => record);
  const hidden = findMissing(window.records, seen);
  const leaked = hits.records.find((record) => findMissing([record], hidden).length === 0);
  const count = isObject(answer.json) ? answer.json["recordCount"] : undefined;
  const isCounted = count === undefined || count === hits.records.length;
  const fault =
    leaked !== undefined
      ? `${JSON.stringify(words)} finds ${toName(leaked)}, which the caller does not list`
      : unless(isCounted, `recordCount is ${toText(count)}, and ${toCounted(hits.records)} come`);
  run.prove("words.rights", answer, fault && { at: about, fault: `${about}: ${fault}` });
  run.prove("words.rights", answer, await findFault(searcher, probe, hits));
  if (selectMeant(entries, words).length > 0 || hits.records.length > 0) return;
  const absent = await searchWords(searcher, { words: impossible(searcher.run), prefer: "words" });
  const isSame =
    absent.status === answer.status && (!absent.isSuccess || absent.text === answer.text);
  const unlike = `${about}: the answer is not that to words which nothing has`;
  run.prove("words.rights", answer, unless(isSame, unlike));
}
