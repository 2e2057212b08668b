// Mutants that match filters by other rules.
import { toText } from "../edits/json.ts";
import { asIf, filterOf, lookedUpAs, withFilter } from "../edits/requests.ts";
import { comparing, ignoring, searching, toKey } from "../edits/search.ts";
import { type Mutant, SEARCHES, toMutants } from "./mutant.ts";

const without = (...fields: readonly string[]) => ignoring((name) => fields.includes(name));

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
    "campaign-ignored": ["searchMetadata", "the filter campaign is ignored", without("campaign")],
    "talk-time-ignored": [
      "searchMetadata",
      "the filters talk_time and handle_time are ignored",
      without("talk_time", "handle_time"),
    ],
    "lead-ignored": [
      "searchMetadata",
      "the filters lead_id and ivr_path are ignored",
      without("lead_id", "ivr_path"),
    ],
    "last-phone-ignored": [
      "searchMetadata",
      "the filter phone_number3 is ignored",
      without("phone_number3"),
    ],
    "security-filter-ignored": [
      "searchMetadataByCustomFields",
      "the filters security_field_01 to 05 are ignored",
      without(...[1, 2, 3, 4, 5].map((number) => `security_field_0${number}`)),
    ],
    "agent-looked-up-as-name": [
      "searchMetadata",
      "the filter agent is looked up in agent_name",
      lookedUpAs("agent", "agent_name"),
    ],
    "custom-fields-swapped": [
      "searchMetadataByCustomFields",
      "the filter custom_field_1 is looked up in custom_field_2",
      lookedUpAs("custom_field_1", "custom_field_2"),
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
      comparing((text, part) => text.includes(part)),
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
