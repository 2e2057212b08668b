// Wider forms of a search by words that found little, each with its count. A count shows no call.
import { type CallMediaClient, type CallRecord, isCallMediaError } from "@call-media/client";
import { toTokens } from "@call-media/words";
import { openSearch, type Wanted } from "./wanted.ts";

/** Of a search with more, nobody asks whether there is more. */
const MOST_FOUND = 20;
const MOST_COUNTS = 6;

interface Searched {
  readonly client: CallMediaClient;
  readonly wanted: Wanted;
  readonly signal: AbortSignal;
}

/** What was found: how many records, and some of them. */
export interface FoundFew {
  readonly count: number;
  readonly records: readonly CallRecord[];
}

interface Wider {
  readonly name: string;
  readonly wanted: Wanted;
}

/** Sentences: what an operator means, and "also 11 with complain*"; none where there is nothing to say. */
export async function listHints(searched: Searched, found: FoundFew): Promise<readonly string[]> {
  const { words } = searched.wanted;
  if (words === undefined) return [];
  const hint = listOperatorHints(words);
  if (found.count > MOST_FOUND) return hint;
  const counts = await countWider(searched, listWider(searched.wanted, found));
  const more = counts
    .filter(({ count }) => count > found.count)
    .map(({ name, count }) => `${count.toLocaleString("en")} with ${name}`);
  return more.length === 0 ? hint : [...hint, `also ${more.join(", ")}`];
}

/** In capitals, as other searches know them. */
export function listOperatorHints(words: string): readonly string[] {
  const operator = listItems(words).find((item) => /^(?:OR|AND|NOT)$/.test(item));
  return operator === undefined
    ? []
    : [`${operator} is looked for as a word like the others: search once for each of them.`];
}

/** Outside of quotes. */
const listItems = (words: string): readonly string[] =>
  words.replaceAll(/"[^"]*"\*?/g, " ").split(/\s+/);

/** Each word as a beginning, then one letter shorter: two letters less find other words. */
function listWider(wanted: Wanted, { records }: FoundFew): readonly Wider[] {
  const { words = "" } = wanted;
  const items = [...new Set(listItems(words))].filter((item) => /^\p{L}{4,}$/u.test(item));
  const beginnings = items.flatMap((item) => [
    item,
    ...(item.length < 6 ? [] : [item.slice(0, -1)]),
  ]);
  const forms = beginnings.map((beginning): Wider => {
    const item = items.find((one) => one.startsWith(beginning)) ?? beginning;
    const wider = words.replaceAll(
      new RegExp(`(?<![^\\s])${item}(?![^\\s])`, "gu"),
      `${beginning}*`,
    );
    return { name: `${beginning}*`, wanted: { ...wanted, words: wider } };
  });
  return [...forms, ...listOutcomes(wanted, records, beginnings)].slice(0, MOST_COUNTS);
}

/** Outcomes of what was found that have such a word in them. Searches by custom fields know none. */
function listOutcomes(
  { filter, by, ...wanted }: Wanted,
  records: readonly CallRecord[],
  beginnings: readonly string[],
): readonly Wider[] {
  const isFree = Object.hasOwn(filter, "disposition") || by === "custom fields";
  if (isFree && Object.keys(filter).length > 0) return [];
  const starts = beginnings.flatMap((beginning) => toTokens(beginning).map(({ text }) => text));
  const outcomes = new Set(records.map(({ disposition }) => disposition ?? ""));
  return [...outcomes]
    .filter((outcome) =>
      toTokens(outcome).some(({ text }) => starts.some((start) => text.startsWith(start))),
    )
    .map((disposition) => ({
      name: `the outcome ${disposition}`,
      wanted: { ...wanted, words: undefined, by: "fields", filter: { ...filter, disposition } },
    }));
}

/** What is asked besides takes the place of no answer: without a count there is none. */
async function countWider({ client, signal }: Searched, wider: readonly Wider[]) {
  const counts = wider.map(async ({ name, wanted }) => {
    try {
      return { name, count: (await openSearch(client, wanted, signal).count()) ?? 0 };
    } catch (error) {
      if (isCallMediaError(error) && !isCallMediaError(error, "AbortError"))
        return { name, count: 0 };
      throw error;
    }
  });
  return await Promise.all(counts);
}
