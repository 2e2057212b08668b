// Searches that match a little more or less than they should.
import { toText } from "../edits/json.ts";
import { asIf, filterOf, withFilter } from "../edits/requests.ts";
import { matchesWhole, searching, toKey } from "../edits/search.ts";
import { SEARCHES, type Mutant, toMutants } from "./mutant.ts";

const DIGITS_OF_LOCAL_NUMBER = 7;

const toPlain = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "");
const withAsciiFolded = (text: string) =>
  text.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
const toLocalNumber = (text: string) => text.replaceAll(/\D/g, "").slice(-DIGITS_OF_LOCAL_NUMBER);

function isLike(text: string, pattern: string): boolean {
  const parts = pattern.split(/[%*]/).map((part) => part.replaceAll(/[^\w\s]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "is").test(text);
}

/** A common rule of telephone systems, which leave the country and the area aside. */
export const byLocalNumber = searching({
  matches: (value, wanted, name) =>
    name.startsWith("phone_number")
      ? value !== null && toLocalNumber(toText(value)) === toLocalNumber(toText(wanted))
      : matchesWhole(value, wanted, name),
});

export const nearMatches: readonly Mutant[] = [
  ...toMutants("filter", "decision", {
    "talk-time-at-least": [
      "searchMetadata",
      "talk_time and handle_time find what is as long or longer",
      searching({
        matches: (value, wanted, name) =>
          typeof wanted === "number"
            ? value !== null && Number(value) >= wanted
            : matchesWhole(value, wanted, name),
      }),
    ],
    "phones-by-last-digits": [
      "searchMetadata",
      "a telephone number matches by its last seven digits",
      byLocalNumber,
    ],
    "wildcards-in-filter": [
      SEARCHES,
      "% and * in a filter stand for anything",
      searching({
        matches: (value, wanted, name) =>
          matchesWhole(value, wanted, name) ||
          (/[%*]/.test(toText(wanted)) && value !== null && isLike(toText(value), toText(wanted))),
      }),
    ],
    "accents-ignored": [
      SEARCHES,
      "a filter without its accents matches",
      searching({
        matches: (value, wanted, name) =>
          value !== null && toPlain(toKey(value, name)) === toPlain(toKey(wanted, name)),
      }),
    ],
    "case-of-ascii-alone": [
      SEARCHES,
      "letter case is ignored in a to z alone",
      searching({
        matches: (value, wanted, name) =>
          name.startsWith("phone_number")
            ? matchesWhole(value, wanted, name)
            : value !== null && withAsciiFolded(toText(value)) === withAsciiFolded(toText(wanted)),
      }),
    ],
  }),
  ...toMutants("dates", "decision", {
    "datetime-rewritten-in-search": [
      SEARCHES,
      "searches give datetime in UTC, whatever the text of the record",
      searching({
        order: (records) =>
          records.map((record) => {
            const text = toText(record.datetime);
            const hasOffset = /[+-]\d\d:\d\d$/.test(text);
            return hasOffset ? { ...record, datetime: new Date(text).toISOString() } : record;
          }),
      }),
    ],
  }),
  ...toMutants("filter", "interface", {
    "handle-time-looked-up-as-talk-time": [
      "searchMetadata",
      "the filter handle_time is looked up in talk_time",
      asIf((request) => {
        const { handle_time: wanted, ...others } = filterOf(request) ?? {};
        return wanted === undefined
          ? request
          : withFilter(request, { ...others, talk_time: wanted });
      }),
    ],
    "custom-field-17-ignored": [
      "searchMetadataByCustomFields",
      "the filter custom_field_17 is ignored",
      searching({
        matches: (value, wanted, name) =>
          name === "custom_field_17" || matchesWhole(value, wanted, name),
      }),
    ],
  }),
  ...(["zip", "dest_agent_name", "customer_middle_name"] as const).map((name): Mutant => ({
    id: `${name.replaceAll("_", "-")}-ignored`,
    class: "filter",
    operation: "searchMetadata",
    contract: "interface",
    says: `the filter ${name} is ignored`,
    mutate: searching({
      matches: (value, wanted, asked) => asked === name || matchesWhole(value, wanted, asked),
    }),
  })),
];
