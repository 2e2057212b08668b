// Explains why a search found nothing, with at most one more request.
import { document } from "@call-media/api";
import { type CallMediaClient, isCallMediaError } from "@call-media/client";
import { toCounted } from "@call-media/terminal";
import { toFlag } from "./filters.ts";
import { openSearch, type Wanted } from "./wanted.ts";

/** Fields that people confuse: a name and its identifier. */
const SIBLINGS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ["agent", "agent_name"],
    ["campaign", "campaign_id"],
    ["skill", "skill_id"],
    ["agent_group", "agent_group_id"],
    ["disposition", "disposition_id"],
    ["call_id", "ref_id"],
  ].flatMap(([one = "", other = ""]) => [
    [one, other],
    [other, one],
  ]),
);

interface Searched {
  readonly client: CallMediaClient;
  readonly wanted: Wanted;
  /** Number of records that the service found, before they were filtered here. */
  readonly came: number;
  readonly signal: AbortSignal;
}

/** A sentence with the next step. Sends one request at most. */
export const explainNothing = async (searched: Searched): Promise<string> =>
  explainTyped(searched) ?? (await askWhy(searched));

/** Explains the result from the input only; undefined if that is not enough. */
export function explainTyped({
  came,
  wanted,
}: Pick<Searched, "came"> & {
  readonly wanted: Pick<Wanted, "words" | "filter">;
}): string | undefined {
  if (came > 0) return `${toCounted(came, "record")} came, and none meets all of the conditions.`;
  if (wanted.words !== undefined) return explainWords(wanted.words);
  const typed = Object.entries(wanted.filter).map(([field, value]) => explainValue(field, value));
  return typed.find((sentence) => sentence !== undefined);
}

function explainWords(words: string): string {
  const hint = words.includes("*") ? "" : " refund* finds refunded, too.";
  return `Every one of the words must occur, as a whole: leave one out, or search more days.${hint}`;
}

/** A search does not support patterns and lists: values match as a whole (D08). */
function explainValue(field: string, value: unknown): string | undefined {
  const text = String(value);
  const [pattern] = /[*%]/.exec(text) ?? [];
  const parts = text.split(/[,;|]/).map((part) => part.trim());
  const quote = (part: string) => JSON.stringify(part);
  if (pattern !== undefined) {
    const [longest = ""] = text.split(pattern).toSorted((one, other) => other.length - one.length);
    return `${field} ${quote(text)} is searched for with its ${pattern}, as values match as a whole: leave ${toFlag(field)} out, and write --where '${field} ~ ${quote(longest.trim())}'.`;
  }
  if (parts.length === 1 || parts.includes("")) return undefined;
  const condition = parts.map((part) => `${field} == ${quote(part)}`).join(" || ");
  return `${field} ${quote(text)} is searched for as one value, not as a list: leave ${toFlag(field)} out, and write --where '${condition}'.`;
}

async function askWhy({ client, wanted, signal }: Searched): Promise<string> {
  const { filter, startDate, endDate } = wanted;
  const fields = Object.keys(filter);
  const mistaken = fields.find((field) => !Object.hasOwn(filter, SIBLINGS[field] ?? field));
  const sibling = SIBLINGS[mistaken ?? ""];
  const other: Wanted =
    mistaken === undefined || sibling === undefined
      ? { startDate, endDate, by: "custom fields", filter: {} }
      : { ...wanted, filter: toRenamed(filter, mistaken, sibling) };
  const count = await countCalls(client, other, signal);
  if (count === undefined || (sibling !== undefined && count === "0")) return WHOLE;
  if (sibling === undefined || mistaken === undefined) {
    const days = startDate === endDate ? startDate : `${startDate} to ${endDate}`;
    if (count === "0") return `${days}: the archive has no call that you may see.`;
    return `${days} ${count === "1" ? "has 1 call" : `have ${count} calls`}, none with these values. ${WHOLE}`;
  }
  const value = JSON.stringify(filter[mistaken]);
  const calls = count === "1" ? "1 call" : `${count} calls`;
  return `${sibling} ${value} has ${calls}: ${toFlag(mistaken)} wants ${toMeaning(mistaken)}. Write ${toFlag(sibling)}.`;
}

export const WHOLE =
  "Values match as a whole, whatever their letter case; --where 'FIELD ~ \"PART\"' finds a part.";

const toRenamed = (filter: Wanted["filter"], field: string, sibling: string) =>
  Object.fromEntries(
    Object.entries(filter).map(([name, value]) => [name === field ? sibling : name, value]),
  );

/** Takes the meaning of a field from a description such as "Matches the sign-in name of the agent." */
function toMeaning(field: string): string {
  const { description = "" } =
    document.components.schemas["MetadataFilter"]?.properties?.[field] ?? {};
  return description.replace(/^Matches /, "").replace(/\..*$/s, "") || `a ${field}`;
}

/** Undefined if the service rejects the request or does not say. */
async function countCalls(
  client: CallMediaClient,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const count = await openSearch(client, wanted, signal).count();
    return count?.toLocaleString("en");
  } catch (error) {
    // A failed additional request must not hide the result.
    if (isCallMediaError(error) && !isCallMediaError(error, "AbortError")) return undefined;
    throw error;
  }
}
