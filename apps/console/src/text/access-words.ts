// The words of the page with the access log of a call, loaded with that page.
import type { By, Kind, Shown } from "../access/acts.ts";
import { type Language, language, showNumber } from "./text.ts";

const en = {
  access: "Access",
  people: "People",
  time: "Time",
  who: "Who",
  what: "What",
  by: "By",
  kinds: {
    handedOver: "handed over",
    saved: "saved",
    listened: "listened",
    drawn: "wave drawn",
    looked: "looked",
    listed: "in a list of results",
    asked: "asked, saw nothing",
    refused: "refused",
    access: "looked at the accesses",
    command: "command",
    altered: "altered",
  } satisfies Record<Kind, string>,
  shown: {
    fields: "fields",
    chat: "chat",
    url: "was given the address of the file; what was read of it is not known",
  } satisfies Record<Shown, string>,
  bys: { console: "console", program: "program", command: "command" } satisfies Record<By, string>,
  times: (count: number) => (count === 2 ? "twice" : `${showNumber(count)} times`),
  recording: (part: number) => `recording ${showNumber(part)}`,
  gone: "a recording that is not in the call any more",
  whole: "whole",
  fromTo: (from: string, to: string) => `from ${from} to about ${to}`,
  fromStart: (to: string) => `from the beginning to about ${to}`,
  share: (percent: number) => `about ${showNumber(percent)}% of the file`,
  drawn: "and the page read the file to draw its wave",
  purpose: (text: string) => `for ${text}`,
  mayNot: "this user may not",
  notAnswered: (status: number) => `not answered (${status})`,
  alteredHint: (row: number) =>
    `Row ${showNumber(row)} of the access log was altered. Ask your operator to run “audit verify”.`,
  nobody: "Nobody has looked at this call so far.",
  older: "Show older",
  showLists: "Count the lists of results of the last 90 days",
  lists: (count: number, day: string) =>
    `Since ${day} it stood in ${count === 1 ? "1 list" : `${showNumber(count)} lists`} of results:`,
  noLists: (day: string) => `Since ${day} it stood in no list of results.`,
  newest: (count: number) => `The newest ${showNumber(count)} of them are shown.`,
  note: "The bytes that were sent show how far somebody listened: up to 2 minutes too much. Opening this page is a row as well. Only “audit verify” proves that no row was altered or removed.",
  copy: "Copy as table",
  copied: "Copied the table",
};

const de: typeof en = {
  access: "Zugriffe",
  people: "Personen",
  time: "Zeit",
  who: "Wer",
  what: "Was",
  by: "Womit",
  kinds: {
    handedOver: "übergeben",
    saved: "gespeichert",
    listened: "angehört",
    drawn: "Wellenbild gezeichnet",
    looked: "angesehen",
    listed: "in einer Trefferliste",
    asked: "gefragt, nichts gesehen",
    refused: "abgelehnt",
    access: "Zugriffe angesehen",
    command: "Befehl",
    altered: "verändert",
  },
  shown: {
    fields: "Felder",
    chat: "Chat",
    url: "bekam die Adresse der Datei; was davon gelesen wurde, ist nicht bekannt",
  },
  bys: { console: "Konsole", program: "Programm", command: "Befehl" },
  times: (count) => `${showNumber(count)}-mal`,
  recording: (part) => `Aufnahme ${showNumber(part)}`,
  gone: "eine Aufnahme, die nicht mehr zum Anruf gehört",
  whole: "ganz",
  fromTo: (from, to) => `von ${from} bis etwa ${to}`,
  fromStart: (to) => `vom Anfang bis etwa ${to}`,
  share: (percent) => `etwa ${showNumber(percent)} % der Datei`,
  drawn: "und die Seite las die Datei, um das Wellenbild zu zeichnen",
  purpose: (text) => `für ${text}`,
  mayNot: "darf es nicht",
  notAnswered: (status) => `nicht beantwortet (${status})`,
  alteredHint: (row) =>
    `Zeile ${showNumber(row)} des Zugriffsprotokolls wurde verändert. Bitten Sie den Betreiber, „audit verify“ auszuführen.`,
  nobody: "Bisher hat niemand diesen Anruf angesehen.",
  older: "Ältere zeigen",
  showLists: "Trefferlisten der letzten 90 Tage zählen",
  lists: (count, day) =>
    `Seit ${day} stand er in ${count === 1 ? "1 Trefferliste" : `${showNumber(count)} Trefferlisten`}:`,
  noLists: (day) => `Seit ${day} stand er in keiner Trefferliste.`,
  newest: (count) => `Gezeigt sind die neuesten ${showNumber(count)}.`,
  note: "Wie weit jemand gehört hat, sagen die gesendeten Bytes: bis zu 2 Minuten zu viel. Auch das Öffnen dieser Seite ist eine Zeile. Ob Zeilen verändert wurden oder fehlen, beweist nur „audit verify“.",
  copy: "Als Tabelle kopieren",
  copied: "Tabelle kopiert",
};

const WORDS: Readonly<Record<Language, typeof en>> = { en, de };

export type AccessWords = typeof en;

export const accessWords = (): AccessWords => WORDS[language.value];
