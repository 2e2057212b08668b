// Searches that match otherwise.
import { toText } from "../edits/json.ts";
import { asIf, filterOf, withFilter } from "../edits/requests.ts";
import { searching, toKey } from "../edits/search.ts";
import type { Mutate } from "../exchange.ts";
import { SEARCHES, type Mutant, toMutants } from "./mutant.ts";

/** Answers a search as if this filter had been given. */
function ignoring(...fields: readonly string[]): Mutate {
  return searching({
    matches: (value, wanted, name) =>
      fields.includes(name) || (value !== null && toKey(value, name) === toKey(wanted, name)),
  });
}

export const filters: readonly Mutant[] = [
  ...toMutants("filter", "interface", {
    "named-filter-ignored": [
      "searchMetadata",
      "the filter of a search by named fields is ignored",
      searching({ matches: () => true }),
    ],
    "custom-filter-ignored": [
      "searchMetadataByCustomFields",
      "the filter of a search by custom fields is ignored",
      asIf((request) => withFilter(request, {})),
    ],
    "campaign-ignored": ["searchMetadata", "the filter campaign is ignored", ignoring("campaign")],
    "talk-time-ignored": [
      "searchMetadata",
      "the filters talk_time and handle_time are ignored",
      ignoring("talk_time", "handle_time"),
    ],
    "lead-ignored": [
      "searchMetadata",
      "the filters lead_id and ivr_path are ignored",
      ignoring("lead_id", "ivr_path"),
    ],
    "last-phone-ignored": [
      "searchMetadata",
      "the filter phone_number3 is ignored",
      ignoring("phone_number3"),
    ],
    "security-filter-ignored": [
      "searchMetadataByCustomFields",
      "the filters security_field_01 to 05 are ignored",
      ignoring(...[1, 2, 3, 4, 5].map((number) => `security_field_0${number}`)),
    ],
    "agent-looked-up-as-name": [
      "searchMetadata",
      "the filter agent is looked up in agent_name",
      asIf((request) => {
        const { agent, ...others } = filterOf(request) ?? {};
        return agent === undefined
          ? request
          : withFilter(request, { ...others, agent_name: agent });
      }),
    ],
    "custom-fields-swapped": [
      "searchMetadataByCustomFields",
      "the filter custom_field_1 is looked up in custom_field_2",
      asIf((request) => {
        const { custom_field_1: value, ...others } = filterOf(request) ?? {};
        return value === undefined
          ? request
          : withFilter(request, { ...others, custom_field_2: value });
      }),
    ],
  }),
  ...toMutants("filter", "decision", {
    "filters-joined-by-or": [
      SEARCHES,
      "a record needs to match one of the filters",
      searching({ joins: "some" }),
    ],
    "first-filter-alone": [
      SEARCHES,
      "only the first of several filters counts",
      asIf((request) =>
        withFilter(
          request,
          Object.fromEntries(Object.entries(filterOf(request) ?? {}).slice(0, 1)),
        ),
      ),
    ],
    "matched-in-part": [
      SEARCHES,
      "a filter matches a part of a value",
      searching({
        matches: (value, wanted, name) =>
          value !== null &&
          (typeof wanted === "number"
            ? value === wanted
            : toKey(value, name).includes(toKey(wanted, name))),
      }),
    ],
    "matched-by-case": [
      SEARCHES,
      "a filter matches in the same letter case alone",
      searching({
        matches: (value, wanted, name) =>
          value !== null &&
          (name.startsWith("phone")
            ? toKey(value, name) === toKey(wanted, name)
            : toText(value).trim() === toText(wanted).trim()),
      }),
    ],
    "phones-by-notation": [
      "searchMetadata",
      "a telephone number matches in the same notation alone",
      searching({
        matches: (value, wanted) => value !== null && toKey(value, "") === toKey(wanted, ""),
      }),
    ],
    "spaces-not-trimmed": [
      SEARCHES,
      "a filter with a space around it matches nothing",
      searching({
        matches: (value, wanted, name) =>
          value !== null &&
          toText(wanted) === toText(wanted).trim() &&
          toKey(value, name) === toKey(wanted, name),
      }),
    ],
  }),
];
