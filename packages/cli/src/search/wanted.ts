// What is searched for, and the search of the client for it.
import { fieldsOf } from "@call-media/api";
import type { CallMediaClient, CallSearch, WordsFilter } from "@call-media/client";
import { UsageError } from "@call-media/terminal";

/** The values to look for. */
export interface WantedFields {
  readonly filter: Readonly<Record<string, unknown>>;
  /** Custom and security fields are searched by an operation of their own. */
  readonly by: "fields" | "custom fields";
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
export function toWantedFields(filter: WantedFields["filter"]): WantedFields {
  const empty = Object.keys(filter).find((field) => String(filter[field]).trim() === "");
  if (empty !== undefined)
    throw new UsageError(
      `${empty} is empty, which finds nothing: leave it out, or find calls without one by --where '${empty} == null'`,
    );
  const customFields: ReadonlySet<string> = new Set(fieldsOf("CustomFieldsFilter"));
  const customField = Object.keys(filter).find((field) => customFields.has(field));
  const field = Object.keys(filter).find((name) => !customFields.has(name));
  if (field !== undefined && customField !== undefined)
    throw new UsageError(
      `the service cannot search by ${field} and ${customField} at once: use --where '${customField} == "..."'`,
    );
  return { filter, by: field === undefined ? "custom fields" : "fields" };
}

/** The search as the client carries it out. A plan has more fields than these, some of which the client would take for its own. */
export function openSearch(
  client: CallMediaClient,
  { by, startDate, endDate, filter, words, filterWords, cursor }: Wanted,
  signal: AbortSignal,
): CallSearch {
  const search = { startDate, endDate, filter, words, filterWords, cursor, signal };
  return by === "custom fields" ? client.calls.byCustomFields(search) : client.calls.search(search);
}
