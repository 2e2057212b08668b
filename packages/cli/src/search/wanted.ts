// The criteria of a search, and the search of the client for them.
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
  /** Another operation searches by custom and security fields. */
  readonly by: "fields" | "custom fields";
  /** The condition that is tested here: --where, and phone numbers, because the service only compares one notation. */
  readonly condition?: Condition<Field> | undefined;
}

/** The days and values to look for, for a search of the client. */
export interface Wanted extends WantedFields {
  readonly startDate: string;
  readonly endDate: string;
  /** Words that a call must have (D30), and the filter for a service that does not search by them. */
  readonly words?: string | undefined;
  readonly filterWords?: WordsFilter | undefined;
  /** The position of an earlier search for the same. */
  readonly cursor?: string | undefined;
  /** The time zone of the days, if it is not the archive's. */
  readonly zone?: ClockZone | undefined;
}

/**
 * `where`: an additional condition that is tested here.
 *
 * @throws UsageError if fields of both kinds are given, or a value is empty.
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

/** The search of the client. Passes only these fields: a plan has more, and the client would interpret some of them. */
export function openSearch(
  client: CallMediaClient,
  { by, startDate, endDate, filter, condition, words, filterWords, cursor, zone }: Wanted,
  signal: AbortSignal,
): CallSearch {
  const days = { startDate, endDate, timeZone: zone?.timeZone };
  const own = { ...days, filter, words, filterWords, cursor, signal };
  const search = narrow(own, condition);
  if (by === "custom fields") return client.calls.byCustomFields(search);
  // A search by fields has at least one.
  return client.calls.search(search as FieldSearch);
}
