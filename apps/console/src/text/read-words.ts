// The sentences of the reading view, which the first page does not load.

const plural = (value: number, one: string, other: string) =>
  `${value.toLocaleString("en-GB")} ${value === 1 ? one : other}`;
const mehr = (value: number, one: string, other: string) =>
  `${value.toLocaleString("de-DE")} ${value === 1 ? one : other}`;

const en = {
  title: {
    both: "What was said",
    customer: "What the customer said",
    agent: "What the agent said",
  },
  sides: { both: "Everybody", customer: "Customer", agent: "Agent" },
  whose: "Whose lines",
  find: "Find in these texts",
  contents: "Calls",
  folded: (value: number, side: "agent" | "customer") =>
    `${plural(value, "line", "lines")} of the ${side}`,
  noText: "no text",
  noTextOf: (length: string) => (length === "" ? "No text." : `No text, ${length} of talk.`),
  withText: (value: number, all: number) =>
    `${value.toLocaleString("en-GB")} of ${plural(all, "call has", "calls have")} a text.`,
  latest: (value: number, all: number) =>
    `The latest ${value.toLocaleString("en-GB")} of ${plural(all, "leg", "legs")}.`,
  readOn: "Read on",
  copyText: "Copy text",
  copiedText: (value: number) => `Copied the text of ${plural(value, "call", "calls")}.`,
  leg: (value: number) => `Leg ${value}`,
};

const de: typeof en = {
  title: {
    both: "Was gesagt wurde",
    customer: "Was der Kunde sagte",
    agent: "Was der Agent sagte",
  },
  sides: { both: "Alle", customer: "Kunde", agent: "Agent" },
  whose: "Wessen Zeilen",
  find: "In diesen Texten suchen",
  contents: "Anrufe",
  folded: (value, side) =>
    `${mehr(value, "Zeile", "Zeilen")} ${side === "agent" ? "des Agenten" : "des Kunden"}`,
  noText: "kein Text",
  noTextOf: (length) => (length === "" ? "Kein Text." : `Kein Text, ${length} Gespräch.`),
  withText: (value, all) =>
    `${value.toLocaleString("de-DE")} von ${mehr(all, "Anruf hat", "Anrufen haben")} einen Text.`,
  latest: (value, all) =>
    `Die letzten ${value.toLocaleString("de-DE")} von ${mehr(all, "Abschnitt", "Abschnitten")}.`,
  readOn: "Weiterlesen",
  copyText: "Text kopieren",
  copiedText: (value) => `Text von ${mehr(value, "Anruf", "Anrufen")} kopiert.`,
  leg: (value) => `Abschnitt ${value}`,
};

export const READ_WORDS = { en, de } as const;
