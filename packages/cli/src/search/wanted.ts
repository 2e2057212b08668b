// What is searched for, and the search of the client for it.
import { fieldsOf } from "@call-media/api";
import {
  type ClockZone,
  type Condition,
  joinAll,
  narrow,
  type Test,
  toNarrowing,
} from "@call-media/conditions";
import { type Field, RECORD_FIELDS } from "@call-media/handover";
import type { CallMediaClient, CallSearch, FieldSearch, WordsFilter } from "@call-media/client";
import { UsageError } from "@call-media/terminal";

/** The values to look for. */
export interface WantedFields {
  readonly filter: Readonly<Record<string, unknown>>;
  /** Custom and security fields are searched by an operation of their own. */
  readonly by: "fields" | "custom fields";
  /** What is judged here: telephone numbers, of which the service knows one notation alone, and --where. */
  readonly condition?: Condition<Field> | undefined;
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
  /** Of the days, where that is not the archive's. */
  readonly zone?: ClockZone | undefined;
}

/**
 * `where`: what else is judged here.
 *
 * @throws UsageError where fields of both kinds are given, or a value is empty.
 */
export function toWantedFields(
  values: WantedFields["filter"],
  where?: Condition<Field>,
): WantedFields {
  const empty = Object.keys(values).find((field) => String(values[field]).trim() === "");
  if (empty !== undefined)
    throw new UsageError(
      `${empty} is empty, which finds nothing: leave it out, or find calls without one by --where '${empty} == null'`,
    );
  const numbers = RECORD_FIELDS.filter((field) => Object.hasOwn(values, field))
    .map((field): Test<Field> => ({ field, comparison: "==", value: String(values[field]) }))
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
  return { filter, by, condition: joinAll(where === undefined ? numbers : [where, ...numbers]) };
}

/** The search as the client carries it out. A plan has more fields than these, some of which the client would take for its own. */
export function openSearch(
  client: CallMediaClient,
  { by, startDate, endDate, filter, condition, words, filterWords, cursor, zone }: Wanted,
  signal: AbortSignal,
): CallSearch {
  const days = { startDate, endDate, timeZone: zone?.timeZone };
  const own = { ...days, filter, words, filterWords, cursor, signal };
  const search = narrow(own, condition);
  if (by === "custom fields") return client.calls.byCustomFields(search);
  // By fields: there is one.
  return client.calls.search(search as FieldSearch);
}
