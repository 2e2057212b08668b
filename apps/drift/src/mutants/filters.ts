// Mutants that match filters by other rules.
import { whenAsked } from "../edits/answers.ts";
import { json, toText } from "../edits/json.ts";
import { asIf, filterOf, lookedUpAs, withFilter } from "../edits/requests.ts";
import {
  comparing,
  ignoring,
  type Matches,
  matchesWhole,
  searching,
  toKey,
} from "../edits/search.ts";
import type { ProxyRequest } from "../exchange.ts";
import { type Deviation, type Mutant, SEARCHES, toMutants } from "./mutant.ts";

const DIGITS_OF_LOCAL_NUMBER = 7;

const toPlain = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "");
const withAsciiFolded = (text: string) =>
  text.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
const toLocalNumber = (text: string) => text.replaceAll(/\D/g, "").slice(-DIGITS_OF_LOCAL_NUMBER);

function isLike(text: string, pattern: string): boolean {
  const parts = pattern.split(/[%*]/).map((part) => part.replaceAll(/[^\w\s]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "is").test(text);
}

const isPhone = (name: string) => name.startsWith("phone_number");

/** Matches by this rule what is not null. */
const matching = (matches: Matches) =>
  searching({ matches: (value, ...wanted) => value !== null && matches(value, ...wanted) });

/** Compares texts other than telephone numbers. */
const comparingTexts = (toSame: (text: string) => string) =>
  matching((value, wanted, name) =>
    isPhone(name)
      ? matchesWhole(value, wanted, name)
      : toSame(toText(value)) === toSame(toText(wanted)),
  );

/** A common rule of telephone systems, which ignore country and area codes. */
export const byLocalNumber = matching((value, wanted, name) =>
  isPhone(name)
    ? toLocalNumber(toText(value)) === toLocalNumber(toText(wanted))
    : matchesWhole(value, wanted, name),
);

const ignored = (...fields: readonly string[]): Deviation => [
  `what a search asks of ${fields.join(", ")} is ignored`,
  ignoring((name) => fields.includes(name)),
];

const lookedUp = (from: string, to: string): Deviation => [
  `the filter ${from} is looked up in ${to}`,
  lookedUpAs(from, to),
];

const isBeyondAscii = (request: ProxyRequest) =>
  /[^\0-\u007f]/.test(toText(Object.values(filterOf(request) ?? {})));

export const filters: readonly Mutant[] = [
  ...toMutants("filter", "interface", {
    "named-filter-ignored": ["searchMetadata", searching({ matches: () => true })],
    "custom-filter-ignored": [
      "searchMetadataByCustomFields",
      asIf((request) => withFilter(request, {})),
    ],
    "campaign-ignored": ["searchMetadata", ...ignored("campaign")],
    "talk-time-ignored": ["searchMetadata", ...ignored("talk_time", "handle_time")],
    "lead-ignored": ["searchMetadata", ...ignored("lead_id", "ivr_path")],
    "last-phone-ignored": ["searchMetadata", ...ignored("phone_number3")],
    "zip-ignored": ["searchMetadata", ...ignored("zip")],
    "dest-agent-name-ignored": ["searchMetadata", ...ignored("dest_agent_name")],
    "customer-middle-name-ignored": ["searchMetadata", ...ignored("customer_middle_name")],
    "custom-field-17-ignored": ["searchMetadataByCustomFields", ...ignored("custom_field_17")],
    "security-filter-ignored": [
      "searchMetadataByCustomFields",
      ...ignored(...[1, 2, 3, 4, 5].map((number) => `security_field_0${number}`)),
    ],
    "agent-looked-up-as-name": ["searchMetadata", ...lookedUp("agent", "agent_name")],
    "custom-fields-swapped": [
      "searchMetadataByCustomFields",
      ...lookedUp("custom_field_1", "custom_field_2"),
    ],
    "handle-time-looked-up-as-talk-time": [
      "searchMetadata",
      ...lookedUp("handle_time", "talk_time"),
    ],
    "filter-beyond-ascii-finds-nothing": [
      SEARCHES,
      whenAsked(
        isBeyondAscii,
        json((page) => ({ ...page, data: [], ...("recordCount" in page && { recordCount: 0 }) })),
      ),
    ],
    "zero-ignored": [
      "searchMetadata",
      "a filter of 0 seconds counts as not given",
      ignoring((_name, wanted) => wanted === 0),
    ],
  }),
  ...toMutants("filter", "decision", {
    "filters-joined-by-or": [SEARCHES, searching({ joins: "some" })],
    "first-filter-alone": [
      SEARCHES,
      asIf((request) => {
        const [first] = Object.entries(filterOf(request) ?? {});
        return withFilter(request, Object.fromEntries(first === undefined ? [] : [first]));
      }),
    ],
    "matched-in-part": [SEARCHES, comparing((text, part) => text.includes(part))],
    "matched-by-case": [
      SEARCHES,
      "a filter matches in the same letter case alone",
      comparingTexts((text) => text.trim()),
    ],
    "case-of-ascii-alone": [
      SEARCHES,
      "letter case is ignored in a to z alone",
      comparingTexts(withAsciiFolded),
    ],
    "phones-by-notation": [
      "searchMetadata",
      "a telephone number matches in the same notation alone",
      matching((value, wanted) => toKey(value, "") === toKey(wanted, "")),
    ],
    "spaces-not-trimmed": [
      SEARCHES,
      matching(
        (value, wanted, name) =>
          toText(wanted) === toText(wanted).trim() && matchesWhole(value, wanted, name),
      ),
    ],
    "talk-time-at-least": [
      "searchMetadata",
      matching((value, wanted, name) =>
        typeof wanted === "number" ? Number(value) >= wanted : matchesWhole(value, wanted, name),
      ),
    ],
    "phones-by-last-digits": ["searchMetadata", byLocalNumber],
    "wildcards-in-filter": [
      SEARCHES,
      matching(
        (value, wanted, name) =>
          matchesWhole(value, wanted, name) ||
          (/[%*]/.test(toText(wanted)) && isLike(toText(value), toText(wanted))),
      ),
    ],
    "accents-ignored": [SEARCHES, comparing((text, wanted) => toPlain(text) === toPlain(wanted))],
    "empty-text-ignored": [SEARCHES, ignoring((_name, wanted) => wanted === "")],
  }),
];
