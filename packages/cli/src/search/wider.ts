// Suggests wider forms of a search by words that found little, each with its count. Counting shows no call.
import { type CallMediaClient, type CallRecord, isCallMediaError } from "@call-media/client";
import { findOperator, hasBeginning, listWider } from "@call-media/words";
import { openSearch, type Wanted } from "./wanted.ts";

/** A search with more results needs no suggestions. */
const MOST_FOUND = 20;
const MOST_COUNTS = 6;

interface Searched {
  readonly client: CallMediaClient;
  readonly wanted: Wanted;
  readonly signal: AbortSignal;
}

/** The result: the number of records, and some of them. */
export interface FoundFew {
  readonly count: number;
  readonly records: readonly CallRecord[];
}

interface Wider {
  readonly name: string;
  readonly wanted: Wanted;
}

/** Sentences such as "also 11 with complain*", and explanations of operators. Empty if there is nothing to say. */
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

/** Outcomes in the results that contain such a word. Searches by custom fields do not have them. */
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

/** A failed additional request must not hide the result: the suggestion is left out then. */
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
