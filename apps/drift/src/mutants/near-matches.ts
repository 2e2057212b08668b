// Mutants whose searches match slightly more or less than they should.
import { toText } from "../edits/json.ts";
import { lookedUpAs } from "../edits/requests.ts";
import { comparing, ignoring, matchesWhole, searching } from "../edits/search.ts";
import { type Mutant, SEARCHES, toMutants } from "./mutant.ts";

const DIGITS_OF_LOCAL_NUMBER = 7;

const toPlain = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "");
const withAsciiFolded = (text: string) =>
  text.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
const toLocalNumber = (text: string) => text.replaceAll(/\D/g, "").slice(-DIGITS_OF_LOCAL_NUMBER);

function isLike(text: string, pattern: string): boolean {
  const parts = pattern.split(/[%*]/).map((part) => part.replaceAll(/[^\w\s]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "is").test(text);
}

/** A common rule of telephone systems, which ignore country and area codes. */
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
      comparing((text, wanted) => toPlain(text) === toPlain(wanted)),
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
      lookedUpAs("handle_time", "talk_time"),
    ],
    "zip-ignored": [
      "searchMetadata",
      "the filter zip is ignored",
      ignoring((name) => name === "zip"),
    ],
    "dest-agent-name-ignored": [
      "searchMetadata",
      "the filter dest_agent_name is ignored",
      ignoring((name) => name === "dest_agent_name"),
    ],
    "customer-middle-name-ignored": [
      "searchMetadata",
      "the filter customer_middle_name is ignored",
      ignoring((name) => name === "customer_middle_name"),
    ],
    "custom-field-17-ignored": [
      "searchMetadataByCustomFields",
      "the filter custom_field_17 is ignored",
      ignoring((name) => name === "custom_field_17"),
    ],
  }),
];
