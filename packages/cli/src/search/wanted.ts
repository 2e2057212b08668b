// What is searched for, and the search of the client for it.
import { fieldsOf } from "@call-media/api";
import { type Test, toNarrowing } from "@call-media/conditions";
import { type Field, RECORD_FIELDS } from "@call-media/handover";
import type { CallMediaClient, CallSearch, WordsFilter } from "@call-media/client";
import { UsageError } from "@call-media/terminal";

/** The values to look for. */
export interface WantedFields {
  readonly filter: Readonly<Record<string, unknown>>;
  /** Custom and security fields are searched by an operation of their own. */
  readonly by: "fields" | "custom fields";
  /** Telephone numbers, of which the service knows one notation alone: they are judged here. Missing without. */
  readonly numbers?: readonly Test<Field>[];
}

/** The days and the values to look for, as a search of the client. */
export interface Wanted extends WantedFields {
  readonly startDate: string;
  readonly endDate: string;
  /** Words that a call must have (D30), and the filter for a service that does not search by them. */
  readonly words?: string | undefined;
  readonly filterWords?: WordsFilter | undefined;
  /** Where another search for the same stood. */
  readonly cursor?: string | undefined;
}

/** @throws UsageError where fields of both kinds are given, or a value is empty. */
export function toWantedFields(values: WantedFields["filter"]): WantedFields {
  const empty = Object.keys(values).find((field) => String(values[field]).trim() === "");
  if (empty !== undefined)
    throw new UsageError(
      `${empty} is empty, which finds nothing: leave it out, or find calls without one by --where '${empty} == null'`,
    );
  const numbers = RECORD_FIELDS.filter((field) => Object.hasOwn(values, field))
    .map((field) => ({ field, comparison: "==" as const, value: String(values[field]) }))
    .filter((one) => toNarrowing(one) !== "");
  const filter = Object.fromEntries(
    Object.entries(values).filter(([name]) => numbers.every(({ field }) => field !== name)),
  );
  const customFields: ReadonlySet<string> = new Set(fieldsOf("CustomFieldsFilter"));
  const customField = Object.keys(filter).find((field) => customFields.has(field));
  const field = Object.keys(filter).find((name) => !customFields.has(name));
  if (field !== undefined && customField !== undefined)
    throw new UsageError(
      `the service cannot search by ${field} and ${customField} at once: use --where '${customField} == "..."'`,
    );
  const by = field === undefined ? "custom fields" : "fields";
  return { filter, by, ...(numbers.length > 0 && { numbers }) };
}

/** The search as the client carries it out. A plan has more fields than these, some of which the client would take for its own. */
export function openSearch(
  client: CallMediaClient,
  { by, startDate, endDate, filter, numbers = [], cursor, ...wanted }: Wanted,
  signal: AbortSignal,
): CallSearch {
  const words = [wanted.words, ...numbers.map(toNarrowing)].filter(Boolean).join(" ") || undefined;
  const filterWords = wanted.filterWords ?? (numbers.length > 0 ? NO_FILTER : undefined);
  const search = { startDate, endDate, filter, words, filterWords, cursor, signal };
  return by === "custom fields" ? client.calls.byCustomFields(search) : client.calls.search(search);
}

/** A service that does not search by words gives all records, which are judged here in any case. */
const NO_FILTER: WordsFilter = () => ({
  chats: { read: 0, skipped: 0, refused: 0 },
  filter: async (records) => records,
});
