// Wider forms of a search by words that found little, each with its count. A count shows no call.
import { type CallMediaClient, type CallRecord, isCallMediaError } from "@call-media/client";
import { findOperator, hasBeginning, listWider } from "@call-media/words";
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
  const counts = await countWider(searched, toWider(searched.wanted, found));
  const more = counts
    .filter(({ count }) => count > found.count)
    .map(({ name, count }) => `${count.toLocaleString("en")} with ${name}`);
  return more.length === 0 ? hint : [...hint, `also ${more.join(", ")}`];
}

export function listOperatorHints(words: string): readonly string[] {
  const operator = findOperator(words);
  return operator === undefined
    ? []
    : [`${operator} is looked for as a word like the others: search once for each of them.`];
}

function toWider(wanted: Wanted, { records }: FoundFew): readonly Wider[] {
  const wider = listWider(wanted.words ?? "");
  const forms = wider.map(({ beginning, words }) => ({
    name: `${beginning}*`,
    wanted: { ...wanted, words },
  }));
  const beginnings = wider.map(({ beginning }) => beginning);
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
  const outcomes = new Set(records.map(({ disposition }) => disposition ?? ""));
  return [...outcomes]
    .filter((outcome) => hasBeginning(outcome, beginnings))
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
