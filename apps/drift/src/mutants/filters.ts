// Searches that match otherwise.
import { toText } from "../edits/json.ts";
import { asIf, filterOf, withFilter } from "../edits/requests.ts";
import { searching, toKey } from "../edits/search.ts";
import type { Mutate } from "../exchange.ts";
import { type Mutant, SEARCHES } from "./mutant.ts";

/** Answers a search as if this filter had been given. */
function ignoring(...fields: readonly string[]): Mutate {
  return searching({
    matches: (value, wanted, name) =>
      fields.includes(name) || (value !== null && toKey(value, name) === toKey(wanted, name)),
  });
}

export const filters: readonly Mutant[] = [
  {
    id: "named-filter-ignored",
    class: "filter",
    operation: "searchMetadata",
    contract: "interface",
    says: "the filter of a search by named fields is ignored",
    mutate: searching({ matches: () => true }),
  },
  {
    id: "custom-filter-ignored",
    class: "filter",
    operation: "searchMetadataByCustomFields",
    contract: "interface",
    says: "the filter of a search by custom fields is ignored",
    mutate: asIf((request) => withFilter(request, {})),
  },
  {
    id: "campaign-ignored",
    class: "filter",
    operation: "searchMetadata",
    contract: "interface",
    says: "the filter campaign is ignored",
    mutate: ignoring("campaign"),
  },
  {
    id: "talk-time-ignored",
    class: "filter",
    operation: "searchMetadata",
    contract: "interface",
    says: "the filters talk_time and handle_time are ignored",
    mutate: ignoring("talk_time", "handle_time"),
  },
  {
    id: "lead-ignored",
    class: "filter",
    operation: "searchMetadata",
    contract: "interface",
    says: "the filters lead_id and ivr_path are ignored",
    mutate: ignoring("lead_id", "ivr_path"),
  },
  {
    id: "last-phone-ignored",
    class: "filter",
    operation: "searchMetadata",
    contract: "interface",
    says: "the filter phone_number3 is ignored",
    mutate: ignoring("phone_number3"),
  },
  {
    id: "security-filter-ignored",
    class: "filter",
    operation: "searchMetadataByCustomFields",
    contract: "interface",
    says: "the filters security_field_01 to 05 are ignored",
    mutate: ignoring(...[1, 2, 3, 4, 5].map((number) => `security_field_0${number}`)),
  },
  {
    id: "agent-looked-up-as-name",
    class: "filter",
    operation: "searchMetadata",
    contract: "interface",
    says: "the filter agent is looked up in agent_name",
    mutate: asIf((request) => {
      const { agent, ...others } = filterOf(request) ?? {};
      return agent === undefined ? request : withFilter(request, { ...others, agent_name: agent });
    }),
  },
  {
    id: "custom-fields-swapped",
    class: "filter",
    operation: "searchMetadataByCustomFields",
    contract: "interface",
    says: "the filter custom_field_1 is looked up in custom_field_2",
    mutate: asIf((request) => {
      const { custom_field_1: value, ...others } = filterOf(request) ?? {};
      return value === undefined
        ? request
        : withFilter(request, { ...others, custom_field_2: value });
    }),
  },
  {
    id: "filters-joined-by-or",
    class: "filter",
    operation: SEARCHES,
    contract: "decision",
    says: "a record needs to match one of the filters",
    mutate: searching({ joins: "some" }),
  },
  {
    id: "first-filter-alone",
    class: "filter",
    operation: SEARCHES,
    contract: "decision",
    says: "only the first of several filters counts",
    mutate: asIf((request) =>
      withFilter(request, Object.fromEntries(Object.entries(filterOf(request) ?? {}).slice(0, 1))),
    ),
  },
  {
    id: "matched-in-part",
    class: "filter",
    operation: SEARCHES,
    contract: "decision",
    says: "a filter matches a part of a value",
    mutate: searching({
      matches: (value, wanted, name) =>
        value !== null &&
        (typeof wanted === "number"
          ? value === wanted
          : toKey(value, name).includes(toKey(wanted, name))),
    }),
  },
  {
    id: "matched-by-case",
    class: "filter",
    operation: SEARCHES,
    contract: "decision",
    says: "a filter matches in the same letter case alone",
    mutate: searching({
      matches: (value, wanted, name) =>
        value !== null &&
        (name.startsWith("phone")
          ? toKey(value, name) === toKey(wanted, name)
          : toText(value).trim() === toText(wanted).trim()),
    }),
  },
  {
    id: "phones-by-notation",
    class: "filter",
    operation: "searchMetadata",
    contract: "decision",
    says: "a telephone number matches in the same notation alone",
    mutate: searching({
      matches: (value, wanted) => value !== null && toKey(value, "") === toKey(wanted, ""),
    }),
  },
  {
    id: "spaces-not-trimmed",
    class: "filter",
    operation: SEARCHES,
    contract: "decision",
    says: "a filter with a space around it matches nothing",
    mutate: searching({
      matches: (value, wanted, name) =>
        value !== null &&
        toText(wanted) === toText(wanted).trim() &&
        toKey(value, name) === toKey(wanted, name),
    }),
  },
];
