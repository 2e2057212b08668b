// The sentences of the filter below its chip, which the first page does not load.
import { MAX_LISTED } from "../search/id-paste.ts";
import { type Language, language } from "./text.ts";

const count = (value: number, one: string, other: string): string =>
  `${value} ${value === 1 ? one : other}`;

const en = {
  allFields: "All fields",
  value: "Value",
  isOneOf: "is one of",
  hasSome: "has a recording",
  hasNone: "has none",
  listHint: `Each is asked for by itself, at most ${MAX_LISTED}. Paste a column or a list with commas.`,
  listOf: (values: number) => (values === 0 ? "One a line" : `${values} of them`),
  range: "from, to",
  fromSeconds: "From (m:ss)",
  toSeconds: "To (m:ss)",
  field: "Field",
  comparison: "Comparison",
  checkedByService: "The archive looks for the whole value. Letter case does not matter.",
  joined:
    "Finds calls with any of the values. This page reads every call of the search and checks this by itself.",
  alsoChats: "This page reads every call of the search and its chat.",
  anyNotation: "Any notation. The last four digits are enough.",
  minutesHint: "10 or 9:30 in minutes; 90s, 10m, 1h",
  secondsOf: (seconds: number) => `That is ${count(seconds, "second", "seconds")}.`,
  add: "Add",
  change: "Change",
};

const de: typeof en = {
  allFields: "Alle Felder",
  value: "Wert",
  isOneOf: "ist eines von",
  hasSome: "hat eine Aufnahme",
  hasNone: "hat keine",
  listHint: `Nach jedem wird einzeln gefragt, höchstens ${MAX_LISTED}. Fügen Sie eine Spalte oder eine Liste mit Kommas ein.`,
  listOf: (values) => (values === 0 ? "Eines je Zeile" : `${values} davon`),
  range: "von, bis",
  fromSeconds: "Von (m:ss)",
  toSeconds: "Bis (m:ss)",
  field: "Feld",
  comparison: "Vergleich",
  checkedByService: "Das Archiv sucht den ganzen Wert. Groß und klein sind gleich.",
  joined:
    "Findet Anrufe mit einem der Werte. Diese Seite liest jeden Anruf der Suche und prüft das selbst.",
  alsoChats: "Diese Seite liest alle Anrufe der Suche und ihre Chats.",
  anyNotation: "Jede Schreibweise. Die letzten vier Ziffern genügen.",
  minutesHint: "10 oder 9:30 in Minuten; 90s, 10m, 1h",
  secondsOf: (seconds) => `Das sind ${count(seconds, "Sekunde", "Sekunden")}.`,
  add: "Hinzufügen",
  change: "Ändern",
};

const WORDS: Readonly<Record<Language, typeof en>> = { en, de };

export const filterWords = (): typeof en => WORDS[language.value];
