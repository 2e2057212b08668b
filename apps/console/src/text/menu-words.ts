// The sentences of the menus and panels of a search, which the first page does not load.
import { type Language, language } from "./text.ts";
import { type Counters, toCounters } from "./counters.ts";

const en = (({ count, number }: Counters) => ({
  openCallId: (id: string) => `Open call ${id}`,
  openReference: (id: string) => `Open reference ${id}`,
  sessionEnds: (time: string) => `Session ends at ${time} at the latest`,
  times: "Times",
  zones: { archive: "Archive's time", mine: "My time" },
  languageLabel: "Language",
  shortcuts: "Single-key shortcuts",
  about: "Help and about",
  signOut: "Sign out",
  signOutEverywhere: "Sign out everywhere",
  counting: "Counting …",
  allCounted: (legs: number) => `Of ${count(legs, "leg", "legs")}, all counted`,
  countedSoFar: (legs: number) => `Of ${count(legs, "leg", "legs")} that were read so far`,
  countedByArchive: (left: number) =>
    left === 0
      ? "Counted by the archive"
      : `Counted by the archive; ${number.format(left)} with other values or none`,
  findOthers: (legs: number) => `Find the other values: reads ${number.format(legs)} legs`,
  also: "also",
  only: "only",
  withWords: (words: string) => `with ${words}`,
  withOutcome: (outcome: string) => `with outcome ${outcome}`,
  withExactly: (words: string) => `with exactly ${words}`,
  operatorIsWord: (operator: string) => `${operator} is looked for as a word like the others.`,
  countsOf: "Count by",
  noValue: "Empty",
  columnsReset: "Usual columns",
  earlier: "Move before",
  later: "Move after",
  findField: "Find a field",
  density: "Row height",
  densities: { dense: "Dense", usual: "Usual", wide: "Wide" },
  saveView: "Save view",
  viewName: "Name",
  noViews: "No saved views yet.",
  viewHasPersons:
    "Filters about persons are left out, as views are kept in this browser. Keep them too:",
  selected: (value: number) => `${number.format(value)} selected`,
  copyIds: "Copy call numbers",
  copiedIds: (value: number) => `Copied ${count(value, "call number", "call numbers")}.`,
  clear: "Clear",
  copyCommand: "Copy command",
  copiedCommand: "Copied the command of this search.",
  nothing: "No calls match",
  nothingWithWords:
    "No call in these days has all of these words. They are searched in transcripts, chats, notes, names and telephone numbers.",
  nothingAtAll: "There are no calls in these days that you may see.",
  nothingHint: "A filter finds whole values: “Smith” does not find “Smithson”.",
  without: (filter: string) => `Without ${filter}`,
  nothingEither: "nothing either",
}))(toCounters("en"));

const de: typeof en = (({ count, number }: Counters): typeof en => ({
  openCallId: (id) => `Anruf ${id} öffnen`,
  openReference: (id) => `Referenz ${id} öffnen`,
  sessionEnds: (time) => `Die Sitzung endet spätestens um ${time}`,
  times: "Zeiten",
  zones: { archive: "Zeit des Archivs", mine: "Meine Zeit" },
  languageLabel: "Sprache",
  shortcuts: "Tastenkürzel aus einer Taste",
  about: "Hilfe und Angaben",
  signOut: "Abmelden",
  signOutEverywhere: "Überall abmelden",
  counting: "Wird gezählt …",
  allCounted: (legs) => `Von ${count(legs, "Abschnitt", "Abschnitten")}, alle gezählt`,
  countedSoFar: (legs) => `Von ${count(legs, "Abschnitt", "Abschnitten")}, die bisher gelesen sind`,
  countedByArchive: (left) =>
    left === 0
      ? "Vom Archiv gezählt"
      : `Vom Archiv gezählt; ${number.format(left)} mit anderen Werten oder ohne`,
  findOthers: (legs) => `Weitere Werte suchen: liest ${number.format(legs)} Abschnitte`,
  also: "auch",
  only: "nur",
  withWords: (words) => `mit ${words}`,
  withOutcome: (outcome) => `mit Ergebnis ${outcome}`,
  withExactly: (words) => `mit genau ${words}`,
  operatorIsWord: (operator) => `${operator} wird als Wort gesucht wie die anderen.`,
  countsOf: "Zählen nach",
  noValue: "Leer",
  columnsReset: "Übliche Spalten",
  earlier: "nach vorn",
  later: "nach hinten",
  findField: "Feld suchen",
  density: "Zeilenhöhe",
  densities: { dense: "Dicht", usual: "Üblich", wide: "Weit" },
  saveView: "Ansicht speichern",
  viewName: "Name",
  noViews: "Noch keine gespeicherten Ansichten.",
  viewHasPersons:
    "Filter über Personen bleiben weg, denn Ansichten liegen in diesem Browser. Trotzdem behalten:",
  selected: (value) => `${number.format(value)} ausgewählt`,
  copyIds: "Anrufnummern kopieren",
  copiedIds: (value) => `${count(value, "Anrufnummer", "Anrufnummern")} kopiert.`,
  clear: "Aufheben",
  copyCommand: "Befehl kopieren",
  copiedCommand: "Der Befehl dieser Suche ist kopiert.",
  nothing: "Keine passenden Anrufe",
  nothingWithWords:
    "Kein Anruf dieser Tage hat alle diese Wörter. Gesucht wird in Transkripten, Chats, Notizen, Namen und Telefonnummern.",
  nothingAtAll: "In diesen Tagen gibt es keine Anrufe, die Sie sehen dürfen.",
  nothingHint: "Ein Filter findet ganze Werte: „Schmidt“ findet „Schmidtke“ nicht.",
  without: (filter) => `Ohne ${filter}`,
  nothingEither: "auch nichts",
}))(toCounters("de"));

const WORDS: Readonly<Record<Language, typeof en>> = { en, de };

export const menuWords = (): typeof en => WORDS[language.value];
