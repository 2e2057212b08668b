// Searches that match a little more or less than they should.
import { toText } from "../edits/json.ts";
import { asIf, filterOf, withFilter } from "../edits/requests.ts";
import { matchesWhole, searching, toKey } from "../edits/search.ts";
import { type Mutant, SEARCHES } from "./mutant.ts";

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
  {
    id: "talk-time-at-least",
    class: "filter",
    operation: "searchMetadata",
    contract: "decision",
    says: "talk_time and handle_time find what is as long or longer",
    mutate: searching({
      matches: (value, wanted, name) =>
        typeof wanted === "number"
          ? value !== null && Number(value) >= wanted
          : matchesWhole(value, wanted, name),
    }),
  },
  {
    id: "phones-by-last-digits",
    class: "filter",
    operation: "searchMetadata",
    contract: "decision",
    says: "a telephone number matches by its last seven digits",
    mutate: byLocalNumber,
  },
  {
    id: "wildcards-in-filter",
    class: "filter",
    operation: SEARCHES,
    contract: "decision",
    says: "% and * in a filter stand for anything",
    mutate: searching({
      matches: (value, wanted, name) =>
        matchesWhole(value, wanted, name) ||
        (/[%*]/.test(toText(wanted)) && value !== null && isLike(toText(value), toText(wanted))),
    }),
  },
  {
    id: "accents-ignored",
    class: "filter",
    operation: SEARCHES,
    contract: "decision",
    says: "a filter without its accents matches",
    mutate: searching({
      matches: (value, wanted, name) =>
        value !== null && toPlain(toKey(value, name)) === toPlain(toKey(wanted, name)),
    }),
  },
  {
    id: "case-of-ascii-alone",
    class: "filter",
    operation: SEARCHES,
    contract: "decision",
    says: "letter case is ignored in a to z alone",
    mutate: searching({
      matches: (value, wanted, name) =>
        name.startsWith("phone_number")
          ? matchesWhole(value, wanted, name)
          : value !== null && withAsciiFolded(toText(value)) === withAsciiFolded(toText(wanted)),
    }),
  },
  {
    id: "datetime-rewritten-in-search",
    class: "dates",
    operation: SEARCHES,
    contract: "decision",
    says: "searches give datetime in UTC, whatever the text of the record",
    mutate: searching({
      order: (records) =>
        records.map((record) => {
          const text = toText(record.datetime);
          const hasOffset = /[+-]\d\d:\d\d$/.test(text);
          return hasOffset ? { ...record, datetime: new Date(text).toISOString() } : record;
        }),
    }),
  },
  {
    id: "handle-time-looked-up-as-talk-time",
    class: "filter",
    operation: "searchMetadata",
    contract: "interface",
    says: "the filter handle_time is looked up in talk_time",
    mutate: asIf((request) => {
      const { handle_time: wanted, ...others } = filterOf(request) ?? {};
      return wanted === undefined ? request : withFilter(request, { ...others, talk_time: wanted });
    }),
  },
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
  {
    id: "custom-field-17-ignored",
    class: "filter",
    operation: "searchMetadataByCustomFields",
    contract: "interface",
    says: "the filter custom_field_17 is ignored",
    mutate: searching({
      matches: (value, wanted, name) =>
        name === "custom_field_17" || matchesWhole(value, wanted, name),
    }),
  },
];
